// branch_and_bound_state.c - one step of the tree search: places an item,
// raises the floors of the others, and detects infeasible remainders early.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "branch_and_bound_state.h"

#include <assert.h>

#include "exclusive_branches.h"
#include "packing.h"

#define PLACED UINT64_MAX

enum { BITS = GMEM_SECTION_BITS };

// The sections of |item|, from the result up to *end. Only subsets of plain
// packings have a first section other than 0.
static const gmem_span_t *spans_of(const gmem_tree_t *tree, uint32_t item,
                                   const gmem_span_t **end) {
  const gmem_packing_t *packing = tree->packing;
  const gmem_span_t *first = &tree->items[item].span;
  uint32_t count = 1;
  if (!packing->is_plain && packing->items[item].part_count) {
    const gmem_part_t *part = &packing->parts[packing->items[item].part];
    first = packing->spans + part->span;
    count = part->span_count;
  }
  *end = first + count;
  return first;
}

//===--- floors -----------------------------------------------------------===//

// The highest end of the fixed neighbours that [offset, offset + extent)
// overlaps, or |offset|.
static uint64_t above_fixed(gmem_tree_t *tree, uint32_t item, uint64_t offset) {
  const gmem_item_t *items = tree->packing->items;
  const gmem_adjacency_t *adjacency = &tree->adjacency;
  uint64_t above = offset;
  tree->work += tree->fixed_ends[item] - adjacency->starts[item];
  for (size_t i = adjacency->starts[item]; i < tree->fixed_ends[item]; ++i) {
    const gmem_item_t *other = &items[adjacency->neighbours[i]];
    if (other->fixed_offset < offset + items[item].size &&
        offset < other->fixed_offset + other->extent &&
        above < other->fixed_offset + other->extent)
      above = other->fixed_offset + other->extent;
  }
  return above;
}

uint64_t gmem_stack_raise(gmem_tree_t *tree, uint32_t item, uint64_t offset) {
  const gmem_packing_t *packing = tree->packing;
  if (packing->is_plain)
    return offset;
  for (;;) {
    uint64_t aligned, above;
    if (offset > GMEM_MAX_ADDRESS ||
        !gmem_item_align(packing, &packing->items[item], offset, &aligned))
      return UINT64_MAX / 2;
    above = above_fixed(tree, item, aligned);
    if (above == aligned)
      return aligned;
    offset = above;
  }
}

//===--- what a section needs ---------------------------------------------===//

uint64_t gmem_stack_need(const gmem_tree_t *tree, uint32_t section,
                         uint64_t floor) {
  uint64_t end = floor + tree->loads[section] +
                 gmem_blocked_above(&tree->blocks, section, floor);
  uint64_t most = end > tree->slacks[section] ? end - tree->slacks[section] : 0;
  for (uint32_t i = 0; i < tree->coarse_count; ++i) {
    const gmem_coarse_loads_t *coarse = &tree->coarse[i];
    uint64_t base = tree->packing->base;
    if (coarse->loads[section] == 0)
      continue;
    end = gmem_round_up(base + floor, coarse->granule) - base +
          coarse->loads[section] - coarse->slacks[section];
    most = end > most ? end : most;
  }
  return most;
}

bool gmem_stack_allows(gmem_tree_t *tree, uint64_t needed) {
  if (needed <= tree->capacity)
    return true;
  tree->needed = needed < tree->needed ? needed : tree->needed;
  return false;
}

// Whether the unplaced items of |section| may fit above |floor|.
static bool section_fits(gmem_tree_t *tree, uint32_t section, uint64_t floor) {
  if (gmem_stack_allows(tree, gmem_stack_need(tree, section, floor)))
    return true;
  tree->failures[section] += GMEM_FAILURE_WEIGHT;
  return false;
}

//===--- open sections ----------------------------------------------------===//

// The bits of |span| in word |word|.
static uint64_t bits_of(gmem_span_t span, uint32_t word) {
  uint64_t bits = UINT64_MAX;
  if (span.begin > word * BITS)
    bits <<= span.begin - word * BITS;
  if (span.end < (word + 1) * BITS)
    bits &= UINT64_MAX >> ((word + 1) * BITS - span.end);
  return bits;
}

static void open_span(gmem_tree_t *tree, gmem_span_t span) {
  for (uint32_t w = span.begin / BITS; w <= (span.end - 1) / BITS; ++w)
    tree->open[w] |= bits_of(span, w);
}

static uint32_t count_open(const gmem_tree_t *tree,
                           const gmem_branch_point_t *point) {
  uint32_t count = 0;
  for (uint32_t w = point->begin / BITS; w <= (point->end - 1) / BITS; ++w)
    count += (uint32_t)__builtin_popcountll(tree->open[w]);
  return count;
}

// Sets the floor of the open sections of |span| to |floor| and closes them.
// False when the unplaced items of one of them do not fit above it.
static bool set_floor(gmem_tree_t *tree, gmem_span_t span, uint64_t floor,
                      uint32_t *open) {
  for (uint32_t w = span.begin / BITS; w <= (span.end - 1) / BITS; ++w) {
    uint64_t bits = tree->open[w] & bits_of(span, w);
    tree->open[w] ^= bits;
    for (; bits; bits &= bits - 1, --*open) {
      uint32_t s = w * BITS + (uint32_t)__builtin_ctzll(bits);
      if (!section_fits(tree, s, floor))
        return false;
    }
  }
  return true;
}

//===--- placement --------------------------------------------------------===//

// The bytes of |item| that count in its sections: none for an item in branches,
// which may share bytes with items that are live at the same time.
static uint64_t load_of(const gmem_tree_t *tree, uint32_t item) {
  const gmem_item_t *self = &tree->packing->items[item];
  return self->has_branches ? 0 : self->extent;
}

// Adds |item| to the coarse loads, or subtracts it.
static void change_coarse(gmem_tree_t *tree, uint32_t item, bool adds) {
  for (uint32_t i = 0; i < tree->coarse_count; ++i) {
    uint64_t *loads = tree->coarse[i].loads;
    uint64_t taken = tree->coarse[i].taken[item];
    const gmem_span_t *end, *span = spans_of(tree, item, &end);
    taken = adds ? taken : 0 - taken;
    for (; taken && span < end; ++span)
      for (uint32_t s = span->begin; s < span->end; ++s)
        loads[s] += taken;
  }
}

void gmem_stack_add_load(gmem_tree_t *tree, uint32_t item) {
  gmem_span_t hull = tree->items[item].span;
  uint64_t extent = load_of(tree, item);
  const gmem_span_t *end, *span = spans_of(tree, item, &end);
  change_coarse(tree, item, true);
  for (; span < end; ++span)
    for (uint32_t s = span->begin; s < span->end; ++s)
      tree->loads[s] += extent;
  for (uint32_t s = hull.begin + 1; s < hull.end; ++s)
    ++tree->crossings[s];
}

void gmem_stack_undo(gmem_tree_t *tree, size_t count) {
  while (tree->undo_count > count) {
    gmem_undo_t undo = tree->undo[--tree->undo_count];
    if (undo.floor == PLACED) {
      tree->placed[undo.item] = false;
      gmem_stack_add_load(tree, undo.item);
    } else {
      tree->items[undo.item].floor = undo.floor;
    }
  }
}

static void remember(gmem_tree_t *tree, uint32_t item, uint64_t floor) {
  assert(tree->undo_count < tree->undo_room);
  tree->undo[tree->undo_count++] = (gmem_undo_t){floor, item};
}

// Subtracts |item| from the unplaced bytes of its sections. False when the rest
// of one of them does not fit above it.
static bool take_load(gmem_tree_t *tree, uint32_t item, uint64_t top) {
  gmem_span_t hull = tree->items[item].span;
  uint64_t extent = load_of(tree, item);
  const gmem_span_t *end, *span = spans_of(tree, item, &end);
  bool fits = true;
  change_coarse(tree, item, false);
  for (; span < end; ++span)
    for (uint32_t s = span->begin; s < span->end; ++s) {
      tree->loads[s] -= extent;
      if (!tree->loads[s])
        continue;
      tree->open[s / BITS] |= UINT64_C(1) << s % BITS;
      fits &= section_fits(tree, s, top);
    }
  tree->is_cut = false;
  for (uint32_t s = hull.begin + 1; s < hull.end; ++s)
    tree->is_cut |= --tree->crossings[s] == 0;
  return fits;
}

static void mark_neighbours(gmem_tree_t *tree, uint32_t item) {
  const gmem_adjacency_t *adjacency = &tree->adjacency;
  tree->work += adjacency->starts[item + 1] - adjacency->starts[item];
  for (size_t i = adjacency->starts[item]; i < adjacency->starts[item + 1]; ++i)
    tree->marks[adjacency->neighbours[i]] = item;
}

static bool conflicts(const gmem_tree_t *tree, uint32_t item, uint32_t other) {
  if (!tree->packing->is_plain)
    return tree->marks[other] == item;
  gmem_span_t a = tree->items[item].span, b = tree->items[other].span;
  return b.begin < a.end && a.begin < b.end;
}

// By floor, then rank.
static bool goes_before(const gmem_tree_t *tree, uint32_t a, uint32_t b) {
  const gmem_tree_item_t *x = &tree->items[a], *y = &tree->items[b];
  return x->floor != y->floor ? x->floor < y->floor : x->rank < y->rank;
}

uint32_t gmem_stack_insert(const gmem_tree_t *tree, uint32_t *list,
                           uint32_t count, uint32_t item) {
  uint32_t place = count;
  for (; place && goes_before(tree, item, list[place - 1]); --place)
    list[place] = list[place - 1];
  list[place] = item;
  return place;
}

// Raises the floors of items that interfere with |item|, now placed with its
// end at |top|, and lists the unplaced items of |point| by floor and rank.
// Returns the length of the new list at the end of |lists|, or 0 with *fits
// false.
//
// The old list is sorted, and the raised items are all at |top|, so a merge
// suffices. Alignments or fixed items may put some higher, which requires a
// sort.
static uint32_t raise_floors(gmem_tree_t *tree,
                             const gmem_branch_point_t *point, uint32_t item,
                             uint64_t top, bool *fits) {
  gmem_tree_item_t *items = tree->items;
  const uint32_t *old = tree->lists + point->items;
  uint32_t *list = tree->lists + tree->list_end;
  uint32_t kept = 0, raised = 0;
  for (uint32_t i = 0; i < point->item_count; ++i) {
    uint32_t other = old[i];
    if (other == item)
      continue;
    if (items[other].floor >= top || !conflicts(tree, item, other)) {
      list[kept++] = other;
      continue;
    }
    remember(tree, other, items[other].floor);
    items[other].floor = gmem_stack_raise(tree, other, top);
    *fits &= gmem_stack_allows(tree, items[other].floor + items[other].size);
    tree->work += raised - gmem_stack_insert(tree, tree->raised, raised, other);
    ++raised;
    open_span(tree, items[other].span);
  }
  if (!*fits)
    return 0;
  // Merges from the back, into the space after the kept items.
  uint32_t count = kept + raised;
  for (uint32_t k = kept, r = raised, next = count; r > 0;) {
    if (k > 0 && goes_before(tree, tree->raised[r - 1], list[k - 1]))
      list[--next] = list[--k];
    else
      list[--next] = tree->raised[--r];
  }
  return count;
}

//===--- section inference ------------------------------------------------===//

// Whether in every open section the unplaced items (the |count| items of
// |list|) may fit above their lowest floor. The list is sorted by floor, so
// each section is tested once, at its first item. Sections that are not open
// have an unchanged floor, or |lowest|, which was tested before.
static bool sections_fit(gmem_tree_t *tree, const gmem_branch_point_t *point,
                         const uint32_t *list, uint32_t count,
                         uint64_t lowest) {
  uint32_t open = count_open(tree, point);
  for (uint32_t i = 0; i < count && open; ++i) {
    uint64_t floor = tree->items[list[i]].floor;
    const gmem_span_t *end, *span = spans_of(tree, list[i], &end);
    for (; span < end; ++span)
      if (!set_floor(tree, *span, floor < lowest ? lowest : floor, &open))
        return false;
  }
  return true;
}

uint32_t gmem_stack_place(gmem_tree_t *tree, const gmem_branch_point_t *point,
                          uint32_t item, bool *fits) {
  uint64_t offset = tree->items[item].floor;
  uint64_t top = offset + tree->packing->items[item].extent;
  tree->placed[item] = true;
  remember(tree, item, PLACED);
  for (uint32_t w = point->begin / BITS; w <= (point->end - 1) / BITS; ++w)
    tree->open[w] = 0;
  *fits = take_load(tree, item, top);
  if (!*fits)
    return 0;
  if (!tree->packing->is_plain)
    mark_neighbours(tree, item);
  uint32_t count = raise_floors(tree, point, item, top, fits);
  if (*fits)
    *fits =
        sections_fit(tree, point, tree->lists + tree->list_end, count, offset);
  return count;
}
