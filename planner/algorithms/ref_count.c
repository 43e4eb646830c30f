// ref_count.c - reuse by use counts, the classic algorithm of compilers for
// accelerators, on live ranges.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The original walks the ops of a network and keeps a table of (tensor, offset,
// size, use count), a list of held tensors and a set of offsets in use. The
// result of an op reuses the first entry of the table that satisfies five
// conditions, or allocates new memory on top. Here an entry is a *slot*: an
// offset and the size it was created with. The conditions become:
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
// A use count of zero is the end of a live range, so no counts are kept. A
// buffer with several ranges keeps its slot from its first begin to its last
// end, because the original has no gaps. Offset 0 is not special. Slots are
// created only where no fixed buffer is placed.
//
// Buffers that begin together are placed in order of addition, like the results
// of ops: reordering the rows of a problem can change the plan.
//
// A tree over the slots in order of creation stores the largest free size below
// each node, so the first slot that is free and large enough is found in O(log
// n). Slots that do not suit an item cost extra: they are misaligned, or hold
// an item with an explicit conflict.

#include <assert.h>

#include "algorithms.h"
#include "cursor.h"
#include "item_order.h"
#include "max_tree.h"
#include "packing_query.h"

typedef struct ref_count_s {
  const gmem_packing_t *packing;
  gmem_scratch_t *memory;
  gmem_cursor_t cursor;
  uint64_t *offsets; // of the items
  uint64_t *slots;   // offsets, in order of creation
  uint64_t *sizes;   // the sizes they were created with
  size_t slot_count;
  gmem_max_tree_t free; // by slot: its size when it is free, else 0
  size_t *slot_of;      // by item
  gmem_order_t *orders; // by begin, by end, scratch
  uint64_t steps;
} ref_count_t;

//===--- slots ------------------------------------------------------------===//

// Whether an item at |offset| has an explicit conflict with |item|.
static bool is_forbidden(ref_count_t *run, uint32_t item, uint64_t offset) {
  const gmem_packing_t *packing = run->packing;
  if (!packing->extra)
    return false;
  size_t last = packing->extra_starts[item + 1];
  for (size_t i = packing->extra_starts[item]; i < last; ++i) {
    uint32_t other = packing->extra[i];
    ++run->steps;
    if (run->offsets[other] != GMEM_NOT_FIXED &&
        run->offsets[other] < offset + packing->items[item].size &&
        offset < run->offsets[other] + packing->items[other].size)
      return true;
  }
  return false;
}

// The first slot that is free and suits the item; SIZE_MAX: none.
static size_t find_slot(ref_count_t *run, uint32_t index) {
  const gmem_item_t *item = &run->packing->items[index];
  size_t slot = gmem_max_tree_next(&run->free, 0, item->size);
  for (; slot != SIZE_MAX;
       slot = gmem_max_tree_next(&run->free, slot + 1, item->size)) {
    ++run->steps;
    uint64_t address = run->packing->base + run->slots[slot];
    if ((address & (item->alignment - 1)) == 0 &&
        !is_forbidden(run, index, run->slots[slot]))
      break;
  }
  return slot;
}

static bool hold_slot(ref_count_t *run, uint32_t index) {
  const gmem_item_t *item = &run->packing->items[index];
  size_t slot = find_slot(run, index);
  ++run->steps;
  if (slot == SIZE_MAX) {
    slot = run->slot_count;
    if (!gmem_cursor_take(&run->cursor, item, &run->slots[slot]))
      return false;
    assert(run->slot_count < run->packing->count);
    run->sizes[run->slot_count++] = item->size;
  }
  gmem_max_tree_set(&run->free, slot, 0);
  run->slot_of[index] = slot;
  run->offsets[index] = run->slots[slot];
  return true;
}

static void release_slot(ref_count_t *run, uint32_t index) {
  if (gmem_is_fixed(&run->packing->items[index]))
    return; // no slot
  size_t slot = run->slot_of[index];
  gmem_max_tree_set(&run->free, slot, run->sizes[slot]);
}

//===--- sweep over time --------------------------------------------------===//

static int64_t begin_of(const gmem_packing_t *packing, uint32_t item) {
  int64_t begin = INT64_MAX;
  for (uint32_t i = packing->items[item].member;
       i < gmem_members_end(packing, item); ++i) {
    const gmem_buffer_spec_t *spec =
        gmem_problem_buffer(packing->problem, packing->members[i].buffer);
    begin = spec->ranges[0].begin < begin ? spec->ranges[0].begin : begin;
  }
  return begin;
}

// Of items that begin together, the one added first comes first.
static gmem_status_t sort_by_time(ref_count_t *run) {
  const gmem_packing_t *packing = run->packing;
  size_t count = packing->count;
  gmem_order_t *births = run->orders, *deaths = births + count;
  GMEM_TRY(gmem_item_order(packing, GMEM_KEY_ADDITION, births, run->memory));
  for (uint32_t i = 0; i < count; ++i)
    births[i].key = gmem_time_key(begin_of(packing, births[i].index));
  gmem_sort_order(births, deaths, count);
  for (uint32_t i = 0; i < count; ++i)
    deaths[i] = (gmem_order_t){packing->items[i].end, i};
  gmem_sort_order(deaths, deaths + count, count);
  return GMEM_OK;
}

static gmem_status_t walk(ref_count_t *run) {
  const gmem_packing_t *packing = run->packing;
  const gmem_order_t *birth = run->orders, *death = birth + packing->count;
  for (uint32_t i = 0; i < packing->count; ++i)
    run->offsets[i] = packing->items[i].fixed_offset;
  for (uint32_t i = 0; i < packing->count; ++i, ++birth) {
    uint32_t item = birth->index;
    for (; death->key <= packing->items[item].begin; ++death)
      release_slot(run, death->index);
    if (run->offsets[item] == GMEM_NOT_FIXED && !hold_slot(run, item))
      return gmem_no_address(packing, item, run->memory->diag);
  }
  return GMEM_OK;
}

//===--- set-up -----------------------------------------------------------===//

static gmem_status_t create(ref_count_t *run) {
  size_t count = run->packing->count;
  GMEM_TRY_NEW(run->slots, run->memory, count);
  GMEM_TRY_NEW(run->sizes, run->memory, count);
  GMEM_TRY(gmem_max_tree_create(count, run->memory, &run->free));
  GMEM_TRY_NEW(run->slot_of, run->memory, count);
  GMEM_TRY_NEW(run->orders, run->memory, 3 * count);
  return gmem_cursor_create(run->packing, run->memory, &run->cursor);
}

gmem_status_t gmem_ref_count_pack(const gmem_task_t *task) {
  ref_count_t run = {.packing = task->packing,
                     .memory = task->memory,
                     .offsets = task->offsets};
  GMEM_TRY(create(&run));
  GMEM_TRY(sort_by_time(&run));
  gmem_status_t status = walk(&run);
  gmem_search_spend(task->search, run.steps);
  return status;
}
