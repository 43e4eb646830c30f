// uncovered_ranges.c - when optional children are outside of a live parent.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A used optional alias places the child in its parent. So the live buffers
// without a live optional parent share no bytes at any time, whichever aliases
// are used, and a bound may count them.

#include "uncovered_ranges.h"

#include <string.h>

#include "packing_builder.h"
#include "planner_memory.h"
#include "sort.h"

typedef struct finder_s {
  gmem_packing_builder_t *builder;
  const gmem_problem_t *problem;
  const gmem_allocator_t *allocator;
  gmem_order_t *aliases; // key: child, index: alias; and scratch
  size_t alias_count;
  gmem_live_range_t *cuts; // of one child: when a parent is live with it
  size_t cut_count, cut_room;
  gmem_order_t *order; // the cuts by begin; and scratch
  size_t order_room;
  size_t count; // of builder->uncovered_ranges
} finder_t;

static bool is_optional(const finder_t *finder, size_t alias) {
  return gmem_problem_alias(finder->problem, alias)->is_optional;
}

// Sorts the aliases by child.
static bool list_aliases(finder_t *finder) {
  size_t next = 0;
  finder->aliases = gmem_planner_alloc(
      finder->allocator, 2 * finder->alias_count, sizeof *finder->aliases);
  if (!finder->aliases)
    return false;
  for (size_t i = 0; i < gmem_problem_alias_count(finder->problem); ++i)
    if (is_optional(finder, i))
      finder->aliases[next++] = (gmem_order_t){
          gmem_problem_alias(finder->problem, i)->child, (uint32_t)i};
  gmem_sort_order(finder->aliases, finder->aliases + next, next);
  return true;
}

//===--- one child --------------------------------------------------------===//

static bool add_cut(finder_t *finder, int64_t begin, int64_t end) {
  if (!gmem_planner_grow(finder->allocator, (void **)&finder->cuts,
                         finder->cut_count, &finder->cut_room,
                         sizeof *finder->cuts) ||
      finder->cut_count == UINT32_MAX)
    return false;
  finder->cuts[finder->cut_count++] = (gmem_live_range_t){begin, end};
  return true;
}

// The first range that ends after |time|.
static size_t first_after(const gmem_buffer_spec_t *spec, int64_t time) {
  size_t low = 0, high = spec->range_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (spec->ranges[middle].end <= time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Advances both lists by binary search: either may have very many ranges.
static bool add_cuts(finder_t *finder, const gmem_buffer_spec_t *child,
                     const gmem_buffer_spec_t *parent) {
  bool has_more = child->range_count > parent->range_count;
  const gmem_buffer_spec_t *few = has_more ? parent : child;
  const gmem_buffer_spec_t *many = has_more ? child : parent;
  for (size_t i = 0; i < few->range_count; ++i) {
    gmem_live_range_t range = few->ranges[i];
    for (size_t k = first_after(many, range.begin);
         k < many->range_count && many->ranges[k].begin < range.end; ++k) {
      gmem_live_range_t other = many->ranges[k];
      if (!add_cut(finder,
                   other.begin > range.begin ? other.begin : range.begin,
                   other.end < range.end ? other.end : range.end))
        return false;
    }
  }
  return true;
}

static bool sort_cuts(finder_t *finder) {
  if (finder->order_room < 2 * finder->cut_count) {
    gmem_planner_free(finder->allocator, finder->order, finder->order_room,
                      sizeof *finder->order);
    finder->order_room = 2 * finder->cut_room;
    finder->order = gmem_planner_alloc(finder->allocator, finder->order_room,
                                       sizeof *finder->order);
    if (!finder->order)
      return false;
  }
  for (size_t i = 0; i < finder->cut_count; ++i)
    finder->order[i] =
        (gmem_order_t){gmem_time_key(finder->cuts[i].begin), (uint32_t)i};
  gmem_sort_order(finder->order, finder->order + finder->cut_count,
                  finder->cut_count);
  return true;
}

// Reserves at least one range, so that an empty list has an address.
static bool add_range(finder_t *finder, int64_t begin, int64_t end) {
  gmem_packing_builder_t *builder = finder->builder;
  if (!gmem_planner_grow(finder->allocator, (void **)&builder->uncovered_ranges,
                         finder->count, &builder->uncovered_count,
                         sizeof *builder->uncovered_ranges))
    return false;
  if (begin < end)
    builder->uncovered_ranges[finder->count++] =
        (gmem_live_range_t){begin, end};
  return true;
}

// Lists the ranges of the child minus the cuts, each of which is in one range.
static bool add_rest(finder_t *finder, const gmem_buffer_spec_t *child) {
  size_t k = 0;
  for (size_t i = 0; i < child->range_count; ++i) {
    gmem_live_range_t left = child->ranges[i];
    for (; k < finder->cut_count; ++k) {
      gmem_live_range_t cut = finder->cuts[finder->order[k].index];
      if (cut.begin >= child->ranges[i].end)
        break;
      if (!add_range(finder, left.begin, cut.begin))
        return false;
      left.begin = cut.end > left.begin ? cut.end : left.begin;
    }
    if (!add_range(finder, left.begin, left.end))
      return false;
  }
  return true;
}

// Handles the child of alias |first| in sorted order; returns the first alias
// of the next child, or 0 when out of memory.
static size_t treat_child(finder_t *finder, size_t first) {
  uint32_t child = (uint32_t)finder->aliases[first].key;
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(finder->problem, child);
  size_t before = finder->count, i = first;
  finder->cut_count = 0;
  for (; i < finder->alias_count && finder->aliases[i].key == child; ++i) {
    const gmem_alias_spec_t *alias =
        gmem_problem_alias(finder->problem, finder->aliases[i].index);
    if (!add_cuts(finder, spec,
                  gmem_problem_buffer(finder->problem, alias->parent)))
      return 0;
  }
  if (!sort_cuts(finder) || !add_rest(finder, spec))
    return 0;
  finder->builder->uncovered[child].count = finder->count - before;
  return i;
}

//===--- all children -----------------------------------------------------===//

static bool treat_all(finder_t *finder) {
  gmem_packing_builder_t *builder = finder->builder;
  size_t buffers = gmem_problem_buffer_count(finder->problem);
  builder->uncovered = gmem_planner_alloc(finder->allocator, buffers,
                                          sizeof *builder->uncovered);
  if (!builder->uncovered || !list_aliases(finder))
    return false;
  memset(builder->uncovered, 0, buffers * sizeof *builder->uncovered);
  for (size_t i = 0; i < finder->alias_count;)
    if ((i = treat_child(finder, i)) == 0)
      return false;
  // The array is not reallocated from here on.
  const gmem_live_range_t *next = builder->uncovered_ranges;
  for (size_t i = 0; i < finder->alias_count; ++i) {
    if (i && finder->aliases[i].key == finder->aliases[i - 1].key)
      continue;
    gmem_range_list_t *ranges = &builder->uncovered[finder->aliases[i].key];
    ranges->at = next;
    next += ranges->count;
  }
  return true;
}

gmem_status_t gmem_find_uncovered(gmem_packing_builder_t *builder,
                                  gmem_diag_t *diag) {
  const gmem_packing_t *packing = builder->packing;
  finder_t finder = {.builder = builder,
                     .problem = packing->problem,
                     .allocator = packing->allocator};
  for (size_t i = 0; i < gmem_problem_alias_count(packing->problem); ++i)
    finder.alias_count += is_optional(&finder, i);
  if (finder.alias_count == 0)
    return GMEM_OK;
  bool is_done = treat_all(&finder);
  gmem_planner_free(packing->allocator, finder.aliases, 2 * finder.alias_count,
                    sizeof *finder.aliases);
  gmem_planner_free(packing->allocator, finder.cuts, finder.cut_room,
                    sizeof *finder.cuts);
  gmem_planner_free(packing->allocator, finder.order, finder.order_room,
                    sizeof *finder.order);
  return is_done ? GMEM_OK : gmem_planner_out_of_memory(diag);
}
