// solve_certificate_json.c - certificates as JSON (docs/gmem-solve.md).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "solve_certificate_json.h"

#include <inttypes.h>

#include "json_string.h"
#include "solve_certificate.h"

static void print_proof(gmem_proof_t proof, FILE *output) {
  static const char *const words[] = {[GMEM_PROOF_NONE] = "null",
                                      [GMEM_PROOF_LOAD] = "\"load\"",
                                      [GMEM_PROOF_FIXED] = "\"fixed\"",
                                      [GMEM_PROOF_SEARCH] = "\"search\""};
  fprintf(output, "\"proof\": %s", words[proof]);
}

// Omits the offset if |plan| is NULL.
static void print_buffer(const gmem_problem_t *problem,
                         const gmem_placement_t *plan, uint32_t buffer,
                         FILE *output) {
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, buffer);
  fprintf(output, "{\"buffer\": %" PRIu32 ", \"name\": ", buffer);
  gmem_print_json_string(output, spec->name);
  if (plan)
    fprintf(output, ", \"offset\": %" PRIu64, plan[buffer].offset);
  fprintf(output, ", \"size\": %" PRIu64 ", \"lives\": [", spec->size);
  for (size_t i = 0; i < spec->range_count; ++i)
    fprintf(output, "%s[%" PRId64 ", %" PRId64 "]", i ? ", " : "",
            spec->ranges[i].begin, spec->ranges[i].end);
  fputs("]}", output);
}

static void print_buffers(const gmem_problem_t *problem,
                          const gmem_placement_t *plan, const uint32_t *buffers,
                          size_t count, FILE *output) {
  fputc('[', output);
  for (size_t i = 0; i < count; ++i) {
    fputs(i ? ", " : "", output);
    print_buffer(problem, plan, buffers[i], output);
  }
  fputc(']', output);
}

//===--- optimality -------------------------------------------------------===//

static void print_pool(const gmem_certificate_t *certificate, uint32_t index,
                       FILE *output) {
  const gmem_problem_t *problem = certificate->problem;
  const gmem_pool_certificate_t *pool = &certificate->pools[index];
  const gmem_peak_t *peak = &pool->peak;
  fputs("{\"pool\": ", output);
  gmem_print_json_string(output, gmem_problem_pool(problem, index)->name);
  fprintf(output,
          ", \"peak\": %" PRIu64 ", \"lower_bound\": %" PRIu64
          ", \"load_bound\": %" PRIu64 ", ",
          pool->size, pool->lower_bound, pool->load_bound);
  print_proof(pool->proof, output);
  if (peak->count)
    fprintf(output,
            ", \"time\": %" PRId64 ", \"bytes_in_use\": %" PRIu64
            ", \"gap_bytes\": %" PRIu64 ", \"sum_of_sizes\": %" PRIu64,
            peak->time, peak->bytes, pool->size - peak->bytes,
            gmem_sum_of_sizes(problem, pool->live, peak->count));
  fputs(", \"live\": ", output);
  print_buffers(problem, certificate->plan, pool->live, peak->count, output);
  fputc('}', output);
}

void gmem_certificate_print_json(const gmem_certificate_t *certificate,
                                 FILE *output) {
  fputc('{', output);
  print_proof(certificate->proof, output);
  fputs(", \"pools\": [", output);
  for (uint32_t i = 0; i < gmem_problem_pool_count(certificate->problem); ++i) {
    fputs(i ? ", " : "", output);
    print_pool(certificate, i, output);
  }
  fputs("]}", output);
}

//===--- infeasibility ----------------------------------------------------===//

// Prints one pool as a string, several as an array.
static void print_pools(const gmem_shortage_t *shortage, FILE *output) {
  size_t count = shortage->found.pool_count;
  fputs(count == 1 ? ", \"pool\": " : ", \"pool\": [", output);
  for (size_t i = 0; i < count; ++i) {
    fputs(i ? ", " : "", output);
    gmem_print_json_string(
        output, gmem_problem_pool(shortage->problem, shortage->pools[i])->name);
  }
  fputs(count == 1 ? "" : "]", output);
}

static void print_set(const gmem_shortage_t *shortage, FILE *output) {
  print_pools(shortage, output);
  fputs(", \"capacity\": ", output);
  if (shortage->capacity == GMEM_UNLIMITED)
    fputs("null", output);
  else
    fprintf(output, "%" PRIu64, shortage->capacity);
  fprintf(output,
          ", \"irreducible\": %s, \"time\": %" PRId64 ", \"load\": %" PRIu64
          ", \"sum_of_sizes\": %" PRIu64 ", \"infeasible\": ",
          gmem_json_bool(shortage->found.irreducible), shortage->time,
          shortage->load, shortage->sum);
  print_buffers(shortage->problem, NULL, shortage->buffers,
                shortage->found.count, output);
}

void gmem_shortage_print_json(const gmem_shortage_t *shortage, FILE *output) {
  gmem_proof_t proof = GMEM_PROOF_NONE;
  if (gmem_shortage_is_proved(shortage))
    proof = shortage->found.count && !shortage->found.by_load
                ? GMEM_PROOF_SEARCH
                : GMEM_PROOF_LOAD;
  bool is_feasible = shortage->found.fits && // implied by a plan that fits
                     gmem_problem_pool_count(shortage->problem) == 1;
  fprintf(output, "{\"feasible\": %s, ",
          proof         ? "false"
          : is_feasible ? "true"
                        : "null");
  print_proof(proof, output);
  if (shortage->found.count)
    print_set(shortage, output);
  fputc('}', output);
}
