// pool_layout.c - a plan of several pools that is modified one item at a time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool_layout.h"

#include <assert.h>
#include <string.h>

#include "offset_groups.h"
#include "problem_store.h"

// Limits: items x pools, for memory, and items that are removed from a pool
// because they cannot be aligned there.
enum { MOST_CELLS = 1 << 22, MOST_MISFITS = 64 };

//===--- items ------------------------------------------------------------===//

static gmem_status_t add_item(gmem_pool_layout_t *layout, uint32_t buffer) {
  const gmem_pools_t *pools = layout->pools;
  gmem_pool_item_t *item = &layout->items[layout->item_count++];
  *item =
      (gmem_pool_item_t){.first = (uint32_t)layout->candidate_count,
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
    ++item->count;
  }
  return GMEM_OK;
}

// |by_root|: scratch, by buffer.
static gmem_status_t list_items(gmem_pool_layout_t *layout, uint32_t *by_root) {
  const gmem_pools_t *pools = layout->pools;
  uint32_t count = gmem_offset_groups_number(pools->groups, pools->problem,
                                             by_root, layout->item_of);
  for (uint32_t i = 0; i < layout->buffer_count; ++i)
    if (layout->item_of[i] == layout->item_count) // its first buffer
      GMEM_TRY(add_item(layout, i));
  assert(layout->item_count == count);
  return layout->candidate_count < UINT32_MAX
             ? GMEM_OK
             : gmem_planner_out_of_memory(layout->memory.diag);
}

//===--- packings ---------------------------------------------------------===//

static gmem_candidate_t *find_candidate(const gmem_pool_layout_t *layout,
                                        uint32_t item, uint32_t pool) {
  for (uint32_t i = 0; i < layout->items[item].count; ++i)
    if (gmem_layout_candidate(layout, item, i)->pool == pool)
      return gmem_layout_candidate(layout, item, i);
  return NULL;
}

// The items that have |pool| as a candidate, except those found not to fit.
static void mark_candidates(const gmem_pool_layout_t *layout, uint32_t pool,
                            const bool *is_misfit) {
  for (uint32_t i = 0; i < layout->buffer_count; ++i) {
    uint32_t item = layout->item_of[i];
    bool may_go = item != GMEM_NOWHERE && !is_misfit[item] &&
                  find_candidate(layout, item, pool);
    layout->pools->pool_of[i] = may_go ? pool : GMEM_NO_POOL;
  }
}

// *out_fits: false when too many do not fit.
static gmem_status_t make_packing(gmem_pool_layout_t *layout, uint32_t pool,
                                  bool *is_misfit, bool *out_fits) {
  const gmem_pools_t *pools = layout->pools;
  gmem_packing_t *packing = &layout->planned[pool].packing;
  memset(is_misfit, 0, layout->item_count * sizeof *is_misfit);
  for (int i = 0; *out_fits; ++i) {
    gmem_packing_destroy(packing);
    mark_candidates(layout, pool, is_misfit);
    gmem_status_t status =
        gmem_packing_create(pools->problem, pool, pools->pool_of, pools->chosen,
                            pools->groups, packing, layout->memory.diag);
    if (status == GMEM_OK || status == GMEM_ERR_OUT_OF_MEMORY)
      return status;
    *out_fits = status == GMEM_ERR_INVALID_ARGUMENT && i < MOST_MISFITS &&
                packing->misfit != GMEM_NO_BUFFER;
    if (*out_fits)
      is_misfit[layout->item_of[packing->misfit]] = true;
  }
  return GMEM_OK;
}

// Sets the packing's item of each item in the pool, and its benefit there.
static void note_items(gmem_pool_layout_t *layout, uint32_t pool) {
  const gmem_packing_t *packing = &layout->planned[pool].packing;
  for (uint32_t i = 0; i < packing->member_count; ++i) {
    const gmem_member_t *member = &packing->members[i];
    uint32_t item = layout->item_of[member->buffer];
    gmem_candidate_t *candidate = find_candidate(layout, item, pool);
    candidate->item = member->item;
    candidate->benefit +=
        gmem_benefit_in(layout->pools->problem, member->buffer, pool);
  }
}

// Removes candidates without an item, and those whose item is too large. False
// when an item has none left.
static bool finish_items(gmem_pool_layout_t *layout) {
  for (uint32_t i = 0; i < layout->item_count; ++i) {
    gmem_pool_item_t *item = &layout->items[i];
    gmem_candidate_t *own = &layout->candidates[item->first];
    uint32_t kept = 0;
    for (uint32_t k = 0; k < item->count; ++k) {
      const gmem_packing_t *packing = &layout->planned[own[k].pool].packing;
      if (own[k].item != GMEM_NO_ITEM &&
          packing->items[own[k].item].size <= packing->limit)
        own[kept++] = own[k];
    }
    item->count = kept;
    for (uint32_t k = 1; k < kept; ++k)
      if (own[k].benefit > own[item->best].benefit)
        item->best = k;
    if (kept == 0)
      return false;
  }
  return true;
}

//===--- order ------------------------------------------------------------===//

// FNV-1a of the candidates and their benefits.
static uint64_t digest_of(const gmem_pool_layout_t *layout, uint32_t item) {
  const uint64_t prime = UINT64_C(0x100000001b3);
  uint64_t digest = UINT64_C(0xcbf29ce484222325);
  for (uint32_t i = 0; i < layout->items[item].count; ++i) {
    const gmem_candidate_t *candidate = gmem_layout_candidate(layout, item, i);
    digest = (digest ^ candidate->pool) * prime;
    digest = (digest ^ (uint64_t)candidate->benefit) * prime;
    digest = (digest ^ (uint64_t)(candidate->benefit >> 64)) * prime;
  }
  return digest;
}

// Numbers the items independently of the order in which buffers were added: by
// benefit, then as the items of their first candidate, which are in canonical
// order.
static gmem_status_t renumber(gmem_pool_layout_t *layout) {
  uint32_t count = layout->item_count, *places;
  gmem_order_t *order;
  gmem_pool_item_t *items;
  GMEM_TRY_NEW(order, &layout->memory, 2 * (size_t)count);
  GMEM_TRY_NEW(items, &layout->memory, layout->buffer_count);
  GMEM_TRY_NEW(places, &layout->memory, count);
  for (uint32_t i = 0; i < count; ++i)
    order[i] = (gmem_order_t){gmem_layout_candidate(layout, i, 0)->item, i};
  gmem_sort_order(order, order + count, count);
  for (uint32_t i = 0; i < count; ++i)
    order[i].key = digest_of(layout, order[i].index);
  gmem_sort_order(order, order + count, count);
  for (uint32_t i = 0; i < count; ++i) {
    items[i] = layout->items[order[i].index];
    places[order[i].index] = i;
  }
  for (uint32_t i = 0; i < layout->buffer_count; ++i)
    if (layout->item_of[i] != GMEM_NOWHERE)
      layout->item_of[i] = places[layout->item_of[i]];
  gmem_scratch_drop(&layout->memory, places);
  gmem_scratch_drop(&layout->memory, order);
  gmem_scratch_drop(&layout->memory, layout->items);
  layout->items = items;
  return GMEM_OK;
}

//===--- placements -------------------------------------------------------===//

static const gmem_item_t *packed_item(const gmem_pool_layout_t *layout,
                                      const gmem_candidate_t *candidate) {
  return &layout->planned[candidate->pool].packing.items[candidate->item];
}

gmem_benefit_t gmem_layout_worth(const gmem_pool_layout_t *layout,
                                 uint32_t item) {
  uint32_t at = layout->items[item].at;
  return at == GMEM_NOWHERE ? 0
                            : gmem_layout_candidate(layout, item, at)->benefit;
}

void gmem_layout_put(gmem_pool_layout_t *layout, uint32_t item, uint32_t at,
                     uint64_t offset) {
  gmem_pool_item_t *self = &layout->items[item];
  uint32_t pool = gmem_layout_candidate(layout, item, at)->pool;
  assert(self->at == GMEM_NOWHERE && at < self->count);
  self->at = at;
  self->offset = offset;
  self->slot = layout->planned[pool].placed_count++;
  layout->planned[pool].placed[self->slot] = item;
  layout->benefit += gmem_layout_worth(layout, item);
  --layout->nowhere;
}

void gmem_layout_remove(gmem_pool_layout_t *layout, uint32_t item) {
  gmem_pool_item_t *self = &layout->items[item];
  assert(self->at != GMEM_NOWHERE);
  uint32_t pool = gmem_layout_candidate(layout, item, self->at)->pool;
  uint32_t last =
      layout->planned[pool].placed[--layout->planned[pool].placed_count];
  layout->benefit -= gmem_layout_worth(layout, item);
  layout->planned[pool].placed[self->slot] = last;
  layout->items[last].slot = self->slot;
  self->at = GMEM_NOWHERE;
  ++layout->nowhere;
}

void gmem_layout_clear(gmem_pool_layout_t *layout) {
  for (uint32_t i = 0; i < layout->item_count; ++i)
    if (layout->items[i].at != GMEM_NOWHERE && !layout->items[i].is_fixed)
      gmem_layout_remove(layout, i);
}

//===--- gaps -------------------------------------------------------------===//

size_t gmem_layout_list_taken(gmem_pool_layout_t *layout, uint32_t item,
                              uint32_t at) {
  const gmem_candidate_t *candidate = gmem_layout_candidate(layout, item, at);
  const gmem_packing_t *packing = &layout->planned[candidate->pool].packing;
  const uint32_t *placed = layout->planned[candidate->pool].placed;
  size_t count = 0;
  for (uint32_t i = 0; i < layout->planned[candidate->pool].placed_count; ++i) {
    const gmem_pool_item_t *other = &layout->items[placed[i]];
    uint32_t packed = gmem_layout_candidate(layout, placed[i], other->at)->item;
    layout->taken[count].by = placed[i];
    count += gmem_taken_by(packing, candidate->item, packed, other->offset,
                           &layout->taken[count]);
  }
  gmem_taken_sort(layout->taken, count);
  return count;
}

bool gmem_layout_find_gap(gmem_pool_layout_t *layout, uint32_t item,
                          uint32_t at, uint64_t *out_offset) {
  const gmem_candidate_t *candidate = gmem_layout_candidate(layout, item, at);
  const gmem_item_t *packed = packed_item(layout, candidate);
  // Distances to such an item would overflow.
  if (packed->extent > GMEM_MAX_ADDRESS)
    return false;
  size_t count = gmem_layout_list_taken(layout, item, at);
  return gmem_taken_find_gap(&layout->planned[candidate->pool].packing, packed,
                             layout->taken, count, out_offset);
}

bool gmem_layout_place(gmem_pool_layout_t *layout, uint32_t item) {
  for (uint32_t at = 0; at < layout->items[item].count; ++at) {
    uint64_t offset;
    if (!gmem_layout_find_gap(layout, item, at, &offset))
      continue;
    gmem_layout_put(layout, item, at, offset);
    return true;
  }
  return false;
}

//===--- plans ------------------------------------------------------------===//

// Places the item where |plan| has its first member.
static bool load_item(gmem_pool_layout_t *layout, uint32_t item,
                      const gmem_placement_t *plan) {
  const gmem_pool_item_t *self = &layout->items[item];
  for (uint32_t at = 0; at < self->count; ++at) {
    const gmem_candidate_t *candidate = gmem_layout_candidate(layout, item, at);
    const gmem_packing_t *packing = &layout->planned[candidate->pool].packing;
    const gmem_member_t *member =
        &packing->members[packing->items[candidate->item].member];
    gmem_placement_t place = plan[member->buffer];
    if (place.pool != candidate->pool || place.offset < member->offset)
      continue;
    gmem_layout_put(layout, item, at, place.offset - member->offset);
    return true;
  }
  return false;
}

bool gmem_layout_load(gmem_pool_layout_t *layout,
                      const gmem_placement_t *plan) {
  gmem_layout_clear(layout);
  for (uint32_t i = 0; i < layout->item_count; ++i)
    if (!layout->items[i].is_fixed && !load_item(layout, i, plan))
      return false;
  return true;
}

void gmem_layout_store(const gmem_pool_layout_t *layout,
                       gmem_placement_t *plan) {
  for (uint32_t i = 0; i < layout->item_count; ++i) {
    const gmem_pool_item_t *item = &layout->items[i];
    const gmem_candidate_t *candidate =
        gmem_layout_candidate(layout, i, item->at);
    const gmem_packing_t *packing = &layout->planned[candidate->pool].packing;
    for (uint32_t k = packing->items[candidate->item].member;
         k < gmem_members_end(packing, candidate->item); ++k)
      plan[packing->members[k].buffer] = (gmem_placement_t){
          item->offset + packing->members[k].offset, candidate->pool};
  }
}

//===--- creation ---------------------------------------------------------===//

static void place_fixed(gmem_pool_layout_t *layout) {
  layout->nowhere = layout->item_count;
  for (uint32_t i = 0; i < layout->item_count; ++i)
    if (layout->items[i].is_fixed)
      gmem_layout_put(layout, i, 0,
                      packed_item(layout, gmem_layout_candidate(layout, i, 0))
                          ->fixed_offset);
}

static gmem_status_t make_packings(gmem_pool_layout_t *layout, bool *out_fits) {
  bool *is_misfit;
  GMEM_TRY_NEW(is_misfit, &layout->memory, layout->item_count);
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
  GMEM_TRY_ZEROS(layout->planned, &layout->memory, pool_count);
  GMEM_TRY_NEW(layout->items, &layout->memory, buffers);
  GMEM_TRY_NEW(layout->item_of, &layout->memory, buffers);
  GMEM_TRY_NEW(layout->taken, &layout->memory, buffers);
  GMEM_TRY(list_items(layout, pools->pool_of));
  GMEM_TRY(make_packings(layout, out_fits));
  *out_fits = *out_fits && finish_items(layout);
  if (!*out_fits)
    return GMEM_OK;
  GMEM_TRY(renumber(layout));
  for (uint32_t i = 0; i < pool_count; ++i)
    GMEM_TRY_NEW(layout->planned[i].placed, &layout->memory,
                 layout->planned[i].packing.count);
  place_fixed(layout);
  return GMEM_OK;
}

void gmem_layout_destroy(gmem_pool_layout_t *layout) {
  for (uint32_t i = 0; layout->planned && i < layout->pool_count; ++i)
    gmem_packing_destroy(&layout->planned[i].packing);
  gmem_scratch_free(&layout->memory);
}
