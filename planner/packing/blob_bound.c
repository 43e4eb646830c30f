// blob_bound.c - see blob_bound.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Items that are live together are in different blobs. So the k largest of them
// are in k blobs, each at least as large as the k-th largest item, and the k-th
// largest blob is at least as large as that, in every section. (The sum of
// these sizes is the bound that Pemmaraju, Raman and Varadarajan use for
// max-colouring of interval graphs, SODA 2004.)
//
// Items are numbered by size, largest first, and the live ones are the marked
// numbers of an array: their order is their rank. Only the last section before
// an item ends counts, because no section that ends without one has fewer
// items.

#include "blob_bound.h"

#include <string.h>

#include "planner_internal.h"

enum { MOST_WORK = 1 << 28 };

typedef struct finder_s {
  const gmem_packing_t *packing;
  gmem_blob_bound_t *bound;
  gmem_order_t *by_size; // largest first, and scratch
  uint32_t *rank;        // by item
  gmem_order_t *ends;    // items by end, and scratch
  uint32_t *live;        // ranks, ascending
  uint32_t live_count;
  uint64_t work;
} finder_t;

static void insert(finder_t *finder, uint32_t rank) {
  uint32_t at =
      (uint32_t)gmem_find_number(finder->live, finder->live_count, rank);
  memmove(finder->live + at + 1, finder->live + at,
          (finder->live_count - at) * sizeof *finder->live);
  finder->live[at] = rank;
  ++finder->live_count;
}

static void erase(finder_t *finder, uint32_t rank) {
  uint32_t at =
      (uint32_t)gmem_find_number(finder->live, finder->live_count, rank);
  --finder->live_count;
  memmove(finder->live + at, finder->live + at + 1,
          (finder->live_count - at) * sizeof *finder->live);
}

static void take_section(finder_t *finder) {
  gmem_blob_bound_t *bound = finder->bound;
  for (uint32_t k = 0; k < finder->live_count; ++k) {
    uint64_t size =
        finder->packing->items[finder->by_size[finder->live[k]].index].extent;
    if (k == bound->count)
      bound->sizes[bound->count++] = 0;
    if (size > bound->sizes[k])
      bound->sizes[k] = size;
  }
  finder->work += finder->live_count;
}

// Items that are live with holes, or in parts, may share a blob with others
// that are live in the same sections.
static bool counts(const gmem_packing_t *packing, uint32_t item) {
  return packing->items[item].part_count == 0;
}

// Items are in order of their begin.
static void sweep(finder_t *finder, uint32_t count) {
  const gmem_packing_t *packing = finder->packing;
  bool has_new = false;
  uint32_t item = 0, ended = 0;
  while (ended < count && finder->work < MOST_WORK) {
    const gmem_order_t *end = &finder->ends[ended];
    while (item < packing->count && !counts(packing, item))
      ++item;
    if (item < packing->count && packing->items[item].begin < end->key) {
      insert(finder, finder->rank[item++]);
      has_new = true;
      continue;
    }
    if (has_new)
      take_section(finder);
    has_new = false;
    erase(finder, finder->rank[end->index]);
    ++ended;
  }
}

gmem_status_t gmem_blob_bound_find(const gmem_packing_t *packing,
                                   gmem_scratch_t *memory,
                                   gmem_blob_bound_t *out_bound) {
  finder_t finder = {.packing = packing, .bound = out_bound};
  size_t most = packing->count;
  uint32_t count = 0;
  *out_bound = (gmem_blob_bound_t){NULL, 0};
  GMEM_TRY_NEW(out_bound->sizes, memory, most);
  GMEM_TRY_NEW(finder.by_size, memory, 2 * most);
  GMEM_TRY_NEW(finder.rank, memory, most);
  GMEM_TRY_NEW(finder.ends, memory, 2 * most);
  GMEM_TRY_NEW(finder.live, memory, most);
  for (uint32_t i = 0; i < most; ++i) {
    const gmem_item_t *item = &packing->items[i];
    finder.by_size[i] = (gmem_order_t){UINT64_MAX - item->extent, i};
    if (counts(packing, i))
      finder.ends[count++] = (gmem_order_t){item->end, i};
  }
  gmem_sort_order(finder.by_size, finder.by_size + most, most);
  gmem_sort_order(finder.ends, finder.ends + most, count);
  for (uint32_t i = 0; i < most; ++i)
    finder.rank[finder.by_size[i].index] = i;
  if (!packing->has_choices)
    sweep(&finder, count);
  if (most && out_bound->count == 0)
    out_bound->sizes[out_bound->count++] = 0;
  if (most &&
      packing->items[finder.by_size[0].index].extent > out_bound->sizes[0])
    out_bound->sizes[0] = packing->items[finder.by_size[0].index].extent;
  return GMEM_OK;
}
