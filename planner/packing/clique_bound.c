// clique_bound.c - a lower bound by sets of items of which every two are live
// together at some time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where live ranges have gaps, items may conflict pair by pair without a time
// at which all of them are live:
//
//      a  ####    ####
//      b  ####        ####
//      c      ####    #### ####      a + b + c, but two at a time
//
// The live bytes of such a clique are disjoint, as those of a section are. The
// hulls of its items, from the first to the last use, meet pairwise, and
// intervals that do so share a point. So it suffices to look, section by
// section, for the heaviest clique among the items whose hull covers it, where
// their sum is above the bound so far. The search is a branch and bound with
// colours: items of one colour do not conflict, so only the heaviest of each
// counts (Tomita and Seki, "An efficient branch-and-bound algorithm for finding
// a maximum clique", 2003).

#include <assert.h>
#include <string.h>

#include "exclusive_branches.h"
#include "finer_bounds.h"
#include "live_sets.h"
#include "packing_builder.h"
#include "packing_query.h"

enum {
  BITS = 64,
  WORDS = 4,
  MOST = WORDS * BITS, // vertices of one search: the heaviest
};

// Steps of all searches: some milliseconds, and more for many items.
static const uint64_t FEW_STEPS = 1 << 21, STEPS_PER_ITEM = 1 << 10,
                      MOST_STEPS = 1 << 23;

// A part of an item: bytes that are live at the same times.
typedef struct vertex_s {
  const gmem_span_t *spans;
  uint32_t span_count, item;
  uint64_t bytes, slack; // see gmem_taken_bytes
  uint32_t rank;         // by bytes: that of the heaviest is 0
} vertex_t;

typedef struct bits_s {
  uint64_t words[WORDS];
} bits_t;

// A node of the search: the candidates that conflict with all chosen vertices.
typedef struct level_s {
  bits_t candidates;
  uint32_t count;        // of those that are listed
  uint8_t list[MOST];    // the last is tried first
  uint64_t bounds[MOST]; // of a clique in the list up to this one
  uint64_t bytes, slack; // of the chosen ones: the sum, and the largest
} level_t;

typedef struct search_s {
  const gmem_packing_t *packing;
  bool is_mirrored;   // time runs backwards
  gmem_span_t *spans; // those of the packing in this direction
  vertex_t *vertices;
  gmem_span_t *hulls; // of all vertices
  uint64_t *weights;  // and their bytes
  size_t count;
  gmem_order_t *by_rank; // vertices, the heaviest first; and scratch
  uint64_t *marks;       // bits by rank: of those whose hulls cover a section
  uint32_t chosen[MOST]; // the heaviest of these
  uint32_t chosen_count;
  bits_t *neighbours; // by position in |chosen|
  level_t *levels;
  uint64_t best;         // bytes of the heaviest clique, or the bound
  uint64_t steps, limit; // units of work
} search_t;

//===--- the graph --------------------------------------------------------===//

static bool exclude_each_other(const search_t *search, const vertex_t *a,
                               const vertex_t *b) {
  const gmem_packing_t *packing = search->packing;
  const gmem_item_t *x = &packing->items[a->item];
  const gmem_item_t *y = &packing->items[b->item];
  return x->has_branches && y->has_branches &&
         gmem_buffers_exclude(gmem_member_spec(packing, x->member),
                              gmem_member_spec(packing, y->member));
}

static const vertex_t *vertex_at(const search_t *search, uint32_t position) {
  return &search->vertices[search->chosen[position]];
}

// Counts the spans that are compared as steps, eight as one.
static bool conflict(search_t *search, const vertex_t *a, const vertex_t *b) {
  search->steps +=
      (a->span_count < b->span_count ? a->span_count : b->span_count) / 8;
  return gmem_spans_meet(a->spans, a->span_count, b->spans, b->span_count) &&
         !exclude_each_other(search, a, b);
}

static void list_neighbours(search_t *search) {
  uint32_t count = search->chosen_count;
  memset(search->neighbours, 0, count * sizeof *search->neighbours);
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t k = 0; k < i; ++k) {
      if (!conflict(search, vertex_at(search, i), vertex_at(search, k)))
        continue;
      search->neighbours[i].words[k / BITS] |= UINT64_C(1) << k % BITS;
      search->neighbours[k].words[i / BITS] |= UINT64_C(1) << i % BITS;
    }
  search->steps += (uint64_t)count * count;
}

//===--- branch and bound -------------------------------------------------===//

// The first vertex of |bits|, or MOST.
static uint32_t first_of(const bits_t *bits) {
  for (uint32_t w = 0; w < WORDS; ++w)
    if (bits->words[w])
      return w * BITS + (uint32_t)__builtin_ctzll(bits->words[w]);
  return MOST;
}

static void remove_from(bits_t *bits, uint32_t vertex) {
  bits->words[vertex / BITS] &= ~(UINT64_C(1) << vertex % BITS);
}

// Colours the candidates. They are in order of bytes: the first of a colour is
// the heaviest.
static void colour(search_t *search, level_t *level) {
  bits_t left = level->candidates;
  uint64_t sum = level->bytes;
  level->count = 0;
  for (uint32_t first; (first = first_of(&left)) < MOST;) {
    bits_t same = left;
    sum += vertex_at(search, first)->bytes;
    for (uint32_t next; (next = first_of(&same)) < MOST;) {
      for (uint32_t w = 0; w < WORDS; ++w)
        same.words[w] &= ~search->neighbours[next].words[w];
      remove_from(&same, next);
      remove_from(&left, next);
      level->bounds[level->count] = sum;
      level->list[level->count++] = (uint8_t)next;
    }
  }
  search->steps += WORDS * (1 + (uint64_t)level->count);
}

// Adds the last listed candidate of |level|, which conflicts with all chosen
// vertices, to them.
static void descend(search_t *search, level_t *level) {
  uint32_t next = level->list[--level->count];
  const vertex_t *vertex = vertex_at(search, next);
  level_t *below = level + 1;
  remove_from(&level->candidates, next);
  for (uint32_t w = 0; w < WORDS; ++w)
    below->candidates.words[w] =
        level->candidates.words[w] & search->neighbours[next].words[w];
  below->bytes = level->bytes + vertex->bytes;
  below->slack = level->slack > vertex->slack ? level->slack : vertex->slack;
  if (below->bytes - below->slack > search->best)
    search->best = below->bytes - below->slack;
  colour(search, below);
}

// Finds the heaviest clique of the chosen vertices if it is above the best.
static void find_clique(search_t *search) {
  level_t *level = search->levels;
  *level = (level_t){.count = 0};
  for (uint32_t i = 0; i < search->chosen_count; ++i)
    level->candidates.words[i / BITS] |= UINT64_C(1) << i % BITS;
  colour(search, level);
  while (search->steps < search->limit) {
    if (level->count && level->bounds[level->count - 1] > search->best) {
      descend(search, level++);
      continue;
    }
    if (level == search->levels)
      return;
    --level;
  }
}

//===--- sections ---------------------------------------------------------===//

// Chooses the heaviest vertices of the set.
static void choose(search_t *search, const gmem_live_sets_t *sets) {
  size_t words = (search->count + BITS - 1) / BITS;
  memset(search->marks, 0, words * sizeof *search->marks);
  for (size_t i = 0; i < sets->live_count; ++i) {
    uint32_t rank = search->vertices[sets->live[i]].rank;
    search->marks[rank / BITS] |= UINT64_C(1) << rank % BITS;
  }
  search->chosen_count = 0;
  for (size_t w = 0; w < words; ++w)
    for (uint64_t left = search->marks[w]; left && search->chosen_count < MOST;
         left &= left - 1)
      search->chosen[search->chosen_count++] =
          search->by_rank[w * BITS + (size_t)__builtin_ctzll(left)].index;
  search->steps += words + sets->live_count;
}

// Searches among the heaviest vertices whose hulls share a section, if the sum
// of all is above the best.
static void look_at(search_t *search, const gmem_live_sets_t *sets) {
  if (sets->weight <= search->best)
    return;
  choose(search, sets);
  list_neighbours(search);
  find_clique(search);
}

// The rank of every set of vertices whose hulls share a section: the heaviest
// has rank 0.
static gmem_status_t rank_sets(search_t *search, gmem_live_sets_t *sets,
                               gmem_scratch_t *memory, uint32_t **out_ranks,
                               size_t *out_count) {
  gmem_order_t *order;
  size_t count = 0;
  GMEM_TRY_NEW(order, memory, 2 * search->count);
  GMEM_TRY_NEW(*out_ranks, memory, search->count);
  for (; gmem_live_sets_next(sets); ++count)
    order[count] = (gmem_order_t){~sets->weight, (uint32_t)count};
  gmem_sort_order(order, order + search->count, count);
  for (uint32_t i = 0; i < count; ++i)
    (*out_ranks)[order[i].index] = i;
  *out_count = count;
  return GMEM_OK;
}

// Roughly the heaviest sets first: what they raise the bound to saves most of
// the others. Each pass looks at three times as many as those before.
static gmem_status_t look_at_all(search_t *search, gmem_scratch_t *memory) {
  gmem_live_sets_t sets;
  uint32_t *ranks;
  size_t count;
  GMEM_TRY(gmem_live_sets_create(search->hulls, search->weights, search->count,
                                 memory, &sets));
  GMEM_TRY(rank_sets(search, &sets, memory, &ranks, &count));
  for (size_t first = 0, end = 1;
       first < count && search->steps < search->limit; first = end, end *= 4) {
    gmem_live_sets_restart(&sets);
    for (size_t i = 0;
         search->steps < search->limit && gmem_live_sets_next(&sets); ++i)
      if (ranks[i] >= first && ranks[i] < end)
        look_at(search, &sets);
    search->steps += search->count;
  }
  return GMEM_OK;
}

//===--- set-up -----------------------------------------------------------===//

static gmem_span_t in_direction(const search_t *search, gmem_span_t span) {
  const gmem_packing_t *packing = search->packing;
  uint32_t both = 2 * packing->first_section + packing->section_count;
  return search->is_mirrored ? (gmem_span_t){both - span.end, both - span.begin}
                             : span;
}

static void list_spans(search_t *search) {
  const gmem_packing_t *packing = search->packing;
  for (size_t i = 0; i < packing->part_count; ++i) {
    const gmem_part_t *part = &packing->parts[i];
    for (uint32_t k = 0; k < part->span_count; ++k)
      search->spans[part->span +
                    (search->is_mirrored ? part->span_count - 1 - k : k)] =
          in_direction(search, packing->spans[part->span + k]);
  }
}

// Depends on what the vertex is, not on its number.
static uint64_t tie_of(const vertex_t *vertex) {
  uint64_t tie = gmem_mix(vertex->slack);
  for (uint32_t i = 0; i < vertex->span_count; ++i)
    tie = gmem_mix(
        tie ^ ((uint64_t)vertex->spans[i].begin << 32 | vertex->spans[i].end));
  return tie;
}

// Part |part| of an item, or the whole of one that has no parts.
static void describe(search_t *search, uint32_t index, uint32_t part) {
  const gmem_packing_t *packing = search->packing;
  const gmem_item_t *item = &packing->items[index];
  vertex_t *vertex = &search->vertices[search->count];
  gmem_span_t *hull = &search->hulls[search->count];
  gmem_live_part_t live = {.end = item->size};
  *hull = in_direction(search, (gmem_span_t){item->begin, item->end});
  *vertex = (vertex_t){.spans = hull, .span_count = 1, .item = index};
  if (item->part_count) {
    const gmem_part_t *self = &packing->parts[item->part + part];
    live = (gmem_live_part_t){.begin = self->begin, .end = self->end};
    vertex->spans = search->spans + self->span;
    vertex->span_count = self->span_count;
    hull->begin = vertex->spans[0].begin;
    hull->end = vertex->spans[self->span_count - 1].end;
  }
  vertex->bytes =
      gmem_taken_bytes(item, &live, packing->granule, &vertex->slack);
  search->weights[search->count++] = vertex->bytes;
}

// Lists the parts of all items. False when their sum exceeds every address.
static bool list_vertices(search_t *search) {
  const gmem_packing_t *packing = search->packing;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < packing->count; ++i)
    for (uint32_t k = 0; k < packing->items[i].part_count || k == 0; ++k) {
      describe(search, i, k);
      if (!gmem_add_bytes(sum, search->vertices[search->count - 1].bytes, &sum))
        return false;
    }
  return true;
}

static void rank_vertices(search_t *search) {
  gmem_order_t *order = search->by_rank, *scratch = order + search->count;
  for (size_t i = 0; i < search->count; ++i)
    order[i] = (gmem_order_t){tie_of(&search->vertices[i]), (uint32_t)i};
  gmem_sort_order(order, scratch, search->count);
  for (size_t i = 0; i < search->count; ++i)
    order[i].key = ~search->vertices[order[i].index].bytes;
  gmem_sort_order(order, scratch, search->count);
  for (size_t i = 0; i < search->count; ++i)
    search->vertices[order[i].index].rank = (uint32_t)i;
}

static gmem_status_t search_all(search_t *search, gmem_scratch_t *memory) {
  const gmem_packing_t *packing = search->packing;
  size_t most = packing->count + packing->part_count;
  GMEM_TRY_NEW(search->spans, memory, packing->span_count);
  GMEM_TRY_NEW(search->vertices, memory, most);
  GMEM_TRY_NEW(search->hulls, memory, most);
  GMEM_TRY_NEW(search->weights, memory, most);
  GMEM_TRY_NEW(search->by_rank, memory, 2 * most);
  GMEM_TRY_NEW(search->marks, memory, most / BITS + 1);
  GMEM_TRY_NEW(search->neighbours, memory, MOST);
  GMEM_TRY_NEW(search->levels, memory, MOST + 1);
  list_spans(search);
  if (!list_vertices(search))
    return GMEM_OK;
  rank_vertices(search);
  return look_at_all(search, memory);
}

// Raises *best. *out_is_complete: the work did not end the search.
static gmem_status_t search_direction(gmem_packing_t *packing, bool is_mirrored,
                                      uint64_t *best, bool *out_is_complete,
                                      gmem_diag_t *diag) {
  uint64_t steps = FEW_STEPS + STEPS_PER_ITEM * packing->count;
  gmem_scratch_t memory = {.allocator = packing->allocator, .diag = diag};
  search_t search = {.packing = packing,
                     .is_mirrored = is_mirrored,
                     .best = *best,
                     .limit = steps < MOST_STEPS ? steps : MOST_STEPS};
  gmem_status_t status = search_all(&search, &memory);
  gmem_scratch_free(&memory);
  packing->bound_steps += search.steps;
  *best = search.best;
  *out_is_complete = search.steps < search.limit;
  return status;
}

// A search that the work ends depends on where it began. So it is repeated
// backwards in time: the bound of a problem is that of its mirror image.
gmem_status_t gmem_raise_bound_by_cliques(gmem_packing_t *packing,
                                          gmem_diag_t *diag) {
  uint64_t first = (0 - packing->base) & (packing->granule - 1);
  uint64_t best = packing->bound > first ? packing->bound - first : 0;
  uint64_t mirrored = best;
  bool is_complete;
  if (packing->part_count == 0 || packing->bound > GMEM_MAX_ADDRESS)
    return GMEM_OK;
  GMEM_TRY(search_direction(packing, false, &best, &is_complete, diag));
  if (!is_complete)
    GMEM_TRY(search_direction(packing, true, &mirrored, &is_complete, diag));
  best = mirrored > best ? mirrored : best;
  if (best + first > packing->bound)
    packing->bound = best + first;
  return GMEM_OK;
}
