// pack_pools.h - the buffers on their way to their pools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_PACK_POOLS_H_
#define GMEM_PLANNER_PACK_POOLS_H_

#include "packing.h"
#include "search.h"

typedef struct gmem_pools_s {
  const gmem_problem_t *problem;
  const gmem_allocator_t *allocator;
  gmem_search_t *search;
  const gmem_engine_t *engine;
  const bool *chosen;     // by alias; NULL: no optional one is
  uint32_t *pool_of;      // by buffer: where it is now
  uint32_t *candidate;    // by buffer: which of its candidates that is
  gmem_placement_t *plan; // by buffer
  uint32_t *visits;       // by pool: how often it has to be packed still
  uint32_t runs;          // of the engine
  bool proved;            // no placement of the packings so far is lower
  bool spilled;           // some buffer is not in its first candidate
} gmem_pools_t;

// The candidate pools of an item, best first.
const uint32_t *gmem_item_candidates(const gmem_pools_t *pools,
                                     const gmem_packing_t *packing,
                                     uint32_t item, size_t *out_count);

// Whether an item has a candidate pool after the one it is in.
bool gmem_item_can_spill(const gmem_pools_t *pools,
                         const gmem_packing_t *packing, uint32_t item);

// Runs the engine on |packing|; sets *out_peak. |share|: how many runs the
// steps that are left shall do for, about.
gmem_status_t gmem_run_engine(gmem_pools_t *pools,
                              const gmem_packing_t *packing, uint32_t share,
                              uint64_t *offsets, uint64_t *out_peak,
                              gmem_diag_t *diag);

// Names the first item that ends above the limit of the pool.
gmem_status_t gmem_fail_over_limit(const gmem_packing_t *packing,
                                   const uint64_t *offsets, gmem_diag_t *diag);

// spill.c: of a packing that does not fit, decides which items stay: places
// them, and sets offsets[item] = GMEM_NOT_FIXED for those that leave.
// Fails with OVER_BUDGET when those that cannot leave do not fit, or with what
// the engine returns.
gmem_status_t gmem_choose_stay(gmem_pools_t *pools,
                               const gmem_packing_t *packing, uint64_t *offsets,
                               gmem_diag_t *diag);

#endif // GMEM_PLANNER_PACK_POOLS_H_
