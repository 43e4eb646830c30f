// solve_check.c - gmem-solve --check: validates a plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "solve_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "problem_file.h"
#include "solve_certificate.h"
#include "solve_certificate_text.h"
#include "solve_messages.h"

static int report_id(const char *path, const char *what, const char *id) {
  char text[200];
  snprintf(text, sizeof text, "%s '%.100s'", what, id);
  return gmem_complain_text(path, text);
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

static int compare_row(const gmem_problem_file_t *problem,
                       const gmem_problem_file_t *solution,
                       const row_t *expected, const row_t *actual) {
  const gmem_buffer_spec_t *a =
      gmem_problem_buffer(problem->problem, expected->buffer);
  const gmem_buffer_spec_t *b =
      gmem_problem_buffer(solution->problem, actual->buffer);
  if (a->ranges[0].begin != b->ranges[0].begin)
    return report_id(solution->path, "lower differs from the problem in row",
                     a->name);
  if (a->ranges[a->range_count - 1].end != b->ranges[b->range_count - 1].end)
    return report_id(solution->path, "upper differs from the problem in row",
                     a->name);
  if (a->size != b->size)
    return report_id(solution->path, "size differs from the problem in row",
                     a->name);
  return EXIT_SUCCESS;
}

// Whether the row before |index| has the same id.
static bool same_id(const row_t *rows, uint32_t index) {
  return index > 0 && strcmp(rows[index - 1].id, rows[index].id) == 0;
}

// Stores the offsets of |solution| in |plan|, in the order of the problem. Rows
// of equal id are matched in order.
static int match_rows(const gmem_problem_file_t *problem,
                      const gmem_problem_file_t *solution,
                      const row_t *expected, const row_t *actual,
                      gmem_placement_t *plan) {
  uint32_t expected_count = gmem_problem_buffer_count(problem->problem);
  uint32_t actual_count = gmem_problem_buffer_count(solution->problem);
  uint32_t i = 0, k = 0;
  while (i < expected_count || k < actual_count) {
    int order = i == expected_count ? 1
                : k == actual_count ? -1
                                    : strcmp(expected[i].id, actual[k].id);
    if (order < 0)
      return report_id(solution->path,
                       same_id(expected, i) ? "too few rows with the id"
                                            : "missing row with the id",
                       expected[i].id);
    if (order > 0)
      return report_id(solution->path,
                       same_id(actual, k)
                           ? "the problem has fewer rows with the id"
                           : "the problem has no row with the id",
                       actual[k].id);
    if (compare_row(problem, solution, &expected[i], &actual[k]) !=
        EXIT_SUCCESS)
      return GMEM_EXIT_PROBLEM;
    plan[expected[i++].buffer] = solution->plan[actual[k++].buffer];
  }
  return EXIT_SUCCESS;
}

static int match(const gmem_problem_file_t *problem,
                 const gmem_problem_file_t *solution, gmem_placement_t *plan) {
  row_t *expected = sort_rows(problem->problem);
  row_t *actual = sort_rows(solution->problem);
  int result = EXIT_SUCCESS;
  if (!expected || !actual)
    result = gmem_complain_memory(solution->path);
  if (result == EXIT_SUCCESS)
    result = match_rows(problem, solution, expected, actual, plan);
  free(expected);
  free(actual);
  return result;
}

static int certify(const gmem_solve_command_t *command,
                   const gmem_problem_file_t *problem,
                   const gmem_placement_t *plan,
                   const gmem_plan_figures_t *figures) {
  gmem_certificate_t certificate;
  gmem_diag_t diag = {0};
  int result = gmem_certificate_create(problem->problem, plan, figures,
                                       &certificate, &diag) == GMEM_OK
                   ? gmem_certificate_write(&certificate,
                                            command->certificate_path, stdout)
                   : gmem_complain(problem->path, &diag);
  gmem_certificate_free(&certificate);
  return result;
}

static int prove(const gmem_solve_command_t *command,
                 const gmem_problem_file_t *problem,
                 const gmem_problem_file_t *solution,
                 const gmem_placement_t *plan) {
  gmem_diag_t diag = {0};
  gmem_plan_figures_t figures = {.peak =
                                     gmem_plan_peak(problem->problem, plan)};
  if (gmem_check(problem->problem, plan, NULL, &diag) != GMEM_OK ||
      gmem_lower_bound(problem->problem, &figures.lower_bound, &diag) !=
          GMEM_OK)
    return gmem_complain(solution->path, &diag);
  figures.optimal = figures.peak == figures.lower_bound;
  printf("ok: peak %" PRIu64 ", lower bound %" PRIu64 "\n", figures.peak,
         figures.lower_bound);
  return command->certificate ? certify(command, problem, plan, &figures)
                              : EXIT_SUCCESS;
}

static int check_tables(const gmem_solve_command_t *command,
                        const gmem_problem_file_t *problem,
                        const gmem_problem_file_t *solution) {
  if (!solution->plan && solution->is_json)
    return gmem_complain_text(solution->path, "the file contains no plan");
  if (!solution->plan)
    return gmem_complain(
        solution->path,
        &(gmem_diag_t){.line = 1, .text = "missing column 'offset'"});
  size_t count = gmem_problem_buffer_count(problem->problem);
  gmem_placement_t *plan = calloc(count + 1, sizeof *plan);
  if (!plan)
    return gmem_complain_memory(solution->path);
  int result = match(problem, solution, plan);
  if (result == EXIT_SUCCESS)
    result = prove(command, problem, solution, plan);
  free(plan);
  return result;
}

// Copies the pools of a problem, for reading a solution that names them.
static int list_pools(const gmem_problem_file_t *problem,
                      gmem_pool_list_t *out_pools) {
  uint32_t count = gmem_problem_pool_count(problem->problem);
  *out_pools = (gmem_pool_list_t){.count = count, .is_default = true};
  out_pools->specs = malloc((count + (size_t)1) * sizeof *out_pools->specs);
  if (!out_pools->specs)
    return gmem_complain_memory(problem->path);
  for (uint32_t i = 0; i < count; ++i)
    out_pools->specs[i] = *gmem_problem_pool(problem->problem, i);
  return EXIT_SUCCESS;
}

// Placements identify pools by index, so both files must list the same pools.
static int compare_pools(const gmem_problem_file_t *problem,
                         const gmem_problem_file_t *solution) {
  uint32_t count = gmem_problem_pool_count(problem->problem);
  bool same = count == gmem_problem_pool_count(solution->problem);
  for (uint32_t i = 0; same && i < count; ++i)
    same = strcmp(gmem_problem_pool(problem->problem, i)->name,
                  gmem_problem_pool(solution->problem, i)->name) == 0;
  return same
             ? EXIT_SUCCESS
             : gmem_complain_text(solution->path,
                                  "the pools differ from those of the problem");
}

// Checks the solution against its own columns.
static int check_alone(const gmem_solve_command_t *command) {
  gmem_problem_file_t solution;
  gmem_diag_t diag = {0};
  int result = gmem_problem_file_read(&solution, command->solution,
                                      &command->pools, true, &diag) == GMEM_OK
                   ? check_tables(command, &solution, &solution)
                   : gmem_complain(command->solution, &diag);
  gmem_problem_file_destroy(&solution);
  return result;
}

static int check_against(const gmem_solve_command_t *command,
                         const gmem_problem_file_t *problem) {
  gmem_pool_list_t pools;
  gmem_problem_file_t solution = {0};
  gmem_diag_t diag = {0};
  int result = list_pools(problem, &pools);
  if (result == EXIT_SUCCESS &&
      gmem_problem_file_read(&solution, command->solution, &pools, true,
                             &diag) != GMEM_OK)
    result = gmem_complain(command->solution, &diag);
  if (result == EXIT_SUCCESS)
    result = compare_pools(problem, &solution);
  if (result == EXIT_SUCCESS)
    result = check_tables(command, problem, &solution);
  gmem_problem_file_destroy(&solution);
  gmem_pool_list_free(&pools);
  return result;
}

int gmem_solve_check(const gmem_solve_command_t *command) {
  gmem_problem_file_t problem;
  gmem_diag_t diag = {0};
  if (!command->path_given)
    return check_alone(command);
  const char *path = command->paths[0];
  int result = gmem_problem_file_read(&problem, path, &command->pools, false,
                                      &diag) == GMEM_OK
                   ? check_against(command, &problem)
                   : gmem_complain(path, &diag);
  gmem_problem_file_destroy(&problem);
  return result;
}
