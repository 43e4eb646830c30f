// branch_and_bound_state.c - one step of the tree search: places an item,
// raises the floors of the others, and detects infeasible remainders early.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "branch_and_bound_state.h"

#include <assert.h>

#include "packing.h"

#define PLACED UINT64_MAX

enum { BITS = GMEM_SECTION_BITS };

// The sections of |item|; |whole| is storage for the result. Only subsets of
// plain packings have a first section other than 0.
static const gmem_span_t *spans_of(const gmem_branch_and_bound_t *tree,
                                   uint32_t item, gmem_span_t *whole,
                                   uint32_t *count) {
  const gmem_packing_t *packing = tree->packing;
  if (!packing->is_plain && packing->items[item].part_count) {
    const gmem_part_t *part = &packing->parts[packing->items[item].part];
    *count = part->span_count;
    return packing->spans + part->span;
  }
  *whole = (gmem_span_t){tree->items[item].begin, tree->items[item].end};
  *count = 1;
  return whole;
}

//===--- floors -----------------------------------------------------------===//

// The highest end of the fixed neighbours that [offset, offset + extent)
// overlaps, or |offset|.
static uint64_t above_fixed(gmem_branch_and_bound_t *tree, uint32_t item,
                            uint64_t offset) {
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

uint64_t gmem_stack_raise(gmem_branch_and_bound_t *tree, uint32_t item,
                          uint64_t offset) {
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

static void open_span(gmem_branch_and_bound_t *tree, gmem_span_t span) {
  for (uint32_t w = span.begin / BITS; w <= (span.end - 1) / BITS; ++w)
    tree->open[w] |= bits_of(span, w);
}

static void close_all(gmem_branch_and_bound_t *tree,
                      const gmem_branch_point_t *point) {
  for (uint32_t w = point->begin / BITS; w <= (point->end - 1) / BITS; ++w)
    tree->open[w] = 0;
}

static uint32_t count_open(const gmem_branch_and_bound_t *tree,
                           const gmem_branch_point_t *point) {
  uint32_t count = 0;
  for (uint32_t w = point->begin / BITS; w <= (point->end - 1) / BITS; ++w)
    count += (uint32_t)__builtin_popcountll(tree->open[w]);
  return count;
}

// Sets the floor of the open sections of |span| to |floor| and closes them.
// False when the unplaced items of one of them do not fit above it.
static bool set_floor(gmem_branch_and_bound_t *tree, gmem_span_t span,
                      uint64_t floor, uint32_t *open) {
  for (uint32_t w = span.begin / BITS; w <= (span.end - 1) / BITS; ++w) {
    uint64_t bits = tree->open[w] & bits_of(span, w);
    tree->open[w] ^= bits;
    for (; bits; bits &= bits - 1, --*open) {
      uint32_t s = w * BITS + (uint32_t)__builtin_ctzll(bits);
      if (floor + tree->loads[s] <= tree->capacity + tree->slacks[s])
        continue;
      tree->failures[s] += GMEM_FAILURE_WEIGHT;
      return false;
    }
  }
  return true;
}

//===--- placement --------------------------------------------------------===//

// The bytes of |item| that count in its sections: none for an item in branches,
// which may share bytes with items that are live at the same time.
static uint64_t load_of(const gmem_branch_and_bound_t *tree, uint32_t item) {
  const gmem_item_t *self = &tree->packing->items[item];
  return self->has_branches ? 0 : self->extent;
}

void gmem_stack_add_load(gmem_branch_and_bound_t *tree, uint32_t item) {
  gmem_span_t whole;
  uint32_t count;
  uint64_t extent = load_of(tree, item);
  const gmem_span_t *span = spans_of(tree, item, &whole, &count);
  for (; count; --count, ++span)
    for (uint32_t s = span->begin; s < span->end; ++s)
      tree->loads[s] += extent;
  for (uint32_t s = tree->items[item].begin + 1; s < tree->items[item].end; ++s)
    ++tree->crossings[s];
}

void gmem_stack_undo(gmem_branch_and_bound_t *tree, size_t count) {
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

static void remember(gmem_branch_and_bound_t *tree, uint32_t item,
                     uint64_t floor) {
  assert(tree->undo_count < tree->undo_room);
  tree->undo[tree->undo_count++] = (gmem_undo_t){floor, item};
}

static void open_section(gmem_branch_and_bound_t *tree, uint32_t section) {
  tree->open[section / BITS] |= UINT64_C(1) << section % BITS;
}

// Subtracts |item| from the unplaced bytes of its sections. False when the rest
// of one of them does not fit above it.
static bool take_load(gmem_branch_and_bound_t *tree, uint32_t item,
                      uint64_t top) {
  gmem_span_t whole;
  uint32_t count;
  uint64_t extent = load_of(tree, item);
  const gmem_span_t *span = spans_of(tree, item, &whole, &count);
  bool fits = true;
  for (; count; --count, ++span)
    for (uint32_t s = span->begin; s < span->end; ++s) {
      tree->loads[s] -= extent;
      if (!tree->loads[s])
        continue;
      open_section(tree, s);
      if (top + tree->loads[s] <= tree->capacity + tree->slacks[s])
        continue;
      tree->failures[s] += GMEM_FAILURE_WEIGHT;
      fits = false;
    }
  tree->is_cut = false;
  for (uint32_t s = tree->items[item].begin + 1; s < tree->items[item].end; ++s)
    tree->is_cut |= --tree->crossings[s] == 0;
  return fits;
}

static void mark_neighbours(gmem_branch_and_bound_t *tree, uint32_t item) {
  const gmem_adjacency_t *adjacency = &tree->adjacency;
  tree->work += adjacency->starts[item + 1] - adjacency->starts[item];
  for (size_t i = adjacency->starts[item]; i < adjacency->starts[item + 1]; ++i)
    tree->marks[adjacency->neighbours[i]] = item;
}

static bool conflicts(const gmem_branch_and_bound_t *tree, uint32_t item,
                      uint32_t other) {
  const gmem_tree_item_t *items = tree->items;
  if (!tree->packing->is_plain)
    return tree->marks[other] == item;
  return items[other].begin < items[item].end &&
         items[item].begin < items[other].end;
}

bool gmem_stack_goes_before(const gmem_branch_and_bound_t *tree, uint32_t a,
                            uint32_t b) {
  if (tree->items[a].floor != tree->items[b].floor)
    return tree->items[a].floor < tree->items[b].floor;
  return tree->items[a].rank < tree->items[b].rank;
}

// Inserts by floor, then rank.
static void add_raised(gmem_branch_and_bound_t *tree, uint32_t count,
                       uint32_t item) {
  uint32_t place = count;
  for (; place && gmem_stack_goes_before(tree, item, tree->raised[place - 1]);
       --place)
    tree->raised[place] = tree->raised[place - 1];
  tree->raised[place] = item;
  tree->work += count - place;
}

// Raises the floors of items that interfere with |item|, now placed with its
// end at |top|, and lists the unplaced items of |point| by floor and rank.
// Returns the length of the new list at the end of |lists|, or 0 with *fits
// false.
//
// The old list is sorted, and the raised items are all at |top|, so a merge
// suffices. Alignments or fixed items may put some higher, which requires a
// sort.
static uint32_t raise_floors(gmem_branch_and_bound_t *tree,
                             const gmem_branch_point_t *point, uint32_t item,
                             uint64_t top, bool *fits) {
  const gmem_tree_item_t *items = tree->items;
  const uint32_t *old = tree->lists + point->items;
  uint32_t *list = tree->lists + tree->list_end;
  uint32_t kept = 0, raised = 0;
  for (uint32_t i = 0; i < point->item_count; ++i) {
    uint32_t other = old[i];
    if (other == item)
      continue;
    if (tree->items[other].floor >= top || !conflicts(tree, item, other)) {
      list[kept++] = other;
      continue;
    }
    remember(tree, other, tree->items[other].floor);
    tree->items[other].floor = gmem_stack_raise(tree, other, top);
    if (tree->items[other].floor + items[other].size > tree->capacity)
      *fits = false;
    add_raised(tree, raised++, other);
    open_span(tree, (gmem_span_t){items[other].begin, items[other].end});
  }
  if (!*fits)
    return 0;
  // Merges from the back, into the space after the kept items.
  uint32_t count = kept + raised;
  for (uint32_t k = kept, r = raised, next = count; r > 0;) {
    if (k > 0 && gmem_stack_goes_before(tree, tree->raised[r - 1], list[k - 1]))
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
static bool sections_fit(gmem_branch_and_bound_t *tree,
                         const gmem_branch_point_t *point, const uint32_t *list,
                         uint32_t count, uint64_t lowest) {
  uint32_t open = count_open(tree, point);
  for (uint32_t i = 0; i < count && open; ++i) {
    uint64_t floor = tree->items[list[i]].floor;
    gmem_span_t whole;
    uint32_t spans;
    const gmem_span_t *span = spans_of(tree, list[i], &whole, &spans);
    for (; spans; --spans, ++span)
      if (!set_floor(tree, *span, floor < lowest ? lowest : floor, &open))
        return false;
  }
  return true;
}

uint32_t gmem_stack_place(gmem_branch_and_bound_t *tree,
                          const gmem_branch_point_t *point, uint32_t item,
                          bool *fits) {
  uint64_t offset = tree->items[item].floor;
  uint64_t top = offset + tree->packing->items[item].extent;
  tree->offsets[item] = offset;
  tree->placed[item] = true;
  remember(tree, item, PLACED);
  close_all(tree, point);
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
