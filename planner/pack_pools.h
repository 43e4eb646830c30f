// pack_pools.h - the buffers on their way to their pools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_PACK_POOLS_H_
#define GMEM_PLANNER_PACK_POOLS_H_

#include "packing.h"
#include "search.h"
#include "ties.h"

typedef struct gmem_pools_s {
  const gmem_problem_t *problem;
  const gmem_allocator_t *allocator;
  gmem_search_t *search;
  const gmem_engine_t *engine;
  const bool *chosen;      // by alias; NULL: no optional one is
  const gmem_ties_t *ties; // with those of the chosen; NULL: none
  uint32_t *pool_of;       // by buffer: where it is now
  uint32_t *candidate;     // by buffer: which of its candidates that is
  gmem_placement_t *plan;  // by buffer
  uint32_t *visits;        // by pool: not 0 when it has to be packed (again)
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

// spill.c: of a packing that does not fit, decides which items stay: places
// them, and sets offsets[item] = GMEM_NOT_FIXED for those that leave.
// Fails with OVER_BUDGET when those that cannot leave do not fit, or with what
// the engine returns.
gmem_status_t gmem_choose_stay(gmem_pools_t *pools,
                               const gmem_packing_t *packing, uint64_t *offsets,
                               gmem_diag_t *diag);

// Decides the pool of every buffer and packs every pool once, with the aliases
// in |chosen|. Sets |proved| of the search.
gmem_status_t gmem_pack_once(gmem_pools_t *pools, gmem_diag_t *diag);

// Of a plan that gmem_pack_once made, or could not make (|status|), one whose
// places are worth more, or any. Returns |status| when there is none, GMEM_OK
// when there is, or OUT_OF_MEMORY.
gmem_status_t gmem_improve_pools(gmem_pools_t *pools, gmem_status_t status,
                                 gmem_diag_t *diag);

// alias_search.c: the same with the best choice of optional aliases that it
// finds. Leaves |chosen| and |ties| as they were.
gmem_status_t gmem_pack_with_choices(gmem_pools_t *pools, gmem_diag_t *diag);

#endif // GMEM_PLANNER_PACK_POOLS_H_
