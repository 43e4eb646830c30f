// solve_certificate.c - certificates of optimality and infeasibility.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "solve_certificate.h"

#include <assert.h>
#include <stdlib.h>

#include "diag.h"

static uint64_t add(uint64_t a, uint64_t b) {
  return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

uint64_t gmem_sum_of_sizes(const gmem_problem_t *problem,
                           const uint32_t *buffers, size_t count) {
  uint64_t sum = 0;
  for (size_t i = 0; i < count; ++i)
    sum = add(sum, gmem_problem_buffer(problem, buffers[i])->size);
  return sum;
}

//===--- optimality -------------------------------------------------------===//

// Whether a fixed buffer ends at |end|.
static bool is_end_fixed(const gmem_problem_t *problem, uint32_t pool,
                         uint64_t end) {
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, i);
    if (spec->has_fixed_offset && spec->size && spec->pools[0] == pool &&
        spec->fixed_offset + spec->size == end)
      return true;
  }
  return false;
}

static gmem_proof_t prove_pool(const gmem_certificate_t *certificate,
                               uint32_t index) {
  const gmem_pool_certificate_t *pool = &certificate->pools[index];
  // A proof about the whole plan is a proof about its pool only if it has one.
  bool is_only = gmem_problem_pool_count(certificate->problem) == 1;
  if (pool->load_bound < pool->size)
    return is_only && certificate->figures.optimal ? GMEM_PROOF_SEARCH
                                                   : GMEM_PROOF_NONE;
  if (pool->peak.bytes < pool->size &&
      is_end_fixed(certificate->problem, index, pool->size))
    return GMEM_PROOF_FIXED;
  return GMEM_PROOF_LOAD;
}

static gmem_status_t certify_pool(gmem_certificate_t *certificate,
                                  uint32_t index, gmem_diag_t *diag) {
  const gmem_problem_t *problem = certificate->problem;
  gmem_pool_certificate_t *pool = &certificate->pools[index];
  size_t count = gmem_problem_buffer_count(problem);
  pool->live = malloc((count + 1) * sizeof *pool->live);
  if (!pool->live)
    return gmem_out_of_memory(diag);
  pool->size = gmem_plan_pool_size(problem, certificate->plan, index);
  GMEM_TRY(gmem_lower_bound_of_pool(problem, index, &pool->load_bound, diag));
  GMEM_TRY(gmem_find_peak(problem, certificate->plan, index, pool->live,
                          &pool->peak, diag));
  assert(pool->load_bound <= pool->size && pool->peak.bytes <= pool->size);
  pool->proof = prove_pool(certificate, index);
  pool->lower_bound = pool->proof ? pool->size : pool->load_bound;
  return GMEM_OK;
}

static gmem_status_t prove_whole(gmem_certificate_t *certificate,
                                 gmem_diag_t *diag) {
  uint64_t bound = 0;
  GMEM_TRY(gmem_lower_bound(certificate->problem, &bound, diag));
  if (gmem_problem_pool_count(certificate->problem) == 1)
    certificate->proof = certificate->pools[0].proof;
  else if (certificate->figures.optimal)
    certificate->proof = bound == certificate->figures.peak ? GMEM_PROOF_LOAD
                                                            : GMEM_PROOF_SEARCH;
  return GMEM_OK;
}

gmem_status_t gmem_certificate_create(const gmem_problem_t *problem,
                                      const gmem_placement_t *plan,
                                      const gmem_plan_figures_t *figures,
                                      gmem_certificate_t *out_certificate,
                                      gmem_diag_t *diag) {
  uint32_t pools = gmem_problem_pool_count(problem);
  *out_certificate = (gmem_certificate_t){
      .problem = problem,
      .plan = plan,
      .figures = *figures,
      .pools = calloc(pools + (size_t)1, sizeof(gmem_pool_certificate_t))};
  if (!out_certificate->pools)
    return gmem_out_of_memory(diag);
  for (uint32_t i = 0; i < pools; ++i)
    GMEM_TRY(certify_pool(out_certificate, i, diag));
  return prove_whole(out_certificate, diag);
}

void gmem_certificate_free(gmem_certificate_t *certificate) {
  uint32_t pools =
      certificate->pools ? gmem_problem_pool_count(certificate->problem) : 0;
  for (uint32_t i = 0; i < pools; ++i)
    free(certificate->pools[i].live);
  free(certificate->pools);
  *certificate = (gmem_certificate_t){0};
}

//===--- infeasibility ----------------------------------------------------===//

// The load changes by the size of a buffer at the begin or end of a live range.
typedef struct change_s {
  int64_t time;
  uint64_t bytes;
  bool is_begin;
} change_t;

// Sorts by time, ends before begins, since live ranges are half-open.
static int compare_changes(const void *left, const void *right) {
  const change_t *a = left, *b = right;
  if (a->time != b->time)
    return a->time < b->time ? -1 : 1;
  return (int)a->is_begin - (int)b->is_begin;
}

static size_t list_changes(const gmem_shortage_t *shortage, change_t *changes) {
  size_t count = 0;
  for (size_t i = 0; i < shortage->found.count; ++i) {
    const gmem_buffer_spec_t *spec =
        gmem_problem_buffer(shortage->problem, shortage->buffers[i]);
    for (size_t k = 0; k < spec->range_count; ++k) {
      if (changes) {
        changes[count] = (change_t){spec->ranges[k].begin, spec->size, true};
        changes[count + 1] = (change_t){spec->ranges[k].end, spec->size, false};
      }
      count += 2;
    }
  }
  return count;
}

static gmem_status_t find_load(gmem_shortage_t *shortage, gmem_diag_t *diag) {
  size_t count = list_changes(shortage, NULL);
  change_t *changes = malloc((count + 1) * sizeof *changes);
  if (!changes)
    return gmem_out_of_memory(diag);
  list_changes(shortage, changes);
  qsort(changes, count, sizeof *changes, compare_changes);
  __extension__ unsigned __int128 load = 0;
  for (size_t i = 0; i < count; ++i) {
    load =
        changes[i].is_begin ? load + changes[i].bytes : load - changes[i].bytes;
    uint64_t shown = load > UINT64_MAX ? UINT64_MAX : (uint64_t)load;
    if (shown > shortage->load) {
      shortage->load = shown;
      shortage->time = changes[i].time;
    }
  }
  assert(load == 0 && "every live range ends");
  free(changes);
  return GMEM_OK;
}

static int compare_indices(const void *left, const void *right) {
  const uint32_t *a = left, *b = right;
  return (*a > *b) - (*a < *b);
}

// Whether no two of the buffers can share bytes while both are live, so that
// their sizes add up: at most one is on a branch and at most one takes part in
// an alias.
static bool is_plain(const gmem_shortage_t *shortage) {
  const gmem_problem_t *problem = shortage->problem;
  size_t on_branches = 0;
  uint32_t bound = GMEM_NO_BUFFER;
  for (size_t i = 0; i < shortage->found.count; ++i)
    on_branches +=
        gmem_problem_buffer(problem, shortage->buffers[i])->branch_count > 0;
  for (size_t i = 0; i < gmem_problem_alias_count(problem); ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(problem, i);
    const uint32_t ends[] = {alias->child, alias->parent};
    for (size_t k = 0; k < 2; ++k) {
      if (!bsearch(&ends[k], shortage->buffers, shortage->found.count,
                   sizeof *ends, compare_indices))
        continue;
      if (bound != GMEM_NO_BUFFER && bound != ends[k])
        return false;
      bound = ends[k];
    }
  }
  return on_branches <= 1;
}

static uint64_t capacity_of(const gmem_problem_t *problem,
                            const uint32_t *pools, size_t count) {
  uint64_t sum = 0;
  for (size_t i = 0; i < count; ++i)
    sum = add(
        sum,
        gmem_problem_pool(problem, pools ? pools[i] : (uint32_t)i)->capacity);
  return sum;
}

gmem_status_t gmem_shortage_find(const gmem_problem_t *problem,
                                 const gmem_solve_options_t *options,
                                 gmem_shortage_t *out_shortage,
                                 gmem_diag_t *diag) {
  gmem_shortage_t *shortage = out_shortage;
  size_t count = gmem_problem_buffer_count(problem);
  uint32_t pools = gmem_problem_pool_count(problem);
  *shortage =
      (gmem_shortage_t){.problem = problem,
                        .buffers = malloc((count + 1) * sizeof(uint32_t)),
                        .pools = malloc((pools + (size_t)1) * sizeof(uint32_t)),
                        .available = capacity_of(problem, NULL, pools)};
  if (!shortage->buffers || !shortage->pools)
    return gmem_out_of_memory(diag);
  GMEM_TRY(gmem_lower_bound(problem, &shortage->needed, diag));
  GMEM_TRY(gmem_find_shortage(problem, options, shortage->buffers,
                              shortage->pools, &shortage->found, diag));
  const gmem_infeasible_t *found = &shortage->found;
  assert(found->count <= count && found->pool_count <= pools);
  shortage->capacity = capacity_of(problem, shortage->pools, found->pool_count);
  shortage->sum = gmem_sum_of_sizes(problem, shortage->buffers, found->count);
  shortage->is_plain = is_plain(shortage);
  return find_load(shortage, diag);
}

void gmem_shortage_free(gmem_shortage_t *shortage) {
  free(shortage->buffers);
  free(shortage->pools);
  *shortage = (gmem_shortage_t){0};
}

bool gmem_shortage_is_proved(const gmem_shortage_t *shortage) {
  return shortage->found.count > 0 || shortage->needed > shortage->available;
}
