// uncovered_ranges.c - when optional children are outside of a live parent.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A used optional alias places the child in its parent. So the live buffers
// without a live optional parent share no bytes at any time, whichever aliases
// are used, and a bound may count them. independent_ranges.c counts more, where
// that does not take too long.

#include "packing_builder.h"

#include <assert.h>

typedef struct finder_s {
  gmem_packing_builder_t *builder;
  const gmem_problem_t *problem;
  gmem_scratch_t *memory; // of the builder
  gmem_order_t *aliases;  // key: child, index: alias; and scratch
  size_t alias_count;
  gmem_live_range_t *cuts; // of one child: when a parent is live with it
  size_t cut_count, cut_room;
  gmem_order_t *order;       // the cuts by begin; and scratch
  gmem_live_range_t *ranges; // of all children, one after the other
  size_t range_count, range_room;
} finder_t;

// Sorts the aliases by child.
static gmem_status_t list_aliases(finder_t *finder) {
  const gmem_problem_t *problem = finder->problem;
  size_t count = gmem_problem_alias_count(problem);
  GMEM_TRY_NEW(finder->aliases, finder->memory, 2 * count);
  for (size_t i = 0; i < count; ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(problem, i);
    if (alias->is_optional)
      finder->aliases[finder->alias_count++] =
          (gmem_order_t){alias->child, (uint32_t)i};
  }
  gmem_sort_order(finder->aliases, finder->aliases + finder->alias_count,
                  finder->alias_count);
  return GMEM_OK;
}

//===--- one child --------------------------------------------------------===//

static gmem_status_t add_cut(finder_t *finder, gmem_live_range_t cut) {
  assert(cut.begin < cut.end);
  if (finder->cut_count == UINT32_MAX)
    return gmem_planner_out_of_memory(finder->memory->diag);
  GMEM_TRY_ROOM(finder->cuts, finder->memory, finder->cut_count,
                finder->cut_room);
  finder->cuts[finder->cut_count++] = cut;
  return GMEM_OK;
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
static gmem_status_t add_cuts(finder_t *finder, const gmem_buffer_spec_t *child,
                              const gmem_buffer_spec_t *parent) {
  bool has_more = child->range_count > parent->range_count;
  const gmem_buffer_spec_t *few = has_more ? parent : child;
  const gmem_buffer_spec_t *many = has_more ? child : parent;
  for (size_t i = 0; i < few->range_count; ++i) {
    gmem_live_range_t range = few->ranges[i];
    for (size_t k = first_after(many, range.begin);
         k < many->range_count && many->ranges[k].begin < range.end; ++k) {
      gmem_live_range_t cut = many->ranges[k];
      cut.begin = cut.begin > range.begin ? cut.begin : range.begin;
      cut.end = cut.end < range.end ? cut.end : range.end;
      GMEM_TRY(add_cut(finder, cut));
    }
  }
  return GMEM_OK;
}

static gmem_status_t sort_cuts(finder_t *finder) {
  GMEM_TRY_NEW(finder->order, finder->memory, 2 * finder->cut_count);
  for (size_t i = 0; i < finder->cut_count; ++i)
    finder->order[i] =
        (gmem_order_t){gmem_time_key(finder->cuts[i].begin), (uint32_t)i};
  gmem_sort_order(finder->order, finder->order + finder->cut_count,
                  finder->cut_count);
  return GMEM_OK;
}

// Reserves at least one range, so that an empty list has an address.
static gmem_status_t add_range(finder_t *finder, int64_t begin, int64_t end) {
  GMEM_TRY_ROOM(finder->ranges, finder->memory, finder->range_count,
                finder->range_room);
  if (begin < end)
    finder->ranges[finder->range_count++] = (gmem_live_range_t){begin, end};
  return GMEM_OK;
}

// Lists the ranges of the child minus the cuts, each of which is in one range.
static gmem_status_t add_rest(finder_t *finder,
                              const gmem_buffer_spec_t *child) {
  size_t k = 0;
  for (size_t i = 0; i < child->range_count; ++i) {
    gmem_live_range_t left = child->ranges[i];
    for (; k < finder->cut_count; ++k) {
      gmem_live_range_t cut = finder->cuts[finder->order[k].index];
      if (cut.begin >= child->ranges[i].end)
        break;
      GMEM_TRY(add_range(finder, left.begin, cut.begin));
      left.begin = cut.end > left.begin ? cut.end : left.begin;
    }
    GMEM_TRY(add_range(finder, left.begin, left.end));
  }
  return GMEM_OK;
}

// Handles the child of alias *first in sorted order, and advances *first to the
// first alias of the next child.
static gmem_status_t treat_child(finder_t *finder, size_t *first) {
  uint32_t child = (uint32_t)finder->aliases[*first].key;
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(finder->problem, child);
  size_t before = finder->range_count;
  finder->cut_count = 0;
  for (; *first < finder->alias_count && finder->aliases[*first].key == child;
       ++*first) {
    uint32_t parent =
        gmem_problem_alias(finder->problem, finder->aliases[*first].index)
            ->parent;
    GMEM_TRY(
        add_cuts(finder, spec, gmem_problem_buffer(finder->problem, parent)));
  }
  GMEM_TRY(sort_cuts(finder));
  GMEM_TRY(add_rest(finder, spec));
  gmem_scratch_drop(finder->memory, finder->order);
  finder->builder->uncovered[child].count =
      (uint32_t)(finder->range_count - before);
  return GMEM_OK;
}

//===--- all children -----------------------------------------------------===//

gmem_status_t gmem_find_uncovered(gmem_packing_builder_t *builder) {
  finder_t finder = {.builder = builder,
                     .problem = builder->packing->problem,
                     .memory = &builder->memory};
  GMEM_TRY(list_aliases(&finder));
  for (size_t i = 0; i < finder.alias_count;)
    GMEM_TRY(treat_child(&finder, &i));
  if (finder.range_count >= UINT32_MAX)
    return gmem_planner_out_of_memory(builder->memory.diag);
  uint32_t next = 0;
  builder->uncovered_ranges = finder.ranges;
  for (size_t i = 0; i < finder.alias_count; ++i) {
    if (i && finder.aliases[i].key == finder.aliases[i - 1].key)
      continue;
    gmem_uncovered_t *ranges = &builder->uncovered[finder.aliases[i].key];
    ranges->first = next + 1;
    next += ranges->count;
  }
  assert(next == finder.range_count);
  return GMEM_OK;
}
