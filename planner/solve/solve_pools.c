// solve_pools.c - plans all pools of a problem with one algorithm.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "solve_pools.h"

#include "alias_search.h"
#include "improve_pools.h"
#include "pack_pools.h"
#include "planner_memory.h"
#include "problem_store.h"
#include "search.h"

static bool has_optional(const gmem_problem_t *problem) {
  for (size_t i = 0; i < gmem_problem_alias_count(problem); ++i)
    if (gmem_problem_alias(problem, i)->is_optional)
      return true;
  return false;
}

gmem_status_t gmem_pack_pools(const gmem_problem_t *problem,
                              gmem_search_t *search, gmem_placement_t *plan,
                              void *engine, gmem_diag_t *diag) {
  uint32_t buffers = gmem_problem_buffer_count(problem);
  uint32_t count = gmem_problem_pool_count(problem);
  const gmem_allocator_t *allocator = gmem_problem_allocator(problem);
  gmem_pools_t pools = {
      .problem = problem,
      .allocator = allocator,
      .search = search,
      .engine = engine,
      .plan = plan,
      .groups = gmem_problem_offset_groups(problem),
      .share = 1,
      .ceiling = GMEM_UNLIMITED,
      .pool_of = gmem_planner_alloc(allocator, buffers, sizeof(uint32_t)),
      .candidate = gmem_planner_alloc(allocator, buffers, sizeof(uint32_t)),
      .visits = gmem_planner_alloc(allocator, count, sizeof(uint32_t)),
  };
  gmem_status_t status = GMEM_OK;
  search->is_partial = count > 1 || has_optional(problem);
  if (!pools.pool_of || !pools.candidate || !pools.visits)
    status = gmem_planner_out_of_memory(diag);
  else if (has_optional(problem))
    status = gmem_pack_with_choices(&pools, diag);
  else
    status = gmem_improve_pools(&pools, gmem_pack_once(&pools, diag), diag);
  gmem_planner_free(allocator, pools.pool_of, buffers, sizeof(uint32_t));
  gmem_planner_free(allocator, pools.candidate, buffers, sizeof(uint32_t));
  gmem_planner_free(allocator, pools.visits, count, sizeof(uint32_t));
  return status;
}
