// few_fit.c - whether a small set of buffers fits on its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "few_fit.h"

#include "offset_groups.h"
#include "problem_store.h"

// The limit of buffers to solve for again.
enum { MOST_SOLVED = 64 };

typedef struct few_s {
  const gmem_problem_t *problem;
  gmem_problem_t *part;
  uint32_t numbers[MOST_SOLVED]; // of the buffers of |part| in the problem
  uint32_t count;
} few_t;

// The buffer's number in the part, or GMEM_NO_BUFFER.
static uint32_t number_of(const few_t *few, uint32_t buffer) {
  for (uint32_t i = 0; i < few->count; ++i)
    if (few->numbers[i] == buffer)
      return i;
  return GMEM_NO_BUFFER;
}

static gmem_status_t add_buffers(few_t *few, gmem_diag_t *diag) {
  uint32_t ignored;
  for (uint32_t i = 0; i < gmem_problem_pool_count(few->problem); ++i)
    GMEM_TRY(gmem_problem_add_pool(
        few->part, gmem_problem_pool(few->problem, i), &ignored, diag));
  for (uint32_t i = 0; i < few->count; ++i)
    GMEM_TRY(gmem_problem_add_buffer(
        few->part, gmem_problem_buffer(few->problem, few->numbers[i]), &ignored,
        diag));
  return GMEM_OK;
}

static gmem_status_t add_conflicts(few_t *few, gmem_diag_t *diag) {
  for (size_t i = 0; i < gmem_problem_conflict_count(few->problem); ++i) {
    uint32_t first, second;
    gmem_problem_conflict(few->problem, i, &first, &second);
    first = number_of(few, first);
    second = number_of(few, second);
    if (first != GMEM_NO_BUFFER && second != GMEM_NO_BUFFER)
      GMEM_TRY(gmem_problem_add_conflict(few->part, first, second, diag));
  }
  return GMEM_OK;
}

static gmem_status_t add_aliases(few_t *few, gmem_diag_t *diag) {
  for (size_t i = 0; i < gmem_problem_alias_count(few->problem); ++i) {
    gmem_alias_spec_t spec = *gmem_problem_alias(few->problem, i);
    spec.child = number_of(few, spec.child);
    spec.parent = number_of(few, spec.parent);
    if (spec.child != GMEM_NO_BUFFER && spec.parent != GMEM_NO_BUFFER)
      GMEM_TRY(gmem_problem_add_alias(few->part, &spec, diag));
  }
  return GMEM_OK;
}

// Whether one of them is in an alias or block, possibly with a buffer outside
// of the set: then the set cannot be solved on its own.
static bool are_tied(const few_t *few) {
  const gmem_offset_groups_t *groups = gmem_problem_offset_groups(few->problem);
  for (uint32_t i = 0; groups && i < few->count; ++i) {
    uint32_t root = gmem_offset_groups_root(groups, few->numbers[i], NULL);
    if (root < groups->count && groups->at[root].count > 1)
      return true;
  }
  return false;
}

static gmem_status_t solve_part(const few_t *few,
                                const gmem_solve_options_t *options,
                                bool *out_fits, gmem_diag_t *diag) {
  gmem_solve_options_t own = *options;
  gmem_placement_t plan[MOST_SOLVED];
  own.algorithm = NULL;
  gmem_status_t status = gmem_solve(few->part, &own, plan, NULL, diag);
  *out_fits = status == GMEM_OK;
  return status == GMEM_ERR_OVER_BUDGET || status == GMEM_ERR_OVERLAP ? GMEM_OK
                                                                      : status;
}

static gmem_status_t fit_few(few_t *few, const gmem_solve_options_t *options,
                             bool *out_fits, gmem_diag_t *diag) {
  GMEM_TRY(gmem_problem_create(gmem_problem_allocator(few->problem), &few->part,
                               diag));
  GMEM_TRY(add_buffers(few, diag));
  GMEM_TRY(add_conflicts(few, diag));
  GMEM_TRY(add_aliases(few, diag));
  return solve_part(few, options, out_fits, diag);
}

gmem_status_t gmem_few_fit(const gmem_problem_t *problem, const bool *left,
                           const gmem_solve_options_t *options, bool *out_fits,
                           gmem_diag_t *diag) {
  few_t few = {.problem = problem};
  *out_fits = false;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i) {
    if (!left[i])
      continue;
    if (few.count == MOST_SOLVED)
      return GMEM_OK;
    few.numbers[few.count++] = i;
  }
  if (are_tied(&few))
    return GMEM_OK;
  gmem_status_t status = fit_few(&few, options, out_fits, diag);
  gmem_problem_destroy(few.part);
  return status;
}
