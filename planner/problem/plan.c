// plan.c - plans: allocation, pool sizes, peak.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "planner_internal.h"
#include "planner_memory.h"
#include "problem_store.h"

uint64_t gmem_plan_pool_size(const gmem_problem_t *problem,
                             const gmem_placement_t *plan, uint32_t pool) {
  uint64_t size = 0;
  uint32_t count = gmem_problem_buffer_count(problem);
  for (uint32_t i = 0; i < count; ++i) {
    if (plan[i].pool != pool)
      continue;
    uint64_t end;
    if (!gmem_add_bytes(plan[i].offset, gmem_problem_buffer(problem, i)->size,
                        &end))
      return UINT64_MAX; // a plan that passed gmem_check has no such offset
    size = end > size ? end : size;
  }
  return size;
}

uint64_t gmem_plan_peak(const gmem_problem_t *problem,
                        const gmem_placement_t *plan) {
  uint64_t peak = 0;
  for (uint32_t i = 0; i < gmem_problem_pool_count(problem); ++i) {
    uint64_t size = gmem_plan_pool_size(problem, plan, i);
    peak = size > UINT64_MAX - peak ? UINT64_MAX : peak + size;
  }
  return peak;
}

gmem_status_t gmem_plan_create(const gmem_problem_t *problem,
                               gmem_placement_t **out_plan, gmem_diag_t *diag) {
  GMEM_PLANNER_NEED(problem && out_plan, diag);
  size_t count = gmem_problem_buffer_count(problem);
  *out_plan = gmem_planner_alloc(gmem_problem_allocator(problem), count,
                                 sizeof **out_plan);
  if (!*out_plan)
    return gmem_planner_out_of_memory(diag);
  for (size_t i = 0; i < count; ++i)
    (*out_plan)[i] = (gmem_placement_t){0, 0};
  return GMEM_OK;
}

void gmem_plan_free(const gmem_problem_t *problem, gmem_placement_t *plan) {
  if (!problem)
    return;
  gmem_planner_free(gmem_problem_allocator(problem), plan,
                    gmem_problem_buffer_count(problem), sizeof *plan);
}
