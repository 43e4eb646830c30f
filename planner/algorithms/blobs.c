// blobs.c - every item begins where a slot begins; those of one slot are not
// live together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// For machines and runtimes that allocate memory in whole buffers, blobs, and
// cannot place at an offset; Compute Library's BlobLifetimeManager has the same
// task. It is max-colouring of the interference graph: a colour class is a blob
// and costs the size of its largest item (Pemmaraju, Raman, Varadarajan,
// "Buffer minimization using max-coloring", SODA 2004).
//
// Branch and bound (blob_search.c) comes first, for a number of steps. Then
// items are assigned in several orders, each to the smallest blob that is large
// enough and has no conflict, else to the largest one, which grows, else to a
// new one (the rules for shared objects of Pisarchyk and Lee,
// arXiv:2001.03288); and an item that has made a blob larger is moved up in the
// order as long as that does not cost more (squeaky wheel optimization: Joslin
// and Clements, JAIR 1999). All of it ends when the bound of blob_bound.h is
// reached.
//
// With too many conflicts for lists, items are placed in order of time: in the
// first free blob that is large enough, else in the largest free one, which
// grows.

#include <assert.h>
#include <string.h>

#include "algorithms.h"
#include "blob_assignment.h"
#include "cursor.h"
#include "item_order.h"
#include "max_tree.h"
#include "packing_query.h"
#include "search.h"

// The memory limit of the interference lists.
enum { PAIRS_PER_ITEM = 50, FREE_PAIRS = 1 << 22 };

//===--- in an order ------------------------------------------------------===//

// The smallest blob that is large enough and has no conflict, else the largest
// one without a conflict; |blob_count|: there is none.
static uint32_t choose_blob(const gmem_blobs_run_t *run, uint64_t extent) {
  uint32_t chosen = run->blob_count;
  for (uint32_t blob = 0; blob < run->blob_count; ++blob) {
    if (run->stamps[blob] == run->visit)
      continue;
    uint64_t size = run->sizes[blob];
    uint64_t other = chosen < run->blob_count ? run->sizes[chosen] : 0;
    if (size >= extent ? other < extent || size < other : size > other)
      chosen = blob;
  }
  return chosen;
}

// Assigns the items of |order| one after the other. Lists the positions of
// those that have opened a blob or made it larger; returns their number.
static uint32_t assign_in_order(gmem_blobs_run_t *run, const uint32_t *order,
                                gmem_search_t *search, uint64_t *out_bytes) {
  uint32_t grown = 0;
  uint64_t steps = 0;
  *out_bytes = 0;
  run->blob_count = 0;
  for (uint32_t i = 0; i < run->packing->count; ++i)
    run->blob_of[i] = GMEM_NO_ITEM;
  for (uint32_t i = 0; i < run->count; ++i) {
    uint64_t extent = run->packing->items[order[i]].extent;
    steps += gmem_blobs_mark(run, order[i]) + run->blob_count;
    uint32_t blob = choose_blob(run, extent);
    if (blob == run->blob_count)
      run->sizes[run->blob_count++] = 0;
    run->blob_of[order[i]] = blob;
    if (run->sizes[blob] >= extent)
      continue;
    *out_bytes = gmem_sum(*out_bytes, extent - run->sizes[blob]);
    run->sizes[blob] = extent;
    run->grown[grown++] = i;
  }
  gmem_search_spend(search, steps);
  return grown;
}

static void move_up(uint32_t *order, uint32_t from, uint32_t to) {
  uint32_t item = order[from];
  memmove(order + to + 1, order + to, (from - to) * sizeof *order);
  order[to] = item;
}

static void move_down(uint32_t *order, uint32_t from, uint32_t to) {
  uint32_t item = order[from];
  memmove(order + from, order + from + 1, (to - from) * sizeof *order);
  order[to] = item;
}

// Moves an item that has made a blob larger before others, again and again, and
// keeps the order if it is no worse.
static void climb(gmem_blobs_run_t *run, uint32_t *order, uint64_t bytes,
                  uint32_t grown, gmem_search_t *search, uint64_t limit) {
  uint64_t end = search->steps + limit, state = UINT64_C(0x2545F4914F6CDD1D);
  while (grown && run->best > run->bound_sum && search->steps < end &&
         gmem_search_spend(search, 1)) {
    uint32_t from = run->grown[gmem_xorshift(&state) % grown];
    uint32_t to = from ? (uint32_t)(gmem_xorshift(&state) % from) : 0;
    uint64_t changed;
    move_up(order, from, to);
    uint32_t count = assign_in_order(run, order, search, &changed);
    gmem_blobs_keep(run, changed);
    if (changed <= bytes) {
      bytes = changed;
      grown = count;
      continue;
    }
    move_down(order, to, from);
    // |grown| is that of the order of before.
    grown = assign_in_order(run, order, search, &changed);
    assert(changed == bytes);
  }
}

static gmem_status_t assign_by_orders(gmem_blobs_run_t *run,
                                      gmem_search_t *search) {
  static const gmem_item_key_t keys[] = {GMEM_KEY_SIZE, GMEM_KEY_PRESSURE,
                                         GMEM_KEY_AREA, GMEM_KEY_BEGIN,
                                         GMEM_KEY_CONFLICTS};
  const size_t count = run->packing->count;
  const size_t key_count = sizeof keys / sizeof *keys;
  uint64_t limit = gmem_by_effort(search->effort, 0, 50000000, 2000000000);
  uint64_t bytes;
  gmem_order_t *sorted;
  uint32_t *order;
  GMEM_TRY_NEW(sorted, run->memory, 2 * count);
  GMEM_TRY_NEW(order, run->memory, count);
  for (size_t k = 0; k < key_count && run->best > run->bound_sum; ++k) {
    GMEM_TRY(gmem_item_order(run->packing, keys[k], sorted, run->memory));
    run->count = 0;
    for (uint32_t i = 0; i < count; ++i)
      if (!gmem_is_fixed(&run->packing->items[sorted[i].index]))
        order[run->count++] = sorted[i].index;
    if (k == 0 && gmem_blobs_search(run, order, search, limit / 2))
      return GMEM_OK;
    uint32_t grown = assign_in_order(run, order, search, &bytes);
    gmem_blobs_keep(run, bytes);
    climb(run, order, bytes, grown, search, limit / key_count);
  }
  return GMEM_OK;
}

static gmem_status_t assign(gmem_blobs_run_t *run, gmem_search_t *search) {
  const size_t count = run->packing->count;
  GMEM_TRY_ZEROS(run->stamps, run->memory, count);
  GMEM_TRY_NEW(run->sizes, run->memory, count);
  GMEM_TRY_NEW(run->grown, run->memory, count);
  GMEM_TRY_ZEROS(run->cost, run->memory, count);
  GMEM_TRY(gmem_blob_bound_find(run->packing, run->memory, &run->bound));
  GMEM_TRY_ZEROS(run->missing, run->memory, run->bound.count + 1);
  for (uint32_t k = run->bound.count; k-- > 0;)
    run->missing[k] = gmem_sum(run->missing[k + 1], run->bound.sizes[k]);
  run->bound_sum = run->missing[0];
  return assign_by_orders(run, search);
}

//===--- by time ----------------------------------------------------------===//

typedef struct walk_s {
  gmem_blobs_run_t *run;
  uint64_t *sizes;      // by blob
  gmem_max_tree_t free; // by blob: its size when it is free, else 0
} walk_t;

// Whether an item in the blob has an explicit conflict with |item|.
static bool is_forbidden(const gmem_blobs_run_t *run, uint32_t item,
                         size_t blob) {
  const gmem_packing_t *packing = run->packing;
  for (size_t i = packing->extra ? packing->extra_starts[item] : 0;
       packing->extra && i < packing->extra_starts[item + 1]; ++i)
    if (run->best_of[packing->extra[i]] == blob)
      return true;
  return false;
}

static size_t find_free(const walk_t *walk, uint32_t item, uint64_t size) {
  size_t blob = gmem_max_tree_next(&walk->free, 0, size);
  while (blob != SIZE_MAX && is_forbidden(walk->run, item, blob))
    blob = gmem_max_tree_next(&walk->free, blob + 1, size);
  return blob;
}

static void place(walk_t *walk, uint32_t item) {
  gmem_blobs_run_t *run = walk->run;
  uint64_t extent = run->packing->items[item].extent;
  uint64_t largest = walk->free.most[1];
  size_t blob = find_free(walk, item, extent);
  if (blob == SIZE_MAX && largest && largest < extent)
    blob = find_free(walk, item, largest);
  if (blob == SIZE_MAX)
    blob = run->best_count++;
  if (walk->sizes[blob] < extent)
    walk->sizes[blob] = extent;
  gmem_max_tree_set(&walk->free, blob, 0);
  run->best_of[item] = (uint32_t)blob;
}

// Items are in order of their begin.
static gmem_status_t assign_by_time(gmem_blobs_run_t *run,
                                    gmem_search_t *search) {
  const gmem_packing_t *packing = run->packing;
  size_t count = packing->count, ended = 0;
  walk_t walk = {.run = run};
  gmem_order_t *ends;
  GMEM_TRY_ZEROS(walk.sizes, run->memory, count);
  GMEM_TRY_NEW(ends, run->memory, 2 * count);
  GMEM_TRY(gmem_max_tree_create(count, run->memory, &walk.free));
  for (uint32_t i = 0; i < count; ++i) {
    ends[i] = (gmem_order_t){packing->items[i].end, i};
    run->best_of[i] = GMEM_NO_ITEM;
  }
  gmem_sort_order(ends, ends + count, count);
  for (uint32_t i = 0; i < count; ++i) {
    for (; ends[ended].key <= packing->items[i].begin; ++ended) {
      uint32_t blob = run->best_of[ends[ended].index];
      if (blob != GMEM_NO_ITEM)
        gmem_max_tree_set(&walk.free, blob, walk.sizes[blob]);
    }
    if (!gmem_is_fixed(&packing->items[i]))
      place(&walk, i);
  }
  gmem_search_spend(search, 4 * count);
  return GMEM_OK;
}

//===--- offsets ----------------------------------------------------------===//

// Lays out the blobs one after the other, those with the largest alignment
// first, as items that are as large as the largest of theirs.
static gmem_status_t lay_out(const gmem_blobs_run_t *run, uint64_t *offsets) {
  const gmem_packing_t *packing = run->packing;
  size_t count = run->best_count;
  gmem_item_t *blobs;
  gmem_order_t *order;
  gmem_cursor_t cursor;
  GMEM_TRY_ZEROS(blobs, run->memory, count);
  GMEM_TRY_NEW(order, run->memory, 2 * count);
  GMEM_TRY(gmem_cursor_create(packing, run->memory, &cursor));
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_item_t *item = &packing->items[i];
    if (run->best_of[i] == GMEM_NO_ITEM)
      continue;
    gmem_item_t *blob = &blobs[run->best_of[i]];
    if (blob->size <= item->size) {
      blob->size = item->size;
      blob->member = i; // for the message
    }
    if (blob->alignment < item->alignment)
      blob->alignment = item->alignment;
  }
  for (uint32_t i = 0; i < count; ++i)
    order[i] = (gmem_order_t){UINT64_MAX - blobs[i].alignment, i};
  gmem_sort_order(order, order + count, count);
  for (uint32_t i = 0; i < count; ++i) {
    gmem_item_t *blob = &blobs[order[i].index];
    if (!gmem_cursor_take(&cursor, blob, &blob->fixed_offset))
      return gmem_no_address(packing, blob->member, run->memory->diag);
  }
  for (uint32_t i = 0; i < packing->count; ++i)
    offsets[i] = run->best_of[i] == GMEM_NO_ITEM
                     ? packing->items[i].fixed_offset
                     : blobs[run->best_of[i]].fixed_offset;
  return GMEM_OK;
}

gmem_status_t gmem_blobs_pack(const gmem_task_t *task) {
  const gmem_packing_t *packing = task->packing;
  size_t count = packing->count;
  gmem_blobs_run_t run = {
      .packing = packing, .memory = task->memory, .best = UINT64_MAX};
  GMEM_TRY(gmem_adjacency_create(packing,
                                 count * PAIRS_PER_ITEM + (size_t)FREE_PAIRS,
                                 task->memory, &run.adjacency));
  GMEM_TRY_NEW(run.blob_of, task->memory, count);
  GMEM_TRY_NEW(run.best_of, task->memory, count);
  GMEM_TRY(run.adjacency.is_complete ? assign(&run, task->search)
                                     : assign_by_time(&run, task->search));
  return lay_out(&run, task->offsets);
}
