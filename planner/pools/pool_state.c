// pool_state.c - the state of planning several pools: the pool of each buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool_state.h"

#include <assert.h>

#include "check_places.h"
#include "empty_buffers.h"
#include "full_pool.h"
#include "offset_groups.h"
#include "packing_query.h"
#include "problem_store.h"

bool gmem_next_pool(const gmem_pools_t *pools, uint32_t buffer,
                    uint32_t *out_pool) {
  uint32_t position = pools->candidate[buffer] + 1;
  return gmem_group_candidate(pools->groups, pools->problem, buffer, &position,
                              out_pool);
}

bool gmem_item_can_spill(const gmem_pools_t *pools,
                         const gmem_packing_t *packing, uint32_t item) {
  uint32_t pool;
  return gmem_next_pool(
      pools, packing->members[packing->items[item].member].buffer, &pool);
}

// The member of |item| with the highest end.
static uint32_t last_member(const gmem_packing_t *packing, uint32_t item) {
  uint32_t first = packing->items[item].member, found = first;
  uint64_t highest = 0;
  for (uint32_t i = first; i < gmem_members_end(packing, item); ++i) {
    const gmem_member_t *member = &packing->members[i];
    uint64_t end = member->offset +
                   gmem_problem_buffer(packing->problem, member->buffer)->size;
    if (end > highest) {
      highest = end;
      found = i;
    }
  }
  return packing->members[found].buffer;
}

gmem_status_t gmem_fail_over_limit(const gmem_packing_t *packing,
                                   const uint64_t *offsets, gmem_diag_t *diag) {
  uint32_t first = GMEM_NO_ITEM;
  for (uint32_t i = 0; i < packing->count; ++i)
    if (offsets[i] + packing->items[i].size > packing->limit &&
        (first == GMEM_NO_ITEM || offsets[i] < offsets[first]))
      first = i;
  assert(first != GMEM_NO_ITEM);
  return gmem_fail_full_pool(packing->problem, last_member(packing, first),
                             packing->pool, diag);
}

gmem_status_t gmem_run_engine(gmem_pools_t *pools,
                              const gmem_packing_t *packing, uint32_t share,
                              uint64_t *offsets, uint64_t *out_peak) {
  gmem_search_t *search = pools->search;
  uint64_t limit = search->step_limit, stage_limit = search->stage_limit;
  assert(share > 0 && pools->share > 0);
  search->step_limit = search->stage_limit =
      search->steps + gmem_search_left(search) / share / pools->share;
  search->proved = false;
  gmem_status_t status =
      gmem_pack(pools->engine->pack, packing, search, offsets, pools->diag);
  *out_peak = status == GMEM_OK ? gmem_packing_peak(packing, offsets) : 0;
  search->step_limit = limit;
  search->stage_limit = stage_limit;
  if (!packing->is_exact || (!search->proved && *out_peak > packing->bound))
    pools->proved = false;
  return status;
}

static gmem_status_t repack(gmem_pools_t *pools, gmem_packing_t *packing,
                            uint32_t share, uint64_t ceiling,
                            gmem_placement_t *plan, bool *out_fits) {
  uint64_t peak = 0, *offsets;
  if (ceiling == GMEM_UNLIMITED && packing->goal < packing->limit)
    packing->goal = packing->limit;
  GMEM_TRY_NEW(offsets, &packing->memory, packing->count);
  if (packing->count)
    GMEM_TRY(gmem_run_engine(pools, packing, share, offsets, &peak));
  *out_fits = peak <= packing->limit && peak <= ceiling;
  if (*out_fits)
    gmem_packing_write(packing, offsets, plan);
  return GMEM_OK;
}

gmem_status_t gmem_repack_pool(gmem_pools_t *pools, uint32_t pool,
                               uint32_t share, uint64_t ceiling,
                               gmem_placement_t *plan, bool *out_fits) {
  gmem_packing_t packing;
  *out_fits = false;
  gmem_status_t status =
      gmem_packing_create(pools->problem, pool, pools->pool_of, pools->chosen,
                          pools->groups, &packing, pools->diag);
  if (status == GMEM_OK && packing.bound <= packing.limit)
    status = repack(pools, &packing, share, ceiling, plan, out_fits);
  gmem_packing_destroy(&packing);
  return status == GMEM_ERR_OUT_OF_MEMORY ? status : GMEM_OK;
}

gmem_status_t gmem_take_plan(gmem_pools_t *pools, gmem_placement_t *plan,
                             gmem_placement_t *to, bool *out_valid) {
  gmem_status_t status = gmem_place_empty(pools->problem, plan, pools->diag);
  if (status == GMEM_OK)
    status = gmem_check_places(pools->problem, plan, pools->diag);
  *out_valid = status == GMEM_OK;
  // Field by field: padding bytes have unspecified values.
  uint32_t count = gmem_problem_buffer_count(pools->problem);
  for (uint32_t i = 0; *out_valid && i < count; ++i) {
    to[i].offset = plan[i].offset;
    to[i].pool = plan[i].pool;
  }
  return status == GMEM_ERR_OUT_OF_MEMORY ? status : GMEM_OK;
}

bool gmem_pools_have_alternatives(const gmem_problem_t *problem) {
  return gmem_problem_pool_count(problem) > 1 &&
         gmem_problem_traits(problem).has_moves;
}
