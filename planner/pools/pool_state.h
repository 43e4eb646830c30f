// pool_state.h - the state of planning several pools: which buffer is in
// which.
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
  const bool *chosen;                 // by alias; NULL: no optional one is
  const gmem_offset_groups_t *groups; // with those of the chosen; NULL: none
  uint32_t *pool_of;                  // by buffer: where it is now
  uint32_t *candidate;    // by buffer: which of its candidates that is
  gmem_placement_t *plan; // by buffer
  uint32_t *visits;       // by pool: not 0 when it has to be packed (again)
  uint32_t share;   // how many times as many steps as a run may take are left
  bool is_quick;    // gmem_pool_search: a first look, without the engine
  uint64_t ceiling; // bytes: only a lower peak is of use; GMEM_UNLIMITED: any
  bool proved;      // no placement of the packings so far is lower
} gmem_pools_t;

// Whether an item has a candidate pool after the one it is in.
bool gmem_item_can_spill(const gmem_pools_t *pools,
                         const gmem_packing_t *packing, uint32_t item);

// The candidate pool of |buffer| after the one it is in; false when there is
// none.
bool gmem_next_pool(const gmem_pools_t *pools, uint32_t buffer,
                    uint32_t *out_pool);

// Runs the engine on |packing|; sets *out_peak. |share|: how many runs the
// steps that are left shall do for, about.
gmem_status_t gmem_run_engine(gmem_pools_t *pools,
                              const gmem_packing_t *packing, uint32_t share,
                              uint64_t *offsets, uint64_t *out_peak,
                              gmem_diag_t *diag);

// Names the first item that ends above the limit of the pool.
gmem_status_t gmem_fail_over_limit(const gmem_packing_t *packing,
                                   const uint64_t *offsets, gmem_diag_t *diag);

// Sets the next pool that may take |buffer|, from position *position of its
// candidates on, and that position. False if there is none.
bool gmem_pools_find_candidate(const gmem_pools_t *pools, uint32_t buffer,
                               uint32_t *position, uint32_t *out_pool);

// Whether some buffer of |problem| may go to more than one pool.
bool gmem_pools_have_alternatives(const gmem_problem_t *problem);

#endif // GMEM_PLANNER_POOL_STATE_H_
