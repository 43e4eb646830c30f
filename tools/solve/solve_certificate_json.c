// solve_certificate_json.c - certificates as JSON (docs/gmem-solve.md).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "solve_certificate.h"

static void put_proof(gmem_json_t *json, gmem_proof_t proof) {
  static const char *const words[] = {[GMEM_PROOF_NONE] = NULL,
                                      [GMEM_PROOF_LOAD] = "load",
                                      [GMEM_PROOF_FIXED] = "fixed",
                                      [GMEM_PROOF_SEARCH] = "search"};
  gmem_json_text(json, "proof", words[proof]);
}

// Puts |count| buffers, without offsets if |plan| is NULL.
static void put_buffers(gmem_json_t *json, const char *key,
                        const gmem_problem_t *problem,
                        const gmem_placement_t *plan, const uint32_t *buffers,
                        size_t count) {
  gmem_json_open(json, key, '[');
  for (size_t i = 0; i < count; ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, buffers[i]);
    gmem_json_open(json, NULL, '{');
    gmem_json_number(json, "buffer", buffers[i]);
    gmem_json_text(json, "name", spec->name);
    if (plan)
      gmem_json_number(json, "offset", plan[buffers[i]].offset);
    gmem_json_number(json, "size", spec->size);
    gmem_json_open(json, "lives", '[');
    for (size_t k = 0; k < spec->range_count; ++k)
      gmem_json_pair(json, NULL, spec->ranges[k].begin, spec->ranges[k].end);
    gmem_json_close(json);
    gmem_json_close(json);
  }
  gmem_json_close(json);
}

//===--- optimality -------------------------------------------------------===//

static void put_pool(gmem_json_t *json, const gmem_certificate_t *certificate,
                     uint32_t index) {
  const gmem_problem_t *problem = certificate->problem;
  const gmem_pool_certificate_t *pool = &certificate->pools[index];
  const gmem_peak_t *peak = &pool->peak;
  gmem_json_open(json, NULL, '{');
  gmem_json_text(json, "pool", gmem_problem_pool(problem, index)->name);
  gmem_json_number(json, "peak", pool->size);
  gmem_json_number(json, "lower_bound", pool->lower_bound);
  gmem_json_number(json, "load_bound", pool->load_bound);
  put_proof(json, pool->proof);
  if (peak->count) {
    gmem_json_signed(json, "time", peak->time);
    gmem_json_number(json, "bytes_in_use", peak->bytes);
    gmem_json_number(json, "gap_bytes", pool->size - peak->bytes);
    gmem_json_number(json, "sum_of_sizes",
                     gmem_sum_of_sizes(problem, pool->live, peak->count));
  }
  put_buffers(json, "live", problem, certificate->plan, pool->live,
              peak->count);
  gmem_json_close(json);
}

void gmem_certificate_to_json(const gmem_certificate_t *certificate,
                              gmem_json_t *json) {
  gmem_json_open(json, "certificate", '{');
  put_proof(json, certificate->proof);
  gmem_json_open(json, "pools", '[');
  for (uint32_t i = 0; i < gmem_problem_pool_count(certificate->problem); ++i)
    put_pool(json, certificate, i);
  gmem_json_close(json);
  gmem_json_close(json);
}

//===--- infeasibility ----------------------------------------------------===//

// One pool is a string, several are an array.
static void put_pools(gmem_json_t *json, const gmem_shortage_t *shortage) {
  size_t count = shortage->found.pool_count;
  if (count != 1)
    gmem_json_open(json, "pool", '[');
  for (size_t i = 0; i < count; ++i)
    gmem_json_text(
        json, count == 1 ? "pool" : NULL,
        gmem_problem_pool(shortage->problem, shortage->pools[i])->name);
  if (count != 1)
    gmem_json_close(json);
}

static void put_set(gmem_json_t *json, const gmem_shortage_t *shortage) {
  put_pools(json, shortage);
  gmem_json_number_or_null(json, "capacity", shortage->capacity,
                           GMEM_UNLIMITED);
  gmem_json_bool(json, "irreducible", shortage->found.irreducible);
  gmem_json_signed(json, "time", shortage->time);
  gmem_json_number(json, "load", shortage->load);
  gmem_json_number(json, "sum_of_sizes", shortage->sum);
  put_buffers(json, "infeasible", shortage->problem, NULL, shortage->buffers,
              shortage->found.count);
}

void gmem_shortage_to_json(const gmem_shortage_t *shortage, gmem_json_t *json) {
  gmem_proof_t proof = GMEM_PROOF_NONE;
  if (gmem_shortage_is_proved(shortage))
    proof = shortage->found.count && !shortage->found.by_load
                ? GMEM_PROOF_SEARCH
                : GMEM_PROOF_LOAD;
  bool is_feasible = shortage->found.fits && // implied by a plan that fits
                     gmem_problem_pool_count(shortage->problem) == 1;
  gmem_json_open(json, "certificate", '{');
  if (proof || is_feasible)
    gmem_json_bool(json, "feasible", !proof);
  else
    gmem_json_null(json, "feasible");
  put_proof(json, proof);
  if (shortage->found.count)
    put_set(json, shortage);
  gmem_json_close(json);
}
