// ref_count.c - reuse by use counts: the classic algorithm of compilers for
// accelerators, on live ranges.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The original walks the ops of a network and keeps a table of (tensor, offset,
// size, use count), a list of tensors to hold and a set of offsets in use. The
// result of an op takes over the first entry of the table that meets five
// conditions, or opens new memory on top. Here an entry is a *slot*: an offset
// with the size it was opened with. The conditions become:
//
//   original                       here
//   the tensor is not held         hold: the live range ends with the function
//   its address is not in use      the slot has no holder; aliases are part of
//                                  the live range of what they alias
//   its life is over               slots of buffers with end <= t become free
//                                  before a buffer that begins at t is placed
//   its size is large enough       the size that the slot was opened with
//   it is no input of this op      an input's range ends after the range of
//                                  the op's results begins
//
// A use count that falls to zero is the end of a live range, so none is kept. A
// buffer with several ranges keeps its slot from its first begin to its last
// end: the original knows no gaps. An offset of 0 is an offset like any other.
// Slots are opened where no fixed buffer ever lies.
//
// Per pool, a tree over the slots in order of opening holds the largest free
// size below each node, so the first slot that is free and large enough is
// found in O(log n); only slots that are misaligned for a buffer cost more.

#include "cursor.h"

enum { NO_SLOT = -1 };

typedef struct slots_s {
  uint64_t *offsets; // of the slots, in order of opening
  uint64_t *sizes;   // with which they were opened
  // Leaves: size when free, else 0; node i: maximum of nodes 2i and 2i + 1.
  uint64_t *free_tree;
  size_t count;
  size_t leaves; // a power of two, at least the number of slots to come
} slots_t;

typedef struct ref_count_s {
  const gmem_problem_t *problem;
  gmem_cursors_t cursors;
  slots_t *pools;
  size_t *slot_of; // by buffer
  uint64_t *steps;
  uint64_t *words; // what all slots_t point into
  size_t word_count;
  gmem_order_t *orders; // by begin, by end, scratch
} ref_count_t;

//===--- slots ------------------------------------------------------------===//

static void set_free_size(slots_t *slots, size_t slot, uint64_t size) {
  size_t node = slots->leaves + slot;
  slots->free_tree[node] = size;
  for (node /= 2; node; node /= 2) {
    uint64_t left = slots->free_tree[2 * node];
    uint64_t right = slots->free_tree[2 * node + 1];
    slots->free_tree[node] = left > right ? left : right;
  }
}

// The first slot at or after |slot| that is free and has |size| bytes.
static int64_t find_free_slot(const slots_t *slots, size_t slot,
                              uint64_t size) {
  if (slot >= slots->leaves)
    return NO_SLOT;
  size_t node = slots->leaves + slot;
  while (slots->free_tree[node] < size) {
    while (node & 1) // the last below its parent: go on after the parent
      node /= 2;
    if (node == 0)
      return NO_SLOT;
    ++node;
  }
  while (node < slots->leaves)
    node = 2 * node + (slots->free_tree[2 * node] < size);
  return (int64_t)(node - slots->leaves);
}

static int64_t find_aligned_slot(const slots_t *slots, uint64_t size,
                                 uint64_t base, uint64_t alignment,
                                 uint64_t *steps) {
  int64_t slot = find_free_slot(slots, 0, size);
  for (;; slot = find_free_slot(slots, (size_t)slot + 1, size)) {
    ++*steps;
    if (slot == NO_SLOT)
      return NO_SLOT;
    if (((base + slots->offsets[slot]) & (alignment - 1)) == 0)
      return slot;
  }
}

static bool open_slot(slots_t *slots, gmem_cursor_t *cursor, uint64_t size,
                      uint64_t alignment, size_t *out_slot) {
  uint64_t offset;
  if (!gmem_cursor_take(cursor, size, alignment, &offset))
    return false;
  slots->offsets[slots->count] = offset;
  slots->sizes[slots->count] = size;
  *out_slot = slots->count++;
  return true;
}

static bool hold_slot(void *state, uint32_t buffer, uint32_t pool,
                      uint64_t *out_offset) {
  ref_count_t *run = state;
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(run->problem, buffer);
  gmem_cursor_t *cursor = &run->cursors.pools[pool];
  slots_t *slots = &run->pools[pool];
  uint64_t alignment = gmem_alignment_in(spec, cursor->pool);
  int64_t found = find_aligned_slot(slots, spec->size, cursor->pool->base,
                                    alignment, run->steps);
  size_t slot = (size_t)found;
  if (found == NO_SLOT &&
      !open_slot(slots, cursor, spec->size, alignment, &slot))
    return false;
  set_free_size(slots, slot, 0);
  run->slot_of[buffer] = slot;
  *out_offset = slots->offsets[slot];
  return true;
}

static void release_slot(ref_count_t *run, uint32_t buffer, uint32_t pool) {
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(run->problem, buffer);
  if (spec->has_fixed_offset || spec->size == 0)
    return; // holds none
  slots_t *slots = &run->pools[pool];
  size_t slot = run->slot_of[buffer];
  set_free_size(slots, slot, slots->sizes[slot]);
}

//===--- the walk over time -----------------------------------------------===//

static int64_t begin_of(const gmem_buffer_spec_t *spec) {
  return spec->ranges[0].begin;
}

static int64_t end_of(const gmem_buffer_spec_t *spec) {
  return spec->ranges[spec->range_count - 1].end;
}

static void sort_by_time(ref_count_t *run, uint32_t count) {
  gmem_order_t *births = run->orders, *deaths = births + count;
  for (uint32_t i = 0; i < count; ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(run->problem, i);
    births[i] = (gmem_order_t){gmem_time_key(begin_of(spec)), i};
    deaths[i] = (gmem_order_t){gmem_time_key(end_of(spec)), i};
  }
  gmem_order_sort(births, deaths + count, count);
  gmem_order_sort(deaths, deaths + count, count);
}

static gmem_status_t walk(ref_count_t *run, gmem_placement_t *plan,
                          uint32_t count, gmem_diag_t *diag) {
  const gmem_order_t *birth = run->orders, *death = birth + count;
  for (uint32_t i = 0; i < count; ++i, ++birth) {
    for (; death->key <= birth->key; ++death)
      release_slot(run, death->index, plan[death->index].pool);
    gmem_status_t status = gmem_place_buffer(
        run->problem, birth->index, hold_slot, run, &plan[birth->index], diag);
    if (status != GMEM_OK)
      return status;
  }
  return GMEM_OK;
}

//===--- set-up -----------------------------------------------------------===//

static size_t leaves_for(size_t slots) {
  size_t leaves = 1;
  while (leaves < slots)
    leaves *= 2;
  return leaves;
}

// Cuts |words| (NULL: only counts) into the slots of every pool.
static size_t cut_words(ref_count_t *run, const size_t *parts,
                        uint64_t *words) {
  size_t used = 0;
  for (size_t pool = 0; pool < run->cursors.pool_count; ++pool) {
    size_t slots = parts[pool + 1] - parts[pool], leaves = leaves_for(slots);
    if (words)
      run->pools[pool] = (slots_t){.offsets = words + used,
                                   .sizes = words + used + slots,
                                   .free_tree = words + used + 2 * slots,
                                   .leaves = leaves};
    used += 2 * slots + 2 * leaves;
  }
  return used;
}

static gmem_status_t create_slots(ref_count_t *run, gmem_diag_t *diag) {
  size_t *parts = NULL;
  gmem_status_t status = gmem_pool_parts(run->problem, &parts, diag);
  if (status != GMEM_OK)
    return status;
  const gmem_allocator_t *allocator = run->cursors.allocator;
  run->word_count = cut_words(run, parts, NULL);
  run->words = gmem_planner_alloc(allocator, run->word_count, sizeof(uint64_t));
  run->pools = gmem_planner_alloc(allocator, run->cursors.pool_count,
                                  sizeof *run->pools);
  if (run->words && run->pools) {
    for (size_t i = 0; i < run->word_count; ++i)
      run->words[i] = 0;
    cut_words(run, parts, run->words);
  } else {
    status = gmem_planner_out_of_memory(diag);
  }
  gmem_planner_free(allocator, parts, run->cursors.pool_count + 1,
                    sizeof *parts);
  return status;
}

static gmem_status_t create(ref_count_t *run, uint32_t count,
                            gmem_diag_t *diag) {
  gmem_status_t status = gmem_cursors_create(run->problem, &run->cursors, diag);
  if (status == GMEM_OK)
    status = create_slots(run, diag);
  if (status != GMEM_OK)
    return status;
  const gmem_allocator_t *allocator = run->cursors.allocator;
  run->slot_of = gmem_planner_alloc(allocator, count, sizeof *run->slot_of);
  run->orders =
      gmem_planner_alloc(allocator, 3 * (size_t)count, sizeof *run->orders);
  if (!run->slot_of || !run->orders)
    return gmem_planner_out_of_memory(diag);
  return GMEM_OK;
}

static void destroy(ref_count_t *run, uint32_t count) {
  const gmem_allocator_t *allocator = run->cursors.allocator;
  gmem_planner_free(allocator, run->words, run->word_count, sizeof(uint64_t));
  gmem_planner_free(allocator, run->pools, run->cursors.pool_count,
                    sizeof *run->pools);
  gmem_planner_free(allocator, run->slot_of, count, sizeof *run->slot_of);
  gmem_planner_free(allocator, run->orders, 3 * (size_t)count,
                    sizeof *run->orders);
  gmem_cursors_destroy(&run->cursors);
}

gmem_status_t gmem_ref_count_run(const gmem_problem_t *problem,
                                 gmem_search_t *search, gmem_placement_t *plan,
                                 void *user, gmem_diag_t *diag) {
  (void)user;
  uint64_t steps = 0;
  uint32_t count = gmem_problem_buffer_count(problem);
  ref_count_t run = {.problem = problem, .steps = &steps};
  gmem_status_t status = create(&run, count, diag);
  if (status == GMEM_OK) {
    sort_by_time(&run, count);
    status = walk(&run, plan, count, diag);
  }
  gmem_search_spend(search, steps);
  destroy(&run, count);
  return status;
}
