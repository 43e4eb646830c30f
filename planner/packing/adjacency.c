// adjacency.c - the interference graph of a packing: lists and degrees.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adjacency.h"

#include <assert.h>

#include "packing_query.h"

//===--- degrees ----------------------------------------------------------===//

static void add_item(gmem_degree_t *at, const gmem_item_t *item) {
  ++at->items;
  at->bytes += item->extent;
}

// begun[s]: items and bytes that begin in a section before s; ended[s]: that
// end there.
static void tally(const gmem_packing_t *packing, gmem_degree_t *begun,
                  gmem_degree_t *ended) {
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_item_t *item = &packing->items[i];
    add_item(&begun[item->begin - packing->first_section + 1], item);
    add_item(&ended[item->end - packing->first_section], item);
  }
  for (size_t i = 1; i < (size_t)packing->section_count + 2; ++i) {
    begun[i].items += begun[i - 1].items;
    begun[i].bytes += begun[i - 1].bytes;
    ended[i].items += ended[i - 1].items;
    ended[i].bytes += ended[i - 1].bytes;
  }
}

gmem_status_t gmem_count_conflicts(const gmem_packing_t *packing,
                                   gmem_degree_t *degrees, uint64_t *out_pairs,
                                   gmem_scratch_t *memory) {
  gmem_degree_t *begun, *ended;
  size_t points = (size_t)packing->section_count + 2;
  uint64_t ends_of_pairs = 0;
  GMEM_TRY_ZEROS(begun, memory, points);
  GMEM_TRY_ZEROS(ended, memory, points);
  tally(packing, begun, ended);
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_item_t *item = &packing->items[i];
    const gmem_degree_t *in = &begun[item->end - packing->first_section];
    const gmem_degree_t *out = &ended[item->begin - packing->first_section];
    assert(in->items > out->items); // at least the item itself
    gmem_degree_t degree = {in->items - out->items - 1,
                            in->bytes - out->bytes - item->extent};
    ends_of_pairs += degree.items;
    if (degrees)
      degrees[i] = degree;
  }
  assert(ends_of_pairs % 2 == 0);
  if (out_pairs)
    *out_pairs = ends_of_pairs / 2;
  gmem_scratch_drop(memory, ended);
  gmem_scratch_drop(memory, begun);
  return GMEM_OK;
}

//===--- lists ------------------------------------------------------------===//

// State of the scan over items in order of begin.
typedef struct builder_s {
  const gmem_packing_t *packing;
  gmem_adjacency_t *adjacency;
  uint32_t *active; // live items, in increasing order
  uint32_t active_count;
  size_t *next; // by item: where its next neighbour is written
} builder_t;

// Counts an interfering pair, |earlier| < |later|, or adds it to the lists once
// there are any. Every list receives its items in increasing order: earlier
// items when the owner is visited, later items afterwards.
static void visit(builder_t *builder, uint32_t earlier, uint32_t later) {
  uint32_t *neighbours = builder->adjacency->neighbours;
  size_t of_earlier = builder->next[earlier]++;
  size_t of_later = builder->next[later]++;
  if (neighbours) {
    neighbours[of_earlier] = later;
    neighbours[of_later] = earlier;
  }
}

static void expire(builder_t *builder, uint32_t now) {
  const gmem_item_t *items = builder->packing->items;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < builder->active_count; ++i) {
    builder->active[kept] = builder->active[i];
    kept += items[builder->active[i]].end > now;
  }
  builder->active_count = kept;
}

// Visits the pairs of |later| with earlier items, in increasing order: merges
// the items live with it and the extra conflicts.
static void visit_earlier(builder_t *builder, uint32_t later) {
  const gmem_packing_t *packing = builder->packing;
  bool any = packing->extra != NULL;
  size_t extra = any ? packing->extra_starts[later] : 0;
  size_t extra_end = any ? packing->extra_starts[later + 1] : 0;
  for (uint32_t k = 0; k < builder->active_count; ++k) {
    uint32_t earlier = builder->active[k];
    for (; extra < extra_end && packing->extra[extra] < earlier; ++extra)
      visit(builder, packing->extra[extra], later);
    if (packing->is_plain || gmem_items_conflict(packing, earlier, later)) {
      visit(builder, earlier, later);
      // An extra conflict between items that are live together counts once.
      extra += extra < extra_end && packing->extra[extra] == earlier;
    }
  }
  for (; extra < extra_end && packing->extra[extra] < later; ++extra)
    visit(builder, packing->extra[extra], later);
}

static void visit_pairs(builder_t *builder) {
  builder->active_count = 0;
  for (uint32_t i = 0; i < builder->packing->count; ++i) {
    expire(builder, builder->packing->items[i].begin);
    visit_earlier(builder, i);
    builder->active[builder->active_count++] = i;
  }
}

// Converts the counts in |next| to the starts of the lists.
static void start_lists(builder_t *builder) {
  size_t start = 0;
  for (uint32_t i = 0; i < builder->packing->count; ++i) {
    builder->adjacency->starts[i] = start;
    start += builder->next[i];
    builder->next[i] = builder->adjacency->starts[i];
  }
  builder->adjacency->starts[builder->packing->count] = start;
  builder->adjacency->neighbour_count = start;
}

bool gmem_check_adjacency(const gmem_adjacency_t *adjacency) {
  for (uint32_t i = 0; adjacency->is_complete && i < adjacency->count; ++i) {
    size_t first = adjacency->starts[i], last = adjacency->starts[i + 1];
    if (first > last || last > adjacency->neighbour_count)
      return false;
    for (size_t k = first; k < last; ++k)
      if (adjacency->neighbours[k] >= adjacency->count ||
          adjacency->neighbours[k] == i ||
          (k > first &&
           adjacency->neighbours[k - 1] >= adjacency->neighbours[k]))
        return false;
  }
  return true;
}

gmem_status_t gmem_adjacency_create(const gmem_packing_t *packing,
                                    size_t max_pairs, gmem_scratch_t *memory,
                                    gmem_adjacency_t *adjacency) {
  uint64_t pairs = 0;
  *adjacency = (gmem_adjacency_t){.count = packing->count};
  GMEM_TRY(gmem_count_conflicts(packing, NULL, &pairs, memory));
  if (packing->extra)
    pairs += packing->extra_starts[packing->count] / 2;
  if (pairs > max_pairs)
    return GMEM_OK;
  builder_t builder = {.packing = packing, .adjacency = adjacency};
  GMEM_TRY_NEW(adjacency->starts, memory, (size_t)adjacency->count + 1);
  GMEM_TRY_NEW(builder.active, memory, adjacency->count);
  GMEM_TRY_ZEROS(builder.next, memory, adjacency->count);
  visit_pairs(&builder);
  start_lists(&builder);
  GMEM_TRY_NEW(adjacency->neighbours, memory, adjacency->neighbour_count);
  visit_pairs(&builder);
  gmem_scratch_drop(memory, builder.next);
  gmem_scratch_drop(memory, builder.active);
  adjacency->is_complete = true;
  assert(gmem_check_adjacency(adjacency));
  return GMEM_OK;
}
