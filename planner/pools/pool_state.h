// pool_state.h - the state of planning several pools: the pool of each buffer;
// and the stages of the planning.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_POOL_STATE_H_
#define GMEM_PLANNER_POOL_STATE_H_

#include "offset_group.h"
#include "packing.h"
#include "search.h"

typedef struct gmem_pools_s {
  const gmem_problem_t *problem;
  gmem_search_t *search;
  gmem_diag_t *diag; // of all failures; may be NULL
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
                              uint64_t *offsets, uint64_t *out_peak);

// Packs the buffers of |pool| again, as gmem_run_engine does, and writes their
// placements to |plan| when they end within the pool and at most at |ceiling|
// (GMEM_UNLIMITED: any placement in the pool will do). Fails with
// OUT_OF_MEMORY; everything else only means that they do not fit.
gmem_status_t gmem_repack_pool(gmem_pools_t *pools, uint32_t pool,
                               uint32_t share, uint64_t ceiling,
                               gmem_placement_t *plan, bool *out_fits);

// Adds the buffers of size 0 to |plan| and, if it is valid, copies it to |to|.
// Fails with OUT_OF_MEMORY.
gmem_status_t gmem_take_plan(gmem_pools_t *pools, gmem_placement_t *plan,
                             gmem_placement_t *to, bool *out_valid);

// Finds the first item that ends above the limit of the pool.
gmem_status_t gmem_fail_over_limit(const gmem_packing_t *packing,
                                   const uint64_t *offsets, gmem_diag_t *diag);

// Whether some buffer of |problem| has several candidate pools.
bool gmem_pools_have_alternatives(const gmem_problem_t *problem);

//===--- stages, each in the file that is named ---------------------------===//

// pack_pools.c: assigns every buffer to a pool and packs every pool once, with
// the optional aliases in |chosen|. Sets |proved| of the search.
gmem_status_t gmem_pack_once(gmem_pools_t *pools);

// spill.c: of a packing that does not fit, selects the items that stay: places
// them, and sets offsets[item] = GMEM_NOT_FIXED for the others. Fails with
// OVER_BUDGET when items without another candidate do not fit, or with the
// status of the engine.
gmem_status_t gmem_choose_stay(gmem_pools_t *pools,
                               const gmem_packing_t *packing,
                               uint64_t *offsets);

// pool_search.c: searches for a plan with a higher benefit than that of |pools|
// (|has_plan|), or else for any plan. Sets *out_found when |plan| was improved;
// otherwise it is unchanged. Takes its share of the work limit. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_pool_search(gmem_pools_t *pools, bool has_plan,
                               bool *out_found);

// pool_search.c: searches for a plan with a higher benefit than that of
// gmem_pack_once, or for any plan if that failed (|status|). Returns |status|
// when there is none, GMEM_OK when there is, or OUT_OF_MEMORY.
gmem_status_t gmem_improve_pools(gmem_pools_t *pools, gmem_status_t status);

#endif // GMEM_PLANNER_POOL_STATE_H_
