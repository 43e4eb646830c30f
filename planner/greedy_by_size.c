// greedy_by_size.c - largest buffers first, each into its best-fitting gap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Yury Pisarchyk and Juhyun Lee, "Efficient Memory Management for Deep Neural
// Net Inference", arXiv:2001.03288, section "Greedy by Size for Offset
// Calculation". Ties of the paper are settled here: of equal sizes the one
// that begins first goes first, then the lower index; of equal gaps the lowest
// wins. So buffers of one size, chains of equal layers for example, are
// coloured as an interval graph, which first fit in order of begin does
// optimally. Fixed buffers are placed before all others.
//
// The buffers placed in a pool are kept by offset. A walk over those that are
// live together with the new one meets its gaps from the bottom to the top:
//
//        |#####|          |####|      |#######|
//   gap 0       gap 1           gap 2          on top
//
// Every placement walks over the whole pool: O(n^2), with a small constant.

#include <string.h>

#include "ordered_fit.h"

typedef struct placed_s {
  uint64_t offset, end; // bytes from the start of the pool
  int64_t first, last;  // live within [first, last)
  uint32_t buffer;
  bool has_gaps; // not live all through [first, last)
} placed_t;

typedef struct greedy_s {
  const gmem_problem_t *problem;
  const gmem_allocator_t *allocator;
  uint64_t *steps;
  gmem_order_t *order; // in which to place, and as much scratch
  size_t *starts;      // per pool: its part of |placed|, see gmem_pool_parts
  size_t *counts;      // per pool
  placed_t *placed;    // per pool by offset
  size_t placed_capacity;
} greedy_t;

//===--- who is live together ---------------------------------------------===//

static bool ranges_intersect(const gmem_buffer_spec_t *a,
                             const gmem_buffer_spec_t *b) {
  for (size_t i = 0, k = 0; i < a->range_count && k < b->range_count;) {
    if (a->ranges[i].end <= b->ranges[k].begin)
      ++i;
    else if (b->ranges[k].end <= a->ranges[i].begin)
      ++k;
    else
      return true;
  }
  return false;
}

// The innermost step of the algorithm: the specs are far away in memory, and
// only looked at when a gap makes it necessary.
static bool live_together(const gmem_problem_t *problem, const placed_t *a,
                          const placed_t *b) {
  if (a->last <= b->first || b->last <= a->first)
    return false;
  if (!a->has_gaps && !b->has_gaps)
    return true;
  return ranges_intersect(gmem_problem_buffer(problem, a->buffer),
                          gmem_problem_buffer(problem, b->buffer));
}

//===--- gaps -------------------------------------------------------------===//

typedef struct gap_s {
  uint64_t size;   // bytes; GMEM_UNLIMITED when none was found
  uint64_t offset; // for the buffer, aligned
} gap_t;

// Makes [begin, end) the best gap if |size| bytes fit and it is smaller.
static void consider_gap(gap_t *best, uint64_t begin, uint64_t end,
                         uint64_t size, uint64_t alignment, uint64_t base) {
  uint64_t offset;
  if (end <= begin || end - begin < size || end - begin >= best->size)
    return;
  if (!gmem_align_offset(base, begin, alignment, &offset))
    return;
  if (offset <= end && size <= end - offset)
    *best = (gap_t){end - begin, offset};
}

// Inserts behind all that are at the same offset.
static void insert_placed(greedy_t *greedy, uint32_t pool, placed_t placed) {
  placed_t *first = greedy->placed + greedy->starts[pool];
  size_t low = 0, high = greedy->counts[pool];
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (first[middle].offset <= placed.offset)
      low = middle + 1;
    else
      high = middle;
  }
  size_t above = greedy->counts[pool]++ - low;
  memmove(&first[low + 1], &first[low], above * sizeof *first);
  first[low] = placed;
}

static placed_t describe(const gmem_problem_t *problem, uint32_t buffer) {
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, buffer);
  return (placed_t){.first = spec->ranges[0].begin,
                    .last = spec->ranges[spec->range_count - 1].end,
                    .buffer = buffer,
                    .has_gaps = spec->range_count > 1};
}

static bool take_best_gap(void *state, uint32_t buffer, uint32_t pool,
                          uint64_t *out_offset) {
  greedy_t *greedy = state;
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(greedy->problem, buffer);
  const gmem_pool_spec_t *target = gmem_problem_pool(greedy->problem, pool);
  uint64_t alignment = gmem_alignment_in(spec, target), top = 0;
  placed_t self = describe(greedy->problem, buffer);
  const placed_t *other = greedy->placed + greedy->starts[pool];
  const placed_t *end = other + greedy->counts[pool];
  gap_t best = {.size = GMEM_UNLIMITED};
  *greedy->steps += greedy->counts[pool] + 1;
  for (; other < end; ++other) {
    if (!live_together(greedy->problem, &self, other))
      continue;
    consider_gap(&best, top, other->offset, spec->size, alignment,
                 target->base);
    top = other->end > top ? other->end : top;
  }
  if (best.size == GMEM_UNLIMITED)
    consider_gap(&best, top, gmem_pool_limit(target), spec->size, alignment,
                 target->base);
  if (best.size == GMEM_UNLIMITED)
    return false;
  self.offset = *out_offset = best.offset;
  self.end = best.offset + spec->size;
  insert_placed(greedy, pool, self);
  return true;
}

//===--- order ------------------------------------------------------------===//

static void sort_by_size(greedy_t *greedy, uint32_t count) {
  const gmem_problem_t *problem = greedy->problem;
  gmem_order_t *order = greedy->order;
  for (uint32_t i = 0; i < count; ++i)
    order[i] = (gmem_order_t){
        gmem_time_key(gmem_problem_buffer(problem, i)->ranges[0].begin), i};
  gmem_order_sort(order, order + count, count);
  for (uint32_t i = 0; i < count; ++i)
    order[i].key = ~gmem_problem_buffer(problem, order[i].index)->size;
  gmem_order_sort(order, order + count, count);
}

// Places the fixed buffers, or all but those, in order.
static gmem_status_t place_all(greedy_t *greedy, gmem_placement_t *plan,
                               bool fixed, gmem_diag_t *diag) {
  uint32_t count = gmem_problem_buffer_count(greedy->problem);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t buffer = greedy->order[i].index;
    const gmem_buffer_spec_t *spec =
        gmem_problem_buffer(greedy->problem, buffer);
    if (spec->has_fixed_offset != fixed)
      continue;
    gmem_status_t status = gmem_place_buffer(
        greedy->problem, buffer, take_best_gap, greedy, &plan[buffer], diag);
    if (status != GMEM_OK)
      return status;
    if (!fixed || spec->size == 0)
      continue;
    placed_t self = describe(greedy->problem, buffer);
    self.offset = spec->fixed_offset;
    self.end = spec->fixed_offset + spec->size;
    insert_placed(greedy, spec->pools[0], self);
  }
  return GMEM_OK;
}

//===--- set-up -----------------------------------------------------------===//

static gmem_status_t create(greedy_t *greedy, uint32_t count,
                            gmem_diag_t *diag) {
  size_t pools = gmem_problem_pool_count(greedy->problem);
  gmem_status_t status =
      gmem_pool_parts(greedy->problem, &greedy->starts, diag);
  if (status != GMEM_OK)
    return status;
  greedy->placed_capacity = greedy->starts[pools];
  greedy->order = gmem_planner_alloc(greedy->allocator, 2 * (size_t)count,
                                     sizeof *greedy->order);
  greedy->counts =
      gmem_planner_alloc(greedy->allocator, pools, sizeof *greedy->counts);
  greedy->placed = gmem_planner_alloc(
      greedy->allocator, greedy->placed_capacity, sizeof *greedy->placed);
  if (!greedy->order || !greedy->counts || !greedy->placed)
    return gmem_planner_out_of_memory(diag);
  memset(greedy->counts, 0, pools * sizeof *greedy->counts);
  return GMEM_OK;
}

static void destroy(greedy_t *greedy, uint32_t count) {
  size_t pools = gmem_problem_pool_count(greedy->problem);
  gmem_planner_free(greedy->allocator, greedy->starts, pools + 1,
                    sizeof *greedy->starts);
  gmem_planner_free(greedy->allocator, greedy->order, 2 * (size_t)count,
                    sizeof *greedy->order);
  gmem_planner_free(greedy->allocator, greedy->counts, pools,
                    sizeof *greedy->counts);
  gmem_planner_free(greedy->allocator, greedy->placed, greedy->placed_capacity,
                    sizeof *greedy->placed);
}

gmem_status_t gmem_greedy_by_size_run(const gmem_problem_t *problem,
                                      gmem_search_t *search,
                                      gmem_placement_t *plan, void *user,
                                      gmem_diag_t *diag) {
  (void)user;
  uint64_t steps = 0;
  uint32_t count = gmem_problem_buffer_count(problem);
  greedy_t greedy = {.problem = problem,
                     .allocator = gmem_problem_allocator(problem),
                     .steps = &steps};
  gmem_status_t status = create(&greedy, count, diag);
  if (status == GMEM_OK) {
    sort_by_size(&greedy, count);
    status = place_all(&greedy, plan, true, diag);
  }
  if (status == GMEM_OK)
    status = place_all(&greedy, plan, false, diag);
  gmem_search_spend(search, steps);
  destroy(&greedy, count);
  return status;
}

gmem_status_t gmem_greedy_by_size_pack(const gmem_packing_t *packing,
                                       gmem_search_t *search, uint64_t *offsets,
                                       gmem_diag_t *diag) {
  return gmem_ordered_fit_pack(packing, GMEM_KEY_SIZE, GMEM_FIT_BEST, search,
                               offsets, diag);
}
