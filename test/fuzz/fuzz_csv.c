// fuzz_csv.c - reads any bytes as CSV; what can be read is planned, checked,
// written and read again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fuzz/fuzz_csv_replay %S/corpus/fuzz_csv

#include <stdlib.h>
#include <string.h>

#include "gmem/planner.h"

enum { MOST_BUFFERS = 200, MOST_BYTES = 1 << 16 };

typedef struct text_s {
  char *bytes;
  size_t length;
} text_t;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
  if (!condition)
    abort();
}

static gmem_status_t append(void *user, const char *bytes, size_t length) {
  text_t *text = user;
  char *grown = realloc(text->bytes, text->length + length);
  if (!grown)
    return GMEM_ERR_OUT_OF_MEMORY;
  memcpy(grown + text->length, bytes, length);
  text->bytes = grown;
  text->length += length;
  return GMEM_OK;
}

static gmem_status_t read_csv(const char *text, size_t length,
                              gmem_problem_t **problem,
                              gmem_placement_t **plan) {
  gmem_pool_spec_t pool = {
      .name = "memory", .capacity = GMEM_UNLIMITED, .alignment = 1};
  gmem_diag_t diag = {.status = GMEM_OK};
  gmem_status_t status =
      gmem_csv_read(text, length, &pool, 1, NULL, problem, plan, &diag);
  require(status == GMEM_OK || (diag.status == status && diag.line > 0));
  require((status == GMEM_OK) == (*problem != NULL));
  return status;
}

static void plan_with_all(const gmem_problem_t *problem) {
  gmem_placement_t plan[MOST_BUFFERS];
  gmem_plan_figures_t figures;
  for (size_t i = 0; i < gmem_algorithm_count(); ++i) {
    gmem_status_t status = gmem_solve(
        problem, &(gmem_solve_options_t){.algorithm = gmem_algorithm_at(i)},
        plan, &figures, NULL);
    require(status == GMEM_OK || status == GMEM_ERR_OVER_BUDGET);
    require(status != GMEM_OK || figures.peak >= figures.lower_bound);
  }
}

static void write_and_read_again(const gmem_problem_t *problem,
                                 const gmem_placement_t *plan) {
  text_t first = {NULL, 0}, second = {NULL, 0};
  gmem_problem_t *again = NULL;
  gmem_placement_t *plan_again = NULL;
  require(gmem_csv_write(problem, plan, 0, append, &first, NULL) == GMEM_OK);
  require(read_csv(first.bytes, first.length, &again, &plan_again) == GMEM_OK);
  require(gmem_csv_write(again, plan_again, 0, append, &second, NULL) ==
          GMEM_OK);
  require(first.length == second.length &&
          memcmp(first.bytes, second.bytes, first.length) == 0);
  gmem_plan_free(again, plan_again);
  gmem_problem_destroy(again);
  free(first.bytes);
  free(second.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  gmem_problem_t *problem = NULL;
  gmem_placement_t *plan = NULL;
  if (size > MOST_BYTES ||
      read_csv((const char *)data, size, &problem, &plan) != GMEM_OK)
    return 0;
  if (gmem_problem_buffer_count(problem) <= MOST_BUFFERS) {
    plan_with_all(problem);
    // Any offsets: the checker must cope with them.
    if (plan && gmem_check(problem, plan, NULL, NULL) == GMEM_OK)
      (void)gmem_plan_pool_size(problem, plan, 0);
    write_and_read_again(problem, plan);
  }
  gmem_plan_free(problem, plan);
  gmem_problem_destroy(problem);
  return 0;
}
