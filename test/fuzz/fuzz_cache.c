// fuzz_cache.c - takes any bytes for a plan cache: what is found holds, and
// after an addition the plan is there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fuzz/fuzz_cache_replay %S/corpus/fuzz_cache

#include "fuzz_text.h"

static gmem_problem_t *two_buffers(void) {
  gmem_problem_t *problem = NULL;
  gmem_pool_spec_t pool = {
      .name = "p", .capacity = GMEM_UNLIMITED, .alignment = 1};
  gmem_live_range_t ranges[] = {{0, 2}, {2, 5}};
  uint64_t sizes[] = {100, 50};
  uint32_t index;
  require(gmem_problem_create(NULL, &problem, NULL) == GMEM_OK &&
          gmem_problem_add_pool(problem, &pool, &index, NULL) == GMEM_OK);
  for (int i = 0; i < 2; ++i) {
    gmem_buffer_spec_t spec = {.size = sizes[i],
                               .alignment = 4,
                               .ranges = &ranges[i],
                               .range_count = 1};
    require(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
  }
  return problem;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *bytes = (const char *)data;
  gmem_problem_t *problem = two_buffers();
  gmem_placement_t found[2], plan[] = {{0, 0}, {0, 0}};
  gmem_cached_plan_t about, best = {.algorithm = "fuzz"};
  gmem_diag_t diag = {.status = GMEM_OK};
  gmem_status_t status =
      gmem_plan_cache_find(problem, bytes, size, found, &about, &diag);
  if (status == GMEM_OK)
    require(gmem_check(problem, found, NULL, NULL) == GMEM_OK);
  else
    require(diag.status == status &&
            (status == GMEM_ERR_NOT_FOUND || status == GMEM_ERR_CORRUPT));
  text_t once = {NULL, 0, 0}, twice = {NULL, 0, 0};
  require(gmem_plan_cache_add(problem, plan, &best, bytes, size, append, &once,
                              NULL) == GMEM_OK);
  require(gmem_plan_cache_find(problem, once.bytes, once.length, found, &about,
                               NULL) == GMEM_OK &&
          about.figures.peak == 100);
  require(gmem_plan_cache_add(problem, plan, &best, once.bytes, once.length,
                              append, &twice, NULL) == GMEM_OK);
  require(same_text(&once, &twice));
  free(once.bytes);
  free(twice.bytes);
  gmem_problem_destroy(problem);
  return 0;
}
