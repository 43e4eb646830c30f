// adjacency.c - the interference graph of a packing: lists and degrees.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adjacency.h"

#include <string.h>

#include "packing_query.h"
#include "planner_memory.h"

//===--- degrees ----------------------------------------------------------===//

// Items that begin or end before a section.
typedef struct tally_s {
  uint32_t items;
  uint64_t bytes;
} tally_t;

static void accumulate(tally_t *tallies, size_t count) {
  for (size_t i = 1; i < count; ++i) {
    tallies[i].items += tallies[i - 1].items;
    tallies[i].bytes += tallies[i - 1].bytes;
  }
}

// begun[s]: items that begin in a section before s; ended[s]: that end there.
static void tally(const gmem_packing_t *packing, tally_t *begun,
                  tally_t *ended) {
  size_t points = (size_t)packing->section_count + 2;
  memset(begun, 0, 2 * points * sizeof *begun);
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_item_t *item = &packing->items[i];
    tally_t *begin = &begun[item->begin - packing->first_section + 1];
    tally_t *end = &ended[item->end - packing->first_section];
    ++begin->items;
    begin->bytes += item->extent;
    ++end->items;
    end->bytes += item->extent;
  }
  accumulate(begun, points);
  accumulate(ended, points);
}

gmem_status_t gmem_count_conflicts(const gmem_packing_t *packing,
                                   gmem_degree_t *degrees, uint64_t *out_pairs,
                                   gmem_diag_t *diag) {
  size_t points = (size_t)packing->section_count + 2;
  tally_t *begun =
      gmem_planner_alloc(packing->allocator, 2 * points, sizeof *begun);
  if (!begun)
    return gmem_planner_out_of_memory(diag);
  tally_t *ended = begun + points;
  tally(packing, begun, ended);
  uint64_t ends_of_pairs = 0;
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_item_t *item = &packing->items[i];
    const tally_t *in = &begun[item->end - packing->first_section];
    const tally_t *out = &ended[item->begin - packing->first_section];
    gmem_degree_t degree = {in->items - out->items - 1,
                            in->bytes - out->bytes - item->extent};
    ends_of_pairs += degree.items;
    if (degrees)
      degrees[i] = degree;
  }
  if (out_pairs)
    *out_pairs = ends_of_pairs / 2;
  gmem_planner_free(packing->allocator, begun, 2 * points, sizeof *begun);
  return GMEM_OK;
}

//===--- lists ------------------------------------------------------------===//

// Called with an interfering pair, |earlier| < |later|.
typedef void (*visit_fn)(gmem_adjacency_t *adjacency, size_t *next,
                         uint32_t earlier, uint32_t later);

// State of the scan over items in order of begin.
typedef struct builder_s {
  const gmem_packing_t *packing;
  gmem_adjacency_t *adjacency;
  uint32_t *active; // live items, in increasing order
  uint32_t active_count;
  size_t *next; // by item: where its next neighbour is written
} builder_t;

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
static void visit_earlier(builder_t *builder, uint32_t later, visit_fn visit) {
  const gmem_packing_t *packing = builder->packing;
  bool any = packing->extra != NULL;
  size_t extra = any ? packing->extra_starts[later] : 0;
  size_t extra_end = any ? packing->extra_starts[later + 1] : 0;
  for (uint32_t k = 0; k < builder->active_count; ++k) {
    uint32_t earlier = builder->active[k];
    for (; extra < extra_end && packing->extra[extra] < earlier; ++extra)
      visit(builder->adjacency, builder->next, packing->extra[extra], later);
    if (packing->is_plain || gmem_items_conflict(packing, earlier, later)) {
      visit(builder->adjacency, builder->next, earlier, later);
      // An extra conflict between items that are live together counts once.
      extra += extra < extra_end && packing->extra[extra] == earlier;
    }
  }
  for (; extra < extra_end && packing->extra[extra] < later; ++extra)
    visit(builder->adjacency, builder->next, packing->extra[extra], later);
}

static void visit_pairs(builder_t *builder, visit_fn visit) {
  builder->active_count = 0;
  for (uint32_t i = 0; i < builder->packing->count; ++i) {
    expire(builder, builder->packing->items[i].begin);
    visit_earlier(builder, i, visit);
    builder->active[builder->active_count++] = i;
  }
}

static void count_pair(gmem_adjacency_t *adjacency, size_t *next,
                       uint32_t earlier, uint32_t later) {
  (void)adjacency;
  ++next[earlier];
  ++next[later];
}

// Every list receives its items in increasing order: earlier items when the
// owner is visited, later items afterwards.
static void list_pair(gmem_adjacency_t *adjacency, size_t *next,
                      uint32_t earlier, uint32_t later) {
  adjacency->neighbours[next[earlier]++] = later;
  adjacency->neighbours[next[later]++] = earlier;
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

static gmem_status_t list_conflicts(builder_t *builder, gmem_diag_t *diag) {
  const gmem_packing_t *packing = builder->packing;
  gmem_adjacency_t *adjacency = builder->adjacency;
  memset(builder->next, 0, packing->count * sizeof *builder->next);
  visit_pairs(builder, count_pair);
  start_lists(builder);
  adjacency->neighbours =
      gmem_planner_alloc(packing->allocator, adjacency->neighbour_count,
                         sizeof *adjacency->neighbours);
  if (!adjacency->neighbours)
    return gmem_planner_out_of_memory(diag);
  visit_pairs(builder, list_pair);
  adjacency->is_complete = true;
  return GMEM_OK;
}

static gmem_status_t build(gmem_adjacency_t *adjacency,
                           const gmem_packing_t *packing, gmem_diag_t *diag) {
  size_t count = packing->count;
  builder_t builder = {.packing = packing, .adjacency = adjacency};
  adjacency->starts = gmem_planner_alloc(packing->allocator, count + 1,
                                         sizeof *adjacency->starts);
  builder.active =
      gmem_planner_alloc(packing->allocator, count, sizeof *builder.active);
  builder.next =
      gmem_planner_alloc(packing->allocator, count, sizeof *builder.next);
  gmem_status_t status = adjacency->starts && builder.active && builder.next
                             ? list_conflicts(&builder, diag)
                             : gmem_planner_out_of_memory(diag);
  gmem_planner_free(packing->allocator, builder.active, count,
                    sizeof *builder.active);
  gmem_planner_free(packing->allocator, builder.next, count,
                    sizeof *builder.next);
  return status;
}

gmem_status_t gmem_adjacency_create(const gmem_packing_t *packing,
                                    size_t max_pairs,
                                    gmem_adjacency_t *adjacency,
                                    gmem_diag_t *diag) {
  *adjacency = (gmem_adjacency_t){.allocator = packing->allocator,
                                  .count = packing->count};
  uint64_t pairs = 0;
  gmem_status_t status = gmem_count_conflicts(packing, NULL, &pairs, diag);
  if (packing->extra)
    pairs += packing->extra_starts[packing->count] / 2;
  if (status != GMEM_OK || pairs > max_pairs)
    return status;
  return build(adjacency, packing, diag);
}

void gmem_adjacency_destroy(gmem_adjacency_t *adjacency) {
  gmem_planner_free(adjacency->allocator, adjacency->starts,
                    (size_t)adjacency->count + 1, sizeof *adjacency->starts);
  gmem_planner_free(adjacency->allocator, adjacency->neighbours,
                    adjacency->neighbour_count, sizeof *adjacency->neighbours);
  *adjacency = (gmem_adjacency_t){0};
}
