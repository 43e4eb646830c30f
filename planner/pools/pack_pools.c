// pack_pools.c - assigns buffers to pools and runs an engine on every pool.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// All buffers start in their first candidate. Pools are packed one after the
// other, lowest index first. A buffer that does not fit moves to its next
// candidate, whose pool is then packed (again). A buffer never returns to a
// pool it has left, so this terminates.

#include "pool_state.h"

#include <string.h>

#include "empty_buffers.h"
#include "full_pool.h"
#include "offset_groups.h"
#include "packing_query.h"
#include "problem_store.h"

//===--- items ------------------------------------------------------------===//

static void move_on(gmem_pools_t *pools, const gmem_packing_t *packing,
                    uint32_t item) {
  uint32_t pool = packing->pool, last = gmem_members_end(packing, item);
  for (uint32_t i = packing->items[item].member; i < last; ++i) {
    uint32_t buffer = packing->members[i].buffer;
    ++pools->candidate[buffer];
    gmem_group_candidate(pools->groups, pools->problem, buffer,
                         &pools->candidate[buffer], &pool);
    pools->pool_of[buffer] = pool;
    pools->visits[pool] = 1;
  }
}

//===--- over budget ------------------------------------------------------===//

static gmem_status_t check_fixed(const gmem_pools_t *pools) {
  const gmem_problem_t *problem = pools->problem;
  if (!gmem_problem_traits(problem).has_fixed)
    return GMEM_OK;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, i);
    if (!spec->has_fixed_offset)
      continue;
    uint64_t limit =
        gmem_pool_limit(gmem_problem_pool(problem, spec->pools[0]));
    if (spec->fixed_offset > limit || spec->size > limit - spec->fixed_offset)
      return gmem_fail_full_pool(problem, i, spec->pools[0], pools->diag);
  }
  return GMEM_OK;
}

//===--- one pool ---------------------------------------------------------===//

static void write_items(gmem_pools_t *pools, const gmem_packing_t *packing,
                        const uint64_t *offsets) {
  gmem_packing_write(packing, offsets, pools->plan);
  for (uint32_t i = 0; i < packing->count; ++i)
    if (offsets[i] == GMEM_NOT_FIXED)
      move_on(pools, packing, i);
}

static bool anything_can_spill(const gmem_pools_t *pools,
                               const gmem_packing_t *packing) {
  if (!gmem_problem_traits(pools->problem).has_moves)
    return false;
  for (uint32_t i = 0; i < packing->count; ++i)
    if (gmem_item_can_spill(pools, packing, i))
      return true;
  return false;
}

static gmem_status_t place_items(gmem_pools_t *pools,
                                 const gmem_packing_t *packing,
                                 uint64_t *offsets) {
  uint64_t peak = GMEM_UNLIMITED;
  bool can_spill = anything_can_spill(pools, packing);
  if (packing->bound <= packing->limit || !can_spill) {
    gmem_status_t status =
        gmem_run_engine(pools, packing, can_spill ? 2 : 1, offsets, &peak);
    if (status != GMEM_ERR_OVER_BUDGET || !can_spill)
      GMEM_TRY(status);
    if (status == GMEM_OK && peak <= packing->limit)
      return GMEM_OK;
  }
  if (!can_spill)
    return gmem_fail_over_limit(packing, offsets, pools->diag);
  return gmem_choose_stay(pools, packing, offsets);
}

// Moves |misfit| and its offset group to their next pool; false when there is
// none.
static bool move_group_on(gmem_pools_t *pools, uint32_t misfit) {
  uint32_t root = gmem_offset_groups_root(pools->groups, misfit, NULL);
  uint32_t position = pools->candidate[misfit] + 1, pool;
  if (!gmem_group_candidate(pools->groups, pools->problem, misfit, &position,
                            &pool))
    return false;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(pools->problem); ++i) {
    if (gmem_offset_groups_root(pools->groups, i, NULL) != root)
      continue;
    pools->candidate[i] = position;
    pools->pool_of[i] = pool;
  }
  pools->visits[pool] = 1;
  return true;
}

static gmem_status_t pack_into(gmem_pools_t *pools, uint32_t pool,
                               gmem_packing_t *packing) {
  uint64_t *offsets;
  GMEM_TRY(gmem_packing_create(pools->problem, pool, pools->pool_of,
                               pools->chosen, pools->groups, packing,
                               pools->diag));
  if (pools->search->takes_bound)
    pools->search->lower_bound = packing->bound;
  if (pools->ceiling != GMEM_UNLIMITED && packing->bound >= pools->ceiling)
    return gmem_planner_fail(pools->diag, GMEM_ERR_OVER_BUDGET, GMEM_NO_BUFFER,
                             "the lower bound reaches the best known peak");
  if (packing->count == 0)
    return GMEM_OK;
  GMEM_TRY_NEW(offsets, &packing->memory, packing->count);
  GMEM_TRY(place_items(pools, packing, offsets));
  write_items(pools, packing, offsets);
  return GMEM_OK;
}

// Packs all buffers assigned to |pool|; misaligned ones move on.
static gmem_status_t pack_pool(gmem_pools_t *pools, uint32_t pool) {
  gmem_packing_t packing;
  gmem_status_t status;
  do {
    status = pack_into(pools, pool, &packing);
    gmem_packing_destroy(&packing);
  } while (status == GMEM_ERR_INVALID_ARGUMENT &&
           packing.misfit != GMEM_NO_BUFFER &&
           move_group_on(pools, packing.misfit));
  return status;
}

//===--- all pools --------------------------------------------------------===//

static gmem_status_t pack_all(gmem_pools_t *pools) {
  uint32_t count = gmem_problem_pool_count(pools->problem);
  for (uint32_t pool = 0; pool < count;) {
    if (!pools->visits[pool]) {
      ++pool;
      continue;
    }
    pools->visits[pool] = 0;
    GMEM_TRY(pack_pool(pools, pool));
    pool = 0; // an earlier pool may have to be repacked
  }
  return GMEM_OK;
}

static void start_in_first_pools(gmem_pools_t *pools) {
  uint32_t pool_count = gmem_problem_pool_count(pools->problem);
  uint32_t count = gmem_problem_buffer_count(pools->problem);
  for (uint32_t i = 0; i < pool_count; ++i)
    pools->visits[i] = 1;
  memset(pools->candidate, 0, count * sizeof *pools->candidate);
  memset(pools->pool_of, 0, count * sizeof *pools->pool_of);
  for (uint32_t i = 0; pool_count > 1 && i < count; ++i)
    gmem_group_candidate(pools->groups, pools->problem, i, &pools->candidate[i],
                         &pools->pool_of[i]);
}

gmem_status_t gmem_pack_once(gmem_pools_t *pools) {
  start_in_first_pools(pools);
  pools->proved = true;
  GMEM_TRY(check_fixed(pools));
  GMEM_TRY(pack_all(pools));
  GMEM_TRY(gmem_place_empty(pools->problem, pools->plan, pools->diag));
  pools->search->proved =
      pools->proved && !gmem_pools_have_alternatives(pools->problem);
  return GMEM_OK;
}
