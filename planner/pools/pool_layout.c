// pool_layout.c - a plan of several pools that is modified one mover at a time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool_layout.h"

#include <string.h>

#include "offset_groups.h"
#include "packing_query.h"
#include "planner_memory.h"
#include "sort.h"

// Limits: movers x pools, for memory, and movers that are removed from a pool
// because they cannot be aligned there.
enum { MOST_CELLS = 1 << 22, MOST_MISFITS = 64 };

//===--- movers -----------------------------------------------------------===//

// The candidate pool at |position| of a mover; false when it is not a candidate
// of the whole group.
static bool is_candidate(const gmem_buffer_spec_t *spec,
                         const gmem_offset_group_t *group, bool is_tied,
                         size_t position) {
  if (spec->has_fixed_offset && position > 0)
    return false;
  return !is_tied || (position < 64 && group->candidates >> position & 1);
}

static bool add_candidate(gmem_pool_layout_t *layout, gmem_mover_t *mover,
                          uint32_t pool) {
  if (!gmem_planner_grow(layout->pools->allocator, (void **)&layout->candidates,
                         layout->candidate_count, &layout->candidate_room,
                         sizeof *layout->candidates))
    return false;
  layout->candidates[layout->candidate_count++] =
      (gmem_candidate_t){.pool = pool, .item = GMEM_NO_ITEM};
  ++mover->count;
  return true;
}

static bool add_mover(gmem_pool_layout_t *layout, uint32_t buffer) {
  const gmem_pools_t *pools = layout->pools;
  gmem_offset_group_t group =
      gmem_offset_groups_group(pools->groups, pools->problem, buffer);
  const gmem_buffer_spec_t *spec =
      gmem_problem_buffer(pools->problem, group.pools_of);
  // As in pack_pools.c: a buffer outside of any group keeps all candidates.
  bool is_tied = group.pools_of != buffer || group.candidates != UINT64_MAX;
  gmem_mover_t *mover = &layout->movers[layout->mover_count];
  *mover = (gmem_mover_t){.first = (uint32_t)layout->candidate_count,
                          .buffer = buffer,
                          .at = GMEM_NOWHERE,
                          .is_fixed = group.is_fixed};
  for (size_t i = 0; i < spec->pool_count; ++i)
    if (is_candidate(spec, &group, is_tied, i) &&
        !add_candidate(layout, mover, spec->pools[i]))
      return false;
  layout->mover_of[buffer] = layout->mover_count++;
  return true;
}

// |by_root|: scratch, by buffer.
static bool list_movers(gmem_pool_layout_t *layout, uint32_t *by_root) {
  const gmem_pools_t *pools = layout->pools;
  int64_t ignored;
  for (uint32_t i = 0; i < layout->buffer_count; ++i)
    by_root[i] = GMEM_NOWHERE;
  for (uint32_t i = 0; i < layout->buffer_count; ++i) {
    layout->mover_of[i] = GMEM_NOWHERE;
    if (gmem_problem_buffer(pools->problem, i)->size == 0)
      continue;
    uint32_t root = gmem_offset_groups_root(pools->groups, i, &ignored);
    if (by_root[root] == GMEM_NOWHERE && !add_mover(layout, i))
      return false;
    if (by_root[root] == GMEM_NOWHERE)
      by_root[root] = layout->mover_of[i];
    layout->mover_of[i] = by_root[root];
  }
  return layout->candidate_count < UINT32_MAX;
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
                                  bool *is_misfit, bool *out_fits,
                                  gmem_diag_t *diag) {
  const gmem_pools_t *pools = layout->pools;
  gmem_packing_t *packing = &layout->packings[pool];
  memset(is_misfit, 0, layout->mover_count * sizeof *is_misfit);
  for (int i = 0; *out_fits; ++i) {
    gmem_packing_destroy(packing);
    mark_candidates(layout, pool, is_misfit);
    gmem_status_t status = gmem_packing_create(
        pools->problem, pool, pools->pool_of, pools->chosen, packing, diag);
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
static bool renumber(gmem_pool_layout_t *layout) {
  const gmem_allocator_t *allocator = layout->pools->allocator;
  uint32_t count = layout->mover_count;
  gmem_order_t *order =
      gmem_planner_alloc(allocator, 2 * (size_t)count, sizeof *order);
  gmem_mover_t *movers =
      gmem_planner_alloc(allocator, layout->buffer_count, sizeof *movers);
  uint32_t *places = gmem_planner_alloc(allocator, count, sizeof *places);
  bool is_ready = order && movers && places;
  for (uint32_t i = 0; is_ready && i < count; ++i)
    order[i] = (gmem_order_t){gmem_layout_candidate(layout, i, 0)->item, i};
  if (is_ready)
    gmem_sort_order(order, order + count, count);
  for (uint32_t i = 0; is_ready && i < count; ++i)
    order[i].key = digest_of(layout, order[i].index);
  if (is_ready)
    gmem_sort_order(order, order + count, count);
  for (uint32_t i = 0; is_ready && i < count; ++i) {
    movers[i] = layout->movers[order[i].index];
    places[order[i].index] = i;
  }
  for (uint32_t i = 0; is_ready && i < layout->buffer_count; ++i)
    if (layout->mover_of[i] != GMEM_NOWHERE)
      layout->mover_of[i] = places[layout->mover_of[i]];
  if (is_ready) {
    gmem_mover_t *old = layout->movers;
    layout->movers = movers;
    movers = old;
  }
  gmem_planner_free(allocator, order, 2 * (size_t)count, sizeof *order);
  gmem_planner_free(allocator, movers, layout->buffer_count, sizeof *movers);
  gmem_planner_free(allocator, places, count, sizeof *places);
  return is_ready;
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
  self->at = at;
  self->offset = offset;
  self->slot = layout->placed_count[pool]++;
  layout->placed[pool][self->slot] = mover;
  layout->benefit += gmem_layout_worth(layout, mover);
  --layout->nowhere;
}

void gmem_layout_remove(gmem_pool_layout_t *layout, uint32_t mover) {
  gmem_mover_t *self = &layout->movers[mover];
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

bool gmem_layout_fits(const gmem_pool_layout_t *layout, uint32_t mover,
                      uint32_t at, uint64_t offset) {
  const gmem_candidate_t *candidate = gmem_layout_candidate(layout, mover, at);
  const gmem_packing_t *packing = &layout->packings[candidate->pool];
  const gmem_item_t *item = item_of(layout, candidate);
  uint64_t end;
  return gmem_add_bytes(offset, item->extent, &end) &&
         offset <= packing->limit && item->size <= packing->limit - offset;
}

//===--- gaps -------------------------------------------------------------===//

static void sift_down(gmem_taken_t *heap, size_t node, size_t count) {
  for (size_t child; (child = 2 * node + 1) < count; node = child) {
    if (child + 1 < count && heap[child].begin < heap[child + 1].begin)
      ++child;
    if (heap[node].begin >= heap[child].begin)
      return;
    gmem_taken_t swap = heap[node];
    heap[node] = heap[child];
    heap[child] = swap;
  }
}

static void sort_taken(gmem_taken_t *taken, size_t count) {
  for (size_t node = count / 2; node-- > 0;)
    sift_down(taken, node, count);
  for (size_t last = count; last-- > 1;) {
    gmem_taken_t swap = taken[0];
    taken[0] = taken[last];
    taken[last] = swap;
    sift_down(taken, 0, last);
  }
}

size_t gmem_layout_list_taken(gmem_pool_layout_t *layout, uint32_t mover,
                              uint32_t at) {
  const gmem_candidate_t *candidate = gmem_layout_candidate(layout, mover, at);
  const gmem_packing_t *packing = &layout->packings[candidate->pool];
  const uint32_t *placed = layout->placed[candidate->pool];
  size_t count = 0;
  for (uint32_t i = 0; i < layout->placed_count[candidate->pool]; ++i) {
    const gmem_mover_t *other = &layout->movers[placed[i]];
    uint32_t item = gmem_layout_candidate(layout, placed[i], other->at)->item;
    if (item == candidate->item ||
        !gmem_items_conflict(packing, item, candidate->item))
      continue;
    int64_t above = gmem_clear_of(
        (int64_t)other->offset, gmem_clearance(packing, item, candidate->item));
    int64_t below =
        (int64_t)other->offset - gmem_clearance(packing, candidate->item, item);
    if (above > 0 && below + 1 < above)
      layout->taken[count++] = (gmem_taken_t){
          below < 0 ? 0 : (uint64_t)below + 1, (uint64_t)above, placed[i]};
  }
  sort_taken(layout->taken, count);
  return count;
}

bool gmem_layout_find_gap(gmem_pool_layout_t *layout, uint32_t mover,
                          uint32_t at, uint64_t *out_offset) {
  const gmem_candidate_t *candidate = gmem_layout_candidate(layout, mover, at);
  const gmem_packing_t *packing = &layout->packings[candidate->pool];
  const gmem_item_t *item = item_of(layout, candidate);
  uint64_t offset;
  // Distances to such an item would overflow.
  if (item->extent > GMEM_MAX_ADDRESS ||
      !gmem_item_align(packing, item, 0, &offset))
    return false;
  size_t count = gmem_layout_list_taken(layout, mover, at);
  for (size_t i = 0; i < count; ++i)
    if (layout->taken[i].begin <= offset && offset < layout->taken[i].end &&
        !gmem_item_align(packing, item, layout->taken[i].end, &offset))
      return false;
  *out_offset = offset;
  return gmem_layout_fits(layout, mover, at, offset);
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

static bool make_lists(gmem_pool_layout_t *layout) {
  const gmem_allocator_t *allocator = layout->pools->allocator;
  for (uint32_t i = 0; i < layout->pool_count; ++i) {
    layout->placed_room[i] = layout->packings[i].count;
    layout->placed[i] =
        gmem_planner_alloc(allocator, layout->placed_room[i], sizeof(uint32_t));
    if (!layout->placed[i])
      return false;
  }
  return true;
}

static gmem_status_t make_packings(gmem_pool_layout_t *layout, bool *out_fits,
                                   gmem_diag_t *diag) {
  const gmem_allocator_t *allocator = layout->pools->allocator;
  bool *is_misfit =
      gmem_planner_alloc(allocator, layout->mover_count, sizeof *is_misfit);
  gmem_status_t status = is_misfit ? GMEM_OK : gmem_planner_out_of_memory(diag);
  for (uint32_t i = 0; status == GMEM_OK && *out_fits && i < layout->pool_count;
       ++i) {
    status = make_packing(layout, i, is_misfit, out_fits, diag);
    if (status == GMEM_OK && *out_fits)
      note_items(layout, i);
  }
  gmem_planner_free(allocator, is_misfit, layout->mover_count,
                    sizeof *is_misfit);
  return status;
}

static bool allocate(gmem_pool_layout_t *layout) {
  const gmem_allocator_t *allocator = layout->pools->allocator;
  uint32_t buffers = layout->buffer_count, pools = layout->pool_count;
  layout->packings =
      gmem_planner_alloc(allocator, pools, sizeof *layout->packings);
  layout->placed = gmem_planner_alloc(allocator, pools, sizeof(uint32_t *));
  layout->placed_count = gmem_planner_alloc(allocator, pools, sizeof(uint32_t));
  layout->placed_room = gmem_planner_alloc(allocator, pools, sizeof(uint32_t));
  layout->movers =
      gmem_planner_alloc(allocator, buffers, sizeof *layout->movers);
  layout->mover_of = gmem_planner_alloc(allocator, buffers, sizeof(uint32_t));
  layout->taken = gmem_planner_alloc(allocator, buffers, sizeof *layout->taken);
  for (uint32_t i = 0; layout->packings && i < pools; ++i)
    layout->packings[i] = (gmem_packing_t){.allocator = allocator};
  if (layout->placed)
    memset(layout->placed, 0, pools * sizeof(uint32_t *));
  if (layout->placed_count)
    memset(layout->placed_count, 0, pools * sizeof(uint32_t));
  return layout->packings && layout->placed && layout->placed_count &&
         layout->placed_room && layout->movers && layout->mover_of &&
         layout->taken;
}

gmem_status_t gmem_layout_create(gmem_pools_t *pools,
                                 gmem_pool_layout_t *layout, bool *out_fits,
                                 gmem_diag_t *diag) {
  *layout = (gmem_pool_layout_t){
      .pools = pools,
      .pool_count = gmem_problem_pool_count(pools->problem),
      .buffer_count = gmem_problem_buffer_count(pools->problem)};
  *out_fits = (uint64_t)layout->pool_count * layout->buffer_count <= MOST_CELLS;
  if (!*out_fits)
    return GMEM_OK;
  if (!allocate(layout) || !list_movers(layout, pools->pool_of))
    return gmem_planner_out_of_memory(diag);
  GMEM_TRY(make_packings(layout, out_fits, diag));
  if (!*out_fits)
    return GMEM_OK;
  *out_fits = finish_movers(layout);
  if (*out_fits && (!renumber(layout) || !make_lists(layout)))
    return gmem_planner_out_of_memory(diag);
  if (*out_fits)
    place_fixed(layout);
  return GMEM_OK;
}

void gmem_layout_destroy(gmem_pool_layout_t *layout) {
  const gmem_allocator_t *allocator = layout->pools->allocator;
  uint32_t buffers = layout->buffer_count, pools = layout->pool_count;
  for (uint32_t i = 0; i < pools; ++i) {
    if (layout->packings)
      gmem_packing_destroy(&layout->packings[i]);
    if (layout->placed && layout->placed[i])
      gmem_planner_free(allocator, layout->placed[i], layout->placed_room[i],
                        sizeof(uint32_t));
  }
  gmem_planner_free(allocator, layout->packings, pools,
                    sizeof *layout->packings);
  gmem_planner_free(allocator, layout->placed, pools, sizeof(uint32_t *));
  gmem_planner_free(allocator, layout->placed_count, pools, sizeof(uint32_t));
  gmem_planner_free(allocator, layout->placed_room, pools, sizeof(uint32_t));
  gmem_planner_free(allocator, layout->movers, buffers, sizeof *layout->movers);
  gmem_planner_free(allocator, layout->mover_of, buffers, sizeof(uint32_t));
  gmem_planner_free(allocator, layout->taken, buffers, sizeof *layout->taken);
  gmem_planner_free(allocator, layout->candidates, layout->candidate_room,
                    sizeof *layout->candidates);
}
