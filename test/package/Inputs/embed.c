// embed.c - uses the planner and the runtime as a stranger would.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <inttypes.h>
#include <stdio.h>

#include "gmem/planner.h"
#include "gmem/runtime.h"

static gmem_status_t add(gmem_problem_t *problem, const char *name,
                         uint64_t size, int64_t begin, gmem_diag_t *diag) {
  uint32_t id;
  gmem_live_range_t range = {begin, begin + 2};
  gmem_buffer_spec_t spec = {.name = name,
                             .size = size,
                             .alignment = 1,
                             .ranges = &range,
                             .range_count = 1};
  return gmem_problem_add_buffer(problem, &spec, &id, diag);
}

int main(void) {
  gmem_problem_t *problem = NULL;
  gmem_diag_t diag;
  gmem_pool_spec_t pool = {
      .name = "ddr", .capacity = GMEM_UNLIMITED, .alignment = 1};
  uint32_t ddr;
  gmem_placement_t plan[3];
  gmem_plan_figures_t figures;
  if (gmem_version() == 0 ||
      gmem_problem_create(NULL, &problem, &diag) != GMEM_OK ||
      gmem_problem_add_pool(problem, &pool, &ddr, &diag) != GMEM_OK ||
      add(problem, "a", 64, 0, &diag) != GMEM_OK ||
      add(problem, "b", 32, 1, &diag) != GMEM_OK ||
      add(problem, "c", 64, 2, &diag) != GMEM_OK ||
      gmem_solve(problem,
                 &(gmem_solve_options_t){
                     .algorithm = gmem_algorithm_find("greedy-by-size")},
                 plan, &figures, &diag) != GMEM_OK) {
    fprintf(stderr, "%s\n", diag.text);
    return 1;
  }
  printf("a at %" PRIu64 ", b at %" PRIu64 ", c at %" PRIu64 ": %" PRIu64
         " bytes\n",
         plan[0].offset, plan[1].offset, plan[2].offset, figures.peak);
  gmem_problem_destroy(problem);
  return 0;
}
