// branch_and_bound.c - one tree search: decides whether the items can be
// stacked below a capacity.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// After Michael D. Moffitt, "MiniMalloc: A Lightweight Memory Allocator for
// Hardware-Accelerated Machine Learning", ASPLOS 2023: canonical placements,
// section inference, dominance, dynamic decomposition.
//
// If a placement exists, a *canonical* one does, in which no item can be moved
// down: each rests on the bottom, on another item or on a fixed one. So it
// suffices to place items by rising offset, each at its *floor*: the lowest
// aligned offset above all placed items that are live together with it. A node
// of the tree is a set of placed items; its children place one more.
//
// * order: at equal offsets ranks rise, so each set is reached in one order
//   only
// * dominance: an offset is skipped when another item fits completely below it,
//   because that item could then still move down
// * sections: the unplaced items of a section are above the lowest floor in it,
//   so lowest floor + their total size must not exceed the capacity
// * twins: of equal items the first is placed first
// * decomposition: when no unplaced item crosses a cut in time, the two sides
//   are searched separately; a side that fails is not retried for every
//   placement of the other
//
// The search uses explicit stacks instead of recursion.

#include "branch_and_bound.h"

#include <assert.h>
#include <string.h>

#include "exclusive_branches.h"

#define NO_POINT UINT32_MAX

enum { ITEM_LIMIT = 3000 };

//===--- create -----------------------------------------------------------===//

bool gmem_branch_and_bound_supports(const gmem_packing_t *packing) {
  if (packing->count > ITEM_LIMIT)
    return false;
  for (uint32_t i = 0; i < packing->count; ++i)
    if (packing->items[i].part_count > 1)
      return false;
  return true;
}

static gmem_status_t allocate(gmem_tree_t *tree, size_t pairs,
                              gmem_scratch_t *memory) {
  size_t count = tree->packing->count;
  size_t sections = (size_t)tree->packing->section_count + 1;
  GMEM_TRY_NEW(tree->items, memory, count);
  GMEM_TRY_NEW(tree->placed, memory, count);
  GMEM_TRY_NEW(tree->marks, memory, count);
  GMEM_TRY_NEW(tree->raised, memory, count);
  GMEM_TRY_NEW(tree->loads, memory, sections);
  GMEM_TRY_ZEROS(tree->slacks, memory, sections);
  GMEM_TRY_NEW(tree->open, memory, sections / GMEM_SECTION_BITS + 1);
  GMEM_TRY_NEW(tree->crossings, memory, sections);
  GMEM_TRY_NEW(tree->reach, memory, sections);
  // On a path down the tree each level has one item less than its parent, so
  // the lists need n + (n - 1) + ... entries, and as many candidates.
  GMEM_TRY_NEW(tree->lists, memory, (count + 1) * (count + 2));
  GMEM_TRY_NEW(tree->points, memory, 2 * count + 1);
  tree->undo_room = pairs + count;
  GMEM_TRY_NEW(tree->undo, memory, tree->undo_room);
  return GMEM_OK;
}

static bool are_twins(const gmem_item_t *a, const gmem_item_t *b) {
  return a->begin == b->begin && a->end == b->end && a->size == b->size &&
         a->alignment == b->alignment && !a->part_count && !b->part_count &&
         !a->has_branches && !b->has_branches && !gmem_is_fixed(a) &&
         !gmem_is_fixed(b);
}

// Equal items are adjacent in canonical order.
static void describe_items(gmem_tree_t *tree) {
  const gmem_packing_t *packing = tree->packing;
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_item_t *item = &packing->items[i];
    bool twin = i > 0 && !packing->extra && are_twins(item - 1, item);
    gmem_span_t span = {item->begin - packing->first_section,
                        item->end - packing->first_section};
    tree->items[i] = (gmem_tree_item_t){
        .size = item->size, .span = span, .twin = twin ? i - 1 : GMEM_NO_ITEM};
    uint64_t slack = item->extent - item->size;
    for (uint32_t s = span.begin; slack && s < span.end; ++s)
      tree->slacks[s] = slack > tree->slacks[s] ? slack : tree->slacks[s];
  }
}

// Moves the fixed items to the front of every list of neighbours, because
// floors are raised over them repeatedly.
static gmem_status_t list_fixed(gmem_tree_t *tree, gmem_scratch_t *memory) {
  const gmem_packing_t *packing = tree->packing;
  gmem_adjacency_t *adjacency = &tree->adjacency;
  GMEM_TRY_NEW(tree->fixed_ends, memory, packing->count);
  for (uint32_t i = 0; i < packing->count; ++i) {
    size_t end = adjacency->starts[i];
    for (size_t k = end; k < adjacency->starts[i + 1]; ++k) {
      uint32_t other = adjacency->neighbours[k];
      if (!gmem_is_fixed(&packing->items[other]))
        continue;
      adjacency->neighbours[k] = adjacency->neighbours[end];
      adjacency->neighbours[end++] = other;
    }
    tree->fixed_ends[i] = end;
  }
  return GMEM_OK;
}

//===--- alignments -------------------------------------------------------===//

// Sets the bytes that the items take in granules of |coarse|, and the slacks.
// Returns the largest sum of a section.
static uint64_t measure_coarse(gmem_tree_t *tree, gmem_coarse_loads_t *coarse) {
  const gmem_packing_t *packing = tree->packing;
  uint64_t most = 0;
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_item_t *item = &packing->items[i];
    gmem_live_part_t whole = {.end = item->size};
    uint64_t slack, *taken = &coarse->taken[i];
    *taken = gmem_taken_bytes(item, &whole, coarse->granule, &slack);
    if (item->has_branches || gmem_is_fixed(item))
      *taken = 0;
    gmem_span_t span = tree->items[i].span;
    for (uint32_t s = span.begin; *taken && s < span.end; ++s) {
      coarse->loads[s] += *taken;
      most = coarse->loads[s] > most ? coarse->loads[s] : most;
      coarse->slacks[s] = slack > coarse->slacks[s] ? slack : coarse->slacks[s];
    }
  }
  return most;
}

// Chooses the alignments above the least in whose granules the items of one
// section take most.
static gmem_status_t list_coarse(gmem_tree_t *tree, gmem_scratch_t *memory) {
  const gmem_packing_t *packing = tree->packing;
  size_t sections = (size_t)packing->section_count + 1;
  uint64_t granules = 0, most[GMEM_COARSE_LOADS + 1];
  gmem_coarse_loads_t all[GMEM_COARSE_LOADS + 1];
  for (uint32_t i = 0; i < packing->count; ++i)
    granules |= packing->items[i].alignment;
  for (granules &= granules - 1; granules; granules &= granules - 1) {
    uint32_t at = tree->coarse_count;
    all[at] = (gmem_coarse_loads_t){.granule = granules & (0 - granules)};
    GMEM_TRY_NEW(all[at].taken, memory, packing->count);
    GMEM_TRY_ZEROS(all[at].loads, memory, sections);
    GMEM_TRY_ZEROS(all[at].slacks, memory, sections);
    most[at] = measure_coarse(tree, &all[at]);
    for (; at && most[at - 1] < most[at]; --at) {
      gmem_coarse_loads_t swap = all[at];
      uint64_t swap_most = most[at];
      all[at] = all[at - 1];
      all[at - 1] = swap;
      most[at] = most[at - 1];
      most[at - 1] = swap_most;
    }
    tree->coarse_count += tree->coarse_count < GMEM_COARSE_LOADS;
  }
  memcpy(tree->coarse, all, sizeof tree->coarse);
  return GMEM_OK;
}

// A plain packing needs no interference lists: shared sections decide.
gmem_status_t gmem_branch_and_bound_create(const gmem_packing_t *packing,
                                           gmem_scratch_t *memory,
                                           gmem_tree_t *tree) {
  uint64_t pairs = 0;
  *tree = (gmem_tree_t){.packing = packing};
  if (packing->is_plain) {
    GMEM_TRY(gmem_count_conflicts(packing, NULL, &pairs, memory));
  } else {
    GMEM_TRY(
        gmem_adjacency_create(packing, SIZE_MAX, memory, &tree->adjacency));
    pairs = tree->adjacency.neighbour_count / 2;
    GMEM_TRY(list_fixed(tree, memory));
  }
  GMEM_TRY(gmem_section_blocks_create(packing, memory, &tree->blocks));
  GMEM_TRY(allocate(tree, (size_t)pairs, memory));
  describe_items(tree);
  return packing->is_plain ? GMEM_OK : list_coarse(tree, memory);
}

//===--- points -----------------------------------------------------------===//

// Above this floor a section needs more than the capacity.
static uint64_t highest_floor(const gmem_tree_t *tree, uint32_t section) {
  uint64_t limit = tree->capacity + tree->slacks[section];
  uint64_t needed =
      tree->loads[section] + gmem_blocked_above(&tree->blocks, section, 0);
  return needed > limit
             ? 0
             : gmem_highest_unblocked(&tree->blocks, section, limit - needed);
}

// Above this offset the section of |point| with the most unplaced bytes, which
// becomes *section, cannot be completed.
static uint64_t highest_offset(const gmem_tree_t *tree,
                               const gmem_branch_point_t *point,
                               uint32_t *section) {
  uint64_t highest = UINT64_MAX;
  for (uint32_t s = point->begin; s < point->end; ++s) {
    uint64_t floor = tree->loads[s] ? highest_floor(tree, s) : UINT64_MAX;
    *section = floor < highest ? s : *section;
    highest = floor < highest ? floor : highest;
  }
  return highest;
}

static bool may_come_next(const gmem_tree_t *tree,
                          const gmem_branch_point_t *point, uint32_t item) {
  const gmem_tree_item_t *self = &tree->items[item];
  return (self->floor > point->lowest ||
          (self->floor == point->lowest && self->rank >= point->last_rank)) &&
         (self->twin == GMEM_NO_ITEM || tree->placed[self->twin]);
}

// Lists the candidates of |point| and makes it the current point.
static void open_point(gmem_tree_t *tree, gmem_branch_point_t *point) {
  const gmem_tree_item_t *items = tree->items;
  const uint32_t *list = tree->lists + point->items;
  uint32_t *candidates = tree->lists + tree->list_end;
  uint32_t fullest = 0, count = 0;
  uint64_t highest = highest_offset(tree, point, &fullest);
  uint64_t least_top = UINT64_MAX;
  for (uint32_t i = 0; i < point->item_count; ++i) {
    uint64_t floor = items[list[i]].floor, top = floor + items[list[i]].size;
    if (floor >= least_top ||
        (floor > highest &&
         !gmem_stack_allows(tree, gmem_stack_need(tree, fullest, floor))))
      break;
    least_top = top < least_top ? top : least_top;
    if (may_come_next(tree, point, list[i]))
      candidates[count++] = list[i];
  }
  while (count && items[candidates[count - 1]].floor >= least_top)
    --count;
  point->candidates = tree->list_end;
  point->candidate_count = count;
  point->next_candidate = 0;
  point->undo_count = tree->undo_count;
  tree->list_end += count;
  point->list_end = tree->list_end;
  point->point_count = tree->point_count;
}

// Computes the end of the hull of the items that begin in each section.
static void find_reach(gmem_tree_t *tree, const gmem_branch_point_t *point,
                       const uint32_t *list, uint32_t count) {
  memset(tree->reach + point->begin, 0,
         (point->end - point->begin) * sizeof *tree->reach);
  for (uint32_t i = 0; i < count; ++i) {
    gmem_span_t span = tree->items[list[i]].span;
    if (span.end > tree->reach[span.begin])
      tree->reach[span.begin] = span.end;
  }
}

// The end of the group of overlapping items that begins in |section|.
static uint32_t group_end(const gmem_tree_t *tree, uint32_t section) {
  uint32_t end = tree->reach[section];
  for (uint32_t s = section + 1; s < end; ++s)
    if (tree->reach[s] > end)
      end = tree->reach[s];
  return end;
}

static void add_point(gmem_tree_t *tree, uint32_t parent, uint32_t begin,
                      uint32_t end) {
  const gmem_branch_point_t *above = &tree->points[parent];
  uint32_t placed = tree->lists[above->candidates + above->next_candidate - 1];
  assert(tree->point_count <= 2 * tree->packing->count);
  tree->points[tree->point_count++] =
      (gmem_branch_point_t){.begin = begin,
                            .end = end,
                            .lowest = tree->items[placed].floor,
                            .last_rank = tree->items[placed].rank,
                            .parent = parent,
                            .sibling = NO_POINT};
}

// Cuts the |count| items at the end of |lists| where none is live across, and
// makes a point of each part. New cuts can only appear where the last placed
// item was live, except for those at the start. With explicit conflicts, which
// may cross a cut, there is one part.
static void add_parts(gmem_tree_t *tree, uint32_t parent, uint32_t count) {
  const gmem_branch_point_t *point = &tree->points[parent];
  uint32_t begin = point->begin, end = point->end;
  bool may_be_cut = tree->is_cut || point->parent == NO_POINT;
  if (!may_be_cut || tree->packing->extra) {
    add_point(tree, parent, begin, end);
    return;
  }
  find_reach(tree, point, tree->lists + tree->list_end, count);
  for (uint32_t s = begin; s < end;) {
    if (!tree->reach[s]) {
      ++s;
      continue;
    }
    uint32_t last = group_end(tree, s);
    add_point(tree, parent, s, last);
    s = last;
  }
}

// Distributes the items to the parts, in the order of their current list.
static void list_part(gmem_tree_t *tree, gmem_branch_point_t *part,
                      const uint32_t *list, uint32_t count) {
  part->items = tree->list_end;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t begin = tree->items[list[i]].span.begin;
    if (begin >= part->begin && begin < part->end)
      tree->lists[tree->list_end++] = list[i];
  }
  part->item_count = tree->list_end - part->items;
}

// The point to solve after a candidate of |parent| was placed and |count| items
// are left; NO_POINT when all items are placed.
static uint32_t split(gmem_tree_t *tree, uint32_t parent, uint32_t count) {
  uint32_t first = tree->point_count;
  if (count == 0)
    return tree->points[parent].sibling;
  add_parts(tree, parent, count);
  uint32_t last = tree->point_count - 1;
  const uint32_t *list = tree->lists + tree->list_end;
  uint32_t items = tree->list_end;
  tree->list_end += count;
  for (uint32_t i = first; i <= last; ++i) {
    gmem_branch_point_t *part = &tree->points[i];
    part->sibling = i < last ? i + 1 : tree->points[parent].sibling;
    if (first < last) {
      list_part(tree, part, list, count);
      continue;
    }
    part->items = items;
    part->item_count = count;
  }
  return first;
}

//===--- search -----------------------------------------------------------===//

// Ranks all items, and lists those that are not fixed, by floor and rank. False
// when one of them, or a fixed one, does not fit below the capacity.
static bool list_all(gmem_tree_t *tree, const uint32_t *order) {
  for (uint32_t i = 0; i < tree->packing->count; ++i) {
    uint32_t item = order[i];
    const gmem_item_t *self = &tree->packing->items[item];
    bool is_fixed = gmem_is_fixed(self);
    uint64_t floor =
        is_fixed ? self->fixed_offset : gmem_stack_raise(tree, item, 0);
    if (!gmem_stack_allows(tree, floor + self->size))
      return false;
    tree->marks[item] = GMEM_NO_ITEM;
    tree->placed[item] = is_fixed;
    tree->items[item].floor = floor;
    tree->items[item].rank = i;
    if (is_fixed)
      continue;
    gmem_stack_add_load(tree, item);
    gmem_stack_insert(tree, tree->lists, tree->list_end++, item);
  }
  return true;
}

static bool start(gmem_tree_t *tree, const uint32_t *order) {
  size_t sections = (size_t)tree->packing->section_count + 1;
  memset(tree->loads, 0, sections * sizeof *tree->loads);
  memset(tree->crossings, 0, sections * sizeof *tree->crossings);
  for (uint32_t i = 0; i < tree->coarse_count; ++i)
    memset(tree->coarse[i].loads, 0, sections * sizeof *tree->loads);
  tree->list_end = tree->point_count = 0;
  tree->undo_count = 0;
  if (!list_all(tree, order))
    return false;
  tree->points[tree->point_count++] =
      (gmem_branch_point_t){.end = tree->packing->section_count,
                            .item_count = tree->list_end,
                            .parent = NO_POINT,
                            .sibling = NO_POINT};
  open_point(tree, &tree->points[0]);
  return true;
}

// Abandons |point|: the placement made by its parent failed. Returns the
// parent.
static uint32_t step_back(gmem_tree_t *tree, uint32_t point) {
  uint32_t parent = tree->points[point].parent;
  if (parent == NO_POINT)
    return NO_POINT;
  gmem_stack_undo(tree, tree->points[parent].undo_count);
  tree->list_end = tree->points[parent].list_end;
  tree->point_count = tree->points[parent].point_count;
  return parent;
}

gmem_tree_result_t gmem_branch_and_bound_run(gmem_tree_t *tree,
                                             uint64_t capacity,
                                             const uint32_t *order,
                                             uint64_t node_limit,
                                             gmem_search_t *search) {
  tree->capacity = capacity;
  tree->needed = UINT64_MAX;
  if (!start(tree, order))
    return GMEM_TREE_INFEASIBLE;
  uint32_t current = tree->points[0].item_count ? 0 : NO_POINT;
  while (current != NO_POINT) {
    gmem_branch_point_t *point = &tree->points[current];
    if (point->next_candidate == point->candidate_count) {
      current = step_back(tree, current);
      if (current == NO_POINT)
        return GMEM_TREE_INFEASIBLE;
      continue;
    }
    uint64_t steps = 32 + point->item_count + tree->work;
    tree->work = 0;
    if (node_limit-- == 0 || !gmem_search_spend(search, steps))
      return GMEM_TREE_STOPPED;
    ++tree->nodes;
    uint32_t item = tree->lists[point->candidates + point->next_candidate++];
    bool fits;
    uint32_t left = gmem_stack_place(tree, point, item, &fits);
    if (!fits) {
      gmem_stack_undo(tree, point->undo_count);
      continue;
    }
    current = split(tree, current, left);
    if (current != NO_POINT)
      open_point(tree, &tree->points[current]);
  }
  return GMEM_TREE_FOUND;
}
