// pool_state.c - the state of planning several pools: the pool of each buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool_state.h"

#include <assert.h>

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
                              uint64_t *offsets, uint64_t *out_peak,
                              gmem_diag_t *diag) {
  gmem_search_t *search = pools->search;
  uint64_t limit = search->step_limit, stage_limit = search->stage_limit;
  search->step_limit = search->stage_limit =
      search->steps + gmem_search_left(search) / share / pools->share;
  search->proved = false;
  gmem_status_t status =
      gmem_pack(pools->engine->pack, packing, search, offsets, diag);
  *out_peak = status == GMEM_OK ? gmem_packing_peak(packing, offsets) : 0;
  search->step_limit = limit;
  search->stage_limit = stage_limit;
  if (!packing->is_exact || (!search->proved && *out_peak > packing->bound))
    pools->proved = false;
  return status;
}

bool gmem_pools_have_alternatives(const gmem_problem_t *problem) {
  return gmem_problem_pool_count(problem) > 1 &&
         gmem_problem_traits(problem).has_moves;
}
