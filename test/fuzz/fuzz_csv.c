// fuzz_csv.c - reads any bytes as CSV, of one pool and of three; what can be
// read is planned, checked, written and read again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fuzz/fuzz_csv_replay %S/corpus/fuzz_csv

#include "fuzz_text.h"

enum { MOST_BUFFERS = 64, MOST_BYTES = 1 << 16 };

static const gmem_pool_spec_t pools[] = {
    {.name = "fast", .capacity = 1000, .alignment = 8},
    {.name = "\"a,b\"", .capacity = 100000, .alignment = 1},
    {.name = "slow", .capacity = GMEM_UNLIMITED, .alignment = 1}};

static gmem_status_t read_csv(const char *text, size_t length,
                              size_t pool_count, gmem_problem_t **problem,
                              gmem_placement_t **plan) {
  const gmem_pool_spec_t *given = pool_count == 1 ? &pools[2] : pools;
  gmem_diag_t diag = {.status = GMEM_OK};
  gmem_status_t status = gmem_csv_read(text, length, given, pool_count, NULL,
                                       problem, plan, &diag);
  require(status == GMEM_OK || (diag.status == status && diag.line > 0));
  require((status == GMEM_OK) == (*problem != NULL));
  return status;
}

static void plan_with_all(const gmem_problem_t *problem) {
  gmem_placement_t plan[MOST_BUFFERS];
  gmem_plan_figures_t figures;
  for (size_t i = 0; i < gmem_algorithm_count(); ++i) {
    gmem_status_t status =
        gmem_solve(problem,
                   &(gmem_solve_options_t){.algorithm = gmem_algorithm_at(i),
                                           .step_limit = 1 << 14},
                   plan, &figures, NULL);
    require(status == GMEM_OK || status == GMEM_ERR_OVER_BUDGET ||
            status == GMEM_ERR_OVERLAP);
    require(status != GMEM_OK || figures.peak >= figures.lower_bound);
  }
}

static void write_and_read_again(const gmem_problem_t *problem,
                                 const gmem_placement_t *plan) {
  size_t pool_count = gmem_problem_pool_count(problem);
  text_t first = {NULL, 0, 0}, second = {NULL, 0, 0};
  gmem_problem_t *again = NULL;
  gmem_placement_t *plan_again = NULL;
  require(gmem_csv_write(problem, plan, GMEM_ALL_POOLS, append, &first, NULL) ==
          GMEM_OK);
  require(read_csv(first.bytes, first.length, pool_count, &again,
                   &plan_again) == GMEM_OK);
  require(gmem_csv_write(again, plan_again, GMEM_ALL_POOLS, append, &second,
                         NULL) == GMEM_OK);
  require(same_text(&first, &second));
  uint8_t digest[32], digest_again[32];
  require(gmem_problem_digest(problem, digest, NULL) == GMEM_OK &&
          gmem_problem_digest(again, digest_again, NULL) == GMEM_OK &&
          memcmp(digest, digest_again, 32) == 0);
  gmem_plan_free(again, plan_again);
  gmem_problem_destroy(again);
  free(first.bytes);
  free(second.bytes);
}

static void try_pools(const char *text, size_t size, size_t pool_count) {
  gmem_problem_t *problem = NULL;
  gmem_placement_t *plan = NULL;
  // Some texts can be read when nobody wants the plan.
  if (read_csv(text, size, pool_count, &problem, NULL) != GMEM_OK)
    return;
  gmem_problem_destroy(problem);
  if (read_csv(text, size, pool_count, &problem, &plan) != GMEM_OK)
    return;
  if (gmem_problem_buffer_count(problem) <= MOST_BUFFERS) {
    plan_with_all(problem);
    // Any offsets: the checker must cope with them.
    if (plan && gmem_check(problem, plan, NULL, NULL) == GMEM_OK)
      (void)gmem_plan_pool_size(problem, plan, 0);
    write_and_read_again(problem, plan);
  }
  gmem_plan_free(problem, plan);
  gmem_problem_destroy(problem);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > MOST_BYTES)
    return 0;
  try_pools((const char *)data, size, 1);
  try_pools((const char *)data, size, sizeof pools / sizeof *pools);
  return 0;
}
