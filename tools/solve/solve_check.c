// solve_check.c - gmem-solve --check: validates a plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "files.h"
#include "solve_certificate.h"
#include "solve_modes.h"

//===--- rows -------------------------------------------------------------===//

static gmem_status_t fail_id(gmem_diag_t *diag, const char *what,
                             const char *id) {
  return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT, "%s '%.100s'", what, id);
}

typedef struct row_s {
  const char *id;
  uint32_t buffer;
} row_t;

static int compare_rows(const void *left, const void *right) {
  const row_t *a = left, *b = right;
  int order = strcmp(a->id, b->id);
  return order ? order : (a->buffer > b->buffer) - (a->buffer < b->buffer);
}

// Returns the rows sorted by id, or NULL if out of memory. The caller frees
// them.
static row_t *sort_rows(const gmem_problem_t *problem) {
  uint32_t count = gmem_problem_buffer_count(problem);
  row_t *rows = malloc((count + (size_t)1) * sizeof *rows);
  if (!rows)
    return NULL;
  for (uint32_t i = 0; i < count; ++i)
    rows[i] = (row_t){gmem_problem_buffer(problem, i)->name, i};
  qsort(rows, count, sizeof *rows, compare_rows);
  return rows;
}

static gmem_status_t compare_row(const gmem_buffer_spec_t *a,
                                 const gmem_buffer_spec_t *b,
                                 gmem_diag_t *diag) {
  assert(a->range_count && b->range_count);
  if (a->ranges[0].begin != b->ranges[0].begin)
    return fail_id(diag, "lower differs from the problem in row", a->name);
  if (a->ranges[a->range_count - 1].end != b->ranges[b->range_count - 1].end)
    return fail_id(diag, "upper differs from the problem in row", a->name);
  if (a->size != b->size)
    return fail_id(diag, "size differs from the problem in row", a->name);
  return GMEM_OK;
}

// Whether the row before |index| has the same id.
static bool same_id(const row_t *rows, uint32_t index) {
  return index > 0 && strcmp(rows[index - 1].id, rows[index].id) == 0;
}

// Stores the offsets of |solution| in |plan|, in the order of the problem. Rows
// of equal id are matched in order.
static gmem_status_t match_rows(const gmem_problem_t *problem,
                                const gmem_problem_file_t *solution,
                                const row_t *expected, const row_t *actual,
                                gmem_placement_t *plan, gmem_diag_t *diag) {
  uint32_t expected_count = gmem_problem_buffer_count(problem);
  uint32_t actual_count = gmem_problem_buffer_count(solution->problem);
  uint32_t i = 0, k = 0;
  for (; i < expected_count || k < actual_count; ++i, ++k) {
    int order = i == expected_count ? 1
                : k == actual_count ? -1
                                    : strcmp(expected[i].id, actual[k].id);
    if (order < 0)
      return fail_id(diag,
                     same_id(expected, i) ? "too few rows with the id"
                                          : "missing row with the id",
                     expected[i].id);
    if (order > 0)
      return fail_id(diag,
                     same_id(actual, k)
                         ? "the problem has fewer rows with the id"
                         : "the problem has no row with the id",
                     actual[k].id);
    GMEM_TRY(compare_row(
        gmem_problem_buffer(problem, expected[i].buffer),
        gmem_problem_buffer(solution->problem, actual[k].buffer), diag));
    plan[expected[i].buffer] = solution->plan[actual[k].buffer];
  }
  assert(i == expected_count && k == actual_count);
  return GMEM_OK;
}

static gmem_status_t match(const gmem_problem_t *problem,
                           const gmem_problem_file_t *solution,
                           gmem_placement_t *plan, gmem_diag_t *diag) {
  row_t *expected = sort_rows(problem);
  row_t *actual = sort_rows(solution->problem);
  gmem_status_t status =
      expected && actual
          ? match_rows(problem, solution, expected, actual, plan, diag)
          : gmem_out_of_memory(diag);
  free(expected);
  free(actual);
  return status;
}

//===--- the plan ---------------------------------------------------------===//

static gmem_status_t prove(gmem_session_t *session,
                           const gmem_problem_t *problem,
                           const gmem_placement_t *plan) {
  gmem_diag_t *diag = &session->diag;
  gmem_plan_figures_t figures = {.peak = gmem_plan_peak(problem, plan)};
  GMEM_TRY(gmem_check(problem, plan, NULL, diag));
  GMEM_TRY(gmem_lower_bound(problem, &figures.lower_bound, diag));
  figures.optimal = figures.peak == figures.lower_bound;
  printf("ok: peak %" PRIu64 ", lower bound %" PRIu64, figures.peak,
         figures.lower_bound);
  if (gmem_problem_constraint_count(problem))
    printf(", penalty %" PRIu64, gmem_plan_penalty(problem, plan));
  putchar('\n');
  if (!session->command->certificate)
    return GMEM_OK;
  gmem_certificate_t certificate;
  gmem_status_t status =
      gmem_certificate_create(problem, plan, &figures, &certificate, diag);
  const char *path = session->command->certificate_path;
  if (status == GMEM_OK && path)
    session->path = !path || gmem_output_is_stdout(path) ? "<stdout>" : path;
  if (status == GMEM_OK)
    status = gmem_proof_write(&certificate, NULL, path, stdout, diag);
  gmem_certificate_free(&certificate);
  return status;
}

static gmem_status_t check(gmem_session_t *session,
                           const gmem_problem_t *problem,
                           const gmem_problem_file_t *solution) {
  gmem_diag_t *diag = &session->diag;
  if (!solution->plan) {
    gmem_fail(diag, GMEM_ERR_NOT_FOUND,
              solution->is_json ? "the file contains no plan"
                                : "missing column 'offset'");
    diag->line = !solution->is_json;
    return GMEM_ERR_NOT_FOUND;
  }
  gmem_placement_t *plan;
  GMEM_TRY(gmem_plan_create(problem, &plan, diag));
  gmem_status_t status = match(problem, solution, plan, diag);
  if (status == GMEM_OK)
    status = prove(session, problem, plan);
  gmem_plan_free(problem, plan);
  return status;
}

// Placements identify pools by index, so both files must list the same pools.
static gmem_status_t compare_pools(const gmem_problem_t *a,
                                   const gmem_problem_t *b, gmem_diag_t *diag) {
  uint32_t count = gmem_problem_pool_count(a);
  bool same = count == gmem_problem_pool_count(b);
  for (uint32_t i = 0; same && i < count; ++i)
    same = strcmp(gmem_problem_pool(a, i)->name,
                  gmem_problem_pool(b, i)->name) == 0;
  return same ? GMEM_OK
              : gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                          "the pools differ from those of the problem");
}

// |pools| are copies of those of the problem, which the solution names.
static gmem_status_t check_against(gmem_session_t *session,
                                   const gmem_problem_t *problem,
                                   const gmem_pool_list_t *pools,
                                   gmem_problem_file_t *solution) {
  gmem_diag_t *diag = &session->diag;
  GMEM_TRY(gmem_problem_file_read(solution, session->path, pools, true, diag));
  GMEM_TRY(compare_pools(problem, solution->problem, diag));
  return check(session, problem, solution);
}

gmem_status_t gmem_solve_check(gmem_session_t *session,
                               const gmem_problem_file_t *file) {
  uint32_t count = gmem_problem_pool_count(file->problem);
  gmem_pool_list_t pools = {.count = count, .is_default = true};
  gmem_problem_file_t solution = {0};
  session->path = session->command->solution;
  pools.specs = malloc((count + (size_t)1) * sizeof *pools.specs);
  if (!pools.specs)
    return gmem_out_of_memory(&session->diag);
  for (uint32_t i = 0; i < count; ++i)
    pools.specs[i] = *gmem_problem_pool(file->problem, i);
  gmem_status_t status =
      check_against(session, file->problem, &pools, &solution);
  gmem_problem_file_destroy(&solution);
  gmem_pool_list_free(&pools);
  return status;
}

gmem_status_t gmem_solve_check_alone(gmem_session_t *session,
                                     const gmem_problem_file_t *solution) {
  return check(session, solution->problem, solution);
}
