// pool_layout.c - a plan of several pools that is modified one mover at a time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool_layout.h"

#include <assert.h>
#include <string.h>

#include "offset_groups.h"
#include "problem_store.h"

// Limits: movers x pools, for memory, and movers that are removed from a pool
// because they cannot be aligned there.
enum { MOST_CELLS = 1 << 22, MOST_MISFITS = 64 };

//===--- movers -----------------------------------------------------------===//

static gmem_status_t add_mover(gmem_pool_layout_t *layout, uint32_t buffer) {
  const gmem_pools_t *pools = layout->pools;
  gmem_mover_t *mover = &layout->movers[layout->mover_count++];
  *mover = (gmem_mover_t){.first = (uint32_t)layout->candidate_count,
                          .buffer = buffer,
                          .at = GMEM_NOWHERE,
                          .is_fixed = gmem_offset_groups_group(
                                          pools->groups, pools->problem, buffer)
                                          .is_fixed};
  for (uint32_t at = 0, pool;
       gmem_group_candidate(pools->groups, pools->problem, buffer, &at, &pool);
       ++at) {
    GMEM_TRY_ROOM(layout->candidates, &layout->memory, layout->candidate_count,
                  layout->candidate_room);
    layout->candidates[layout->candidate_count++] =
        (gmem_candidate_t){.pool = pool, .item = GMEM_NO_ITEM};
    ++mover->count;
  }
  return GMEM_OK;
}

// |by_root|: scratch, by buffer.
static gmem_status_t list_movers(gmem_pool_layout_t *layout,
                                 uint32_t *by_root) {
  const gmem_pools_t *pools = layout->pools;
  uint32_t count = gmem_offset_groups_number(pools->groups, pools->problem,
                                             by_root, layout->mover_of);
  for (uint32_t i = 0; i < layout->buffer_count; ++i)
    if (layout->mover_of[i] == layout->mover_count) // its first buffer
      GMEM_TRY(add_mover(layout, i));
  assert(layout->mover_count == count);
  return layout->candidate_count < UINT32_MAX
             ? GMEM_OK
             : gmem_planner_out_of_memory(layout->memory.diag);
}

//===--- packings ---------------------------------------------------------===//

static gmem_candidate_t *find_candidate(const gmem_pool_layout_t *layout,
                                        uint32_t mover, uint32_t pool) {
  for (uint32_t i = 0; i < layout->movers[mover].count; ++i)
    if (gmem_layout_candidate(layout, mover, i)->pool == pool)
      return gmem_layout_candidate(layout, mover, i);
  return NULL;
}

// The movers that have |pool| as a candidate, except those found not to fit.
static void mark_candidates(const gmem_pool_layout_t *layout, uint32_t pool,
                            const bool *is_misfit) {
  for (uint32_t i = 0; i < layout->buffer_count; ++i) {
    uint32_t mover = layout->mover_of[i];
    bool may_go = mover != GMEM_NOWHERE && !is_misfit[mover] &&
                  find_candidate(layout, mover, pool);
    layout->pools->pool_of[i] = may_go ? pool : GMEM_NO_POOL;
  }
}

// *out_fits: false when too many do not fit.
static gmem_status_t make_packing(gmem_pool_layout_t *layout, uint32_t pool,
                                  bool *is_misfit, bool *out_fits) {
  const gmem_pools_t *pools = layout->pools;
  gmem_packing_t *packing = &layout->packings[pool];
  memset(is_misfit, 0, layout->mover_count * sizeof *is_misfit);
  for (int i = 0; *out_fits; ++i) {
    gmem_packing_destroy(packing);
    mark_candidates(layout, pool, is_misfit);
    gmem_status_t status =
        gmem_packing_create(pools->problem, pool, pools->pool_of, pools->chosen,
                            packing, layout->memory.diag);
    if (status == GMEM_OK || status == GMEM_ERR_OUT_OF_MEMORY)
      return status;
    *out_fits = status == GMEM_ERR_INVALID_ARGUMENT && i < MOST_MISFITS &&
                packing->misfit != GMEM_NO_BUFFER;
    if (*out_fits)
      is_misfit[layout->mover_of[packing->misfit]] = true;
  }
  return GMEM_OK;
}

// Sets the item of each mover in the pool, and its benefit there.
static void note_items(gmem_pool_layout_t *layout, uint32_t pool) {
  const gmem_packing_t *packing = &layout->packings[pool];
  for (uint32_t i = 0; i < packing->member_count; ++i) {
    const gmem_member_t *member = &packing->members[i];
    uint32_t mover = layout->mover_of[member->buffer];
    gmem_candidate_t *candidate = find_candidate(layout, mover, pool);
    candidate->item = member->item;
    candidate->benefit +=
        gmem_benefit_in(layout->pools->problem, member->buffer, pool);
  }
}

// Removes candidates without an item, and those whose item is too large. False
// when a mover has none left.
static bool finish_movers(gmem_pool_layout_t *layout) {
  for (uint32_t i = 0; i < layout->mover_count; ++i) {
    gmem_mover_t *mover = &layout->movers[i];
    gmem_candidate_t *own = &layout->candidates[mover->first];
    uint32_t kept = 0;
    for (uint32_t k = 0; k < mover->count; ++k) {
      const gmem_packing_t *packing = &layout->packings[own[k].pool];
      if (own[k].item != GMEM_NO_ITEM &&
          packing->items[own[k].item].size <= packing->limit)
        own[kept++] = own[k];
    }
    mover->count = kept;
    for (uint32_t k = 1; k < kept; ++k)
      if (own[k].benefit > own[mover->best].benefit)
        mover->best = k;
    if (kept == 0)
      return false;
  }
  return true;
}

//===--- order ------------------------------------------------------------===//

// FNV-1a of the candidates and their benefits.
static uint64_t digest_of(const gmem_pool_layout_t *layout, uint32_t mover) {
  const uint64_t prime = UINT64_C(0x100000001b3);
  uint64_t digest = UINT64_C(0xcbf29ce484222325);
  for (uint32_t i = 0; i < layout->movers[mover].count; ++i) {
    const gmem_candidate_t *candidate = gmem_layout_candidate(layout, mover, i);
    digest = (digest ^ candidate->pool) * prime;
    digest = (digest ^ (uint64_t)candidate->benefit) * prime;
    digest = (digest ^ (uint64_t)(candidate->benefit >> 64)) * prime;
  }
  return digest;
}

// Numbers the movers independently of the order in which buffers were added: by
// benefit, then as the items of their first candidate, which are in canonical
// order.
static gmem_status_t renumber(gmem_pool_layout_t *layout) {
  uint32_t count = layout->mover_count, *places;
  gmem_order_t *order;
  gmem_mover_t *movers;
  GMEM_TRY_NEW(order, &layout->memory, 2 * (size_t)count);
  GMEM_TRY_NEW(movers, &layout->memory, layout->buffer_count);
  GMEM_TRY_NEW(places, &layout->memory, count);
  for (uint32_t i = 0; i < count; ++i)
    order[i] = (gmem_order_t){gmem_layout_candidate(layout, i, 0)->item, i};
  gmem_sort_order(order, order + count, count);
  for (uint32_t i = 0; i < count; ++i)
    order[i].key = digest_of(layout, order[i].index);
  gmem_sort_order(order, order + count, count);
  for (uint32_t i = 0; i < count; ++i) {
    movers[i] = layout->movers[order[i].index];
    places[order[i].index] = i;
  }
  for (uint32_t i = 0; i < layout->buffer_count; ++i)
    if (layout->mover_of[i] != GMEM_NOWHERE)
      layout->mover_of[i] = places[layout->mover_of[i]];
  gmem_scratch_drop(&layout->memory, places);
  gmem_scratch_drop(&layout->memory, order);
  gmem_scratch_drop(&layout->memory, layout->movers);
  layout->movers = movers;
  return GMEM_OK;
}

//===--- placements -------------------------------------------------------===//

static const gmem_item_t *item_of(const gmem_pool_layout_t *layout,
                                  const gmem_candidate_t *candidate) {
  return &layout->packings[candidate->pool].items[candidate->item];
}

gmem_benefit_t gmem_layout_worth(const gmem_pool_layout_t *layout,
                                 uint32_t mover) {
  uint32_t at = layout->movers[mover].at;
  return at == GMEM_NOWHERE ? 0
                            : gmem_layout_candidate(layout, mover, at)->benefit;
}

void gmem_layout_put(gmem_pool_layout_t *layout, uint32_t mover, uint32_t at,
                     uint64_t offset) {
  gmem_mover_t *self = &layout->movers[mover];
  uint32_t pool = gmem_layout_candidate(layout, mover, at)->pool;
  assert(self->at == GMEM_NOWHERE && at < self->count);
  self->at = at;
  self->offset = offset;
  self->slot = layout->placed_count[pool]++;
  layout->placed[pool][self->slot] = mover;
  layout->benefit += gmem_layout_worth(layout, mover);
  --layout->nowhere;
}

void gmem_layout_remove(gmem_pool_layout_t *layout, uint32_t mover) {
  gmem_mover_t *self = &layout->movers[mover];
  assert(self->at != GMEM_NOWHERE);
  uint32_t pool = gmem_layout_candidate(layout, mover, self->at)->pool;
  uint32_t last = layout->placed[pool][--layout->placed_count[pool]];
  layout->benefit -= gmem_layout_worth(layout, mover);
  layout->placed[pool][self->slot] = last;
  layout->movers[last].slot = self->slot;
  self->at = GMEM_NOWHERE;
  ++layout->nowhere;
}

void gmem_layout_clear(gmem_pool_layout_t *layout) {
  for (uint32_t i = 0; i < layout->mover_count; ++i)
    if (layout->movers[i].at != GMEM_NOWHERE && !layout->movers[i].is_fixed)
      gmem_layout_remove(layout, i);
}

//===--- gaps -------------------------------------------------------------===//

size_t gmem_layout_list_taken(gmem_pool_layout_t *layout, uint32_t mover,
                              uint32_t at) {
  const gmem_candidate_t *candidate = gmem_layout_candidate(layout, mover, at);
  const gmem_packing_t *packing = &layout->packings[candidate->pool];
  const uint32_t *placed = layout->placed[candidate->pool];
  size_t count = 0;
  for (uint32_t i = 0; i < layout->placed_count[candidate->pool]; ++i) {
    const gmem_mover_t *other = &layout->movers[placed[i]];
    uint32_t item = gmem_layout_candidate(layout, placed[i], other->at)->item;
    layout->taken[count].by = placed[i];
    count += gmem_taken_by(packing, candidate->item, item, other->offset,
                           &layout->taken[count]);
  }
  gmem_taken_sort(layout->taken, count);
  return count;
}

bool gmem_layout_find_gap(gmem_pool_layout_t *layout, uint32_t mover,
                          uint32_t at, uint64_t *out_offset) {
  const gmem_candidate_t *candidate = gmem_layout_candidate(layout, mover, at);
  const gmem_item_t *item = item_of(layout, candidate);
  // Distances to such an item would overflow.
  if (item->extent > GMEM_MAX_ADDRESS)
    return false;
  size_t count = gmem_layout_list_taken(layout, mover, at);
  return gmem_taken_find_gap(&layout->packings[candidate->pool], item,
                             layout->taken, count, out_offset);
}

bool gmem_layout_place(gmem_pool_layout_t *layout, uint32_t mover) {
  for (uint32_t at = 0; at < layout->movers[mover].count; ++at) {
    uint64_t offset;
    if (!gmem_layout_find_gap(layout, mover, at, &offset))
      continue;
    gmem_layout_put(layout, mover, at, offset);
    return true;
  }
  return false;
}

//===--- plans ------------------------------------------------------------===//

// Places the mover where |plan| has its first member.
static bool load_mover(gmem_pool_layout_t *layout, uint32_t mover,
                       const gmem_placement_t *plan) {
  const gmem_mover_t *self = &layout->movers[mover];
  for (uint32_t at = 0; at < self->count; ++at) {
    const gmem_candidate_t *candidate =
        gmem_layout_candidate(layout, mover, at);
    const gmem_packing_t *packing = &layout->packings[candidate->pool];
    const gmem_member_t *member =
        &packing->members[packing->items[candidate->item].member];
    gmem_placement_t place = plan[member->buffer];
    if (place.pool != candidate->pool || place.offset < member->offset)
      continue;
    gmem_layout_put(layout, mover, at, place.offset - member->offset);
    return true;
  }
  return false;
}

bool gmem_layout_load(gmem_pool_layout_t *layout,
                      const gmem_placement_t *plan) {
  gmem_layout_clear(layout);
  for (uint32_t i = 0; i < layout->mover_count; ++i)
    if (!layout->movers[i].is_fixed && !load_mover(layout, i, plan))
      return false;
  return true;
}

void gmem_layout_store(const gmem_pool_layout_t *layout,
                       gmem_placement_t *plan) {
  for (uint32_t i = 0; i < layout->mover_count; ++i) {
    const gmem_mover_t *mover = &layout->movers[i];
    const gmem_candidate_t *candidate =
        gmem_layout_candidate(layout, i, mover->at);
    const gmem_packing_t *packing = &layout->packings[candidate->pool];
    for (uint32_t k = packing->items[candidate->item].member;
         k < gmem_members_end(packing, candidate->item); ++k)
      plan[packing->members[k].buffer] = (gmem_placement_t){
          mover->offset + packing->members[k].offset, candidate->pool};
  }
}

//===--- creation ---------------------------------------------------------===//

static void place_fixed(gmem_pool_layout_t *layout) {
  layout->nowhere = layout->mover_count;
  for (uint32_t i = 0; i < layout->mover_count; ++i)
    if (layout->movers[i].is_fixed)
      gmem_layout_put(
          layout, i, 0,
          item_of(layout, gmem_layout_candidate(layout, i, 0))->fixed_offset);
}

static gmem_status_t make_packings(gmem_pool_layout_t *layout, bool *out_fits) {
  bool *is_misfit;
  GMEM_TRY_NEW(is_misfit, &layout->memory, layout->mover_count);
  for (uint32_t i = 0; *out_fits && i < layout->pool_count; ++i) {
    GMEM_TRY(make_packing(layout, i, is_misfit, out_fits));
    if (*out_fits)
      note_items(layout, i);
  }
  gmem_scratch_drop(&layout->memory, is_misfit);
  return GMEM_OK;
}

gmem_status_t gmem_layout_create(gmem_pools_t *pools,
                                 gmem_pool_layout_t *layout, bool *out_fits) {
  uint32_t pool_count = gmem_problem_pool_count(pools->problem);
  uint32_t buffers = gmem_problem_buffer_count(pools->problem);
  *layout = (gmem_pool_layout_t){
      .pools = pools,
      .memory = {.allocator = gmem_problem_allocator(pools->problem),
                 .diag = pools->diag},
      .pool_count = pool_count,
      .buffer_count = buffers};
  *out_fits = (uint64_t)pool_count * buffers <= MOST_CELLS;
  if (!*out_fits)
    return GMEM_OK;
  GMEM_TRY_ZEROS(layout->packings, &layout->memory, pool_count);
  GMEM_TRY_NEW(layout->placed, &layout->memory, pool_count);
  GMEM_TRY_ZEROS(layout->placed_count, &layout->memory, pool_count);
  GMEM_TRY_NEW(layout->movers, &layout->memory, buffers);
  GMEM_TRY_NEW(layout->mover_of, &layout->memory, buffers);
  GMEM_TRY_NEW(layout->taken, &layout->memory, buffers);
  GMEM_TRY(list_movers(layout, pools->pool_of));
  GMEM_TRY(make_packings(layout, out_fits));
  *out_fits = *out_fits && finish_movers(layout);
  if (!*out_fits)
    return GMEM_OK;
  GMEM_TRY(renumber(layout));
  for (uint32_t i = 0; i < pool_count; ++i)
    GMEM_TRY_NEW(layout->placed[i], &layout->memory, layout->packings[i].count);
  place_fixed(layout);
  return GMEM_OK;
}

void gmem_layout_destroy(gmem_pool_layout_t *layout) {
  for (uint32_t i = 0; layout->packings && i < layout->pool_count; ++i)
    gmem_packing_destroy(&layout->packings[i]);
  gmem_scratch_free(&layout->memory);
}
