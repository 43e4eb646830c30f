// pool_state.h - the state of planning several pools: the pool of each buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_POOL_STATE_H_
#define GMEM_PLANNER_POOL_STATE_H_

#include "offset_group.h"
#include "packing.h"
#include "search.h"

typedef struct gmem_pools_s {
  const gmem_problem_t *problem;
  const gmem_allocator_t *allocator;
  gmem_search_t *search;
  const gmem_engine_t *engine;
  const bool *chosen; // by alias; NULL: no optional alias is used
  const gmem_offset_groups_t
      *groups;            // including the chosen aliases; NULL: none
  uint32_t *pool_of;      // by buffer: its current pool
  uint32_t *candidate;    // by buffer: the index of that pool in its candidates
  gmem_placement_t *plan; // by buffer
  uint32_t *visits;       // by pool: nonzero when it has to be packed (again)
  uint32_t share;         // a run may use 1 / share of the remaining work
  bool is_quick;          // gmem_pool_search: without the engine
  uint64_t ceiling;       // bytes: only plans with a lower peak are useful;
                          // GMEM_UNLIMITED: all are
  bool proved; // no placement of the packings so far has a lower peak
} gmem_pools_t;

// Whether an item has a candidate pool after its current one.
bool gmem_item_can_spill(const gmem_pools_t *pools,
                         const gmem_packing_t *packing, uint32_t item);

// The candidate pool of |buffer| after its current one; false when there is
// none.
bool gmem_next_pool(const gmem_pools_t *pools, uint32_t buffer,
                    uint32_t *out_pool);

// Runs the engine on |packing|; sets *out_peak. |share|: the number of runs,
// approximately, that the remaining work is divided among.
gmem_status_t gmem_run_engine(gmem_pools_t *pools,
                              const gmem_packing_t *packing, uint32_t share,
                              uint64_t *offsets, uint64_t *out_peak,
                              gmem_diag_t *diag);

// Finds the first item that ends above the limit of the pool.
gmem_status_t gmem_fail_over_limit(const gmem_packing_t *packing,
                                   const uint64_t *offsets, gmem_diag_t *diag);

// Whether some buffer of |problem| has several candidate pools.
bool gmem_pools_have_alternatives(const gmem_problem_t *problem);

#endif // GMEM_PLANNER_POOL_STATE_H_
