// blob_search.c - branch and bound for the algorithm blobs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Largest items first: an item joins a blob in which nothing conflicts with it,
// which is free, because all blobs are at least as large, or opens one of its
// own size. Blobs are thus opened in order of size, and those that are still
// missing are bounded by the rest of the sum of blob_bound.h.

#include <assert.h>

#include "blob_assignment.h"

// The first blob from |from| on without a conflict; |blob_count|: a new one.
static uint32_t next_blob(const gmem_blobs_run_t *run, uint32_t from) {
  while (from < run->blob_count && run->stamps[from] == run->visit)
    ++from;
  return from;
}

// The fewest bytes of an assignment that begins with the current blobs.
static uint64_t least(const gmem_blobs_run_t *run, uint64_t bytes) {
  return run->blob_count < run->bound.count
             ? gmem_sum(bytes, run->missing[run->blob_count])
             : bytes;
}

// Takes |item| out of its blob. Returns the next blob to try, or GMEM_NO_ITEM
// if it has opened this one: then all were tried. run->grown are the positions
// of the items that have opened the blobs.
static uint32_t take_out(gmem_blobs_run_t *run, uint32_t item,
                         uint32_t position) {
  uint32_t blob = run->blob_of[item];
  run->blob_of[item] = GMEM_NO_ITEM;
  if (run->grown[blob] != position)
    return blob + 1;
  assert(blob + 1 == run->blob_count);
  --run->blob_count;
  return GMEM_NO_ITEM;
}

// Puts |item| into |blob|, or a new one. Returns the bytes of all blobs.
static uint64_t put_in(gmem_blobs_run_t *run, uint32_t item, uint32_t position,
                       uint32_t blob) {
  run->blob_of[item] = blob;
  if (blob < run->blob_count)
    return run->cost[position];
  run->grown[run->blob_count++] = position;
  return gmem_sum(run->cost[position], run->packing->items[item].extent);
}

// Depth first; the first descent is completed whatever the limits are.
bool gmem_blobs_search(gmem_blobs_run_t *run, const uint32_t *order,
                       gmem_search_t *search, uint64_t limit) {
  uint64_t bytes = 0, end = search->steps + limit;
  uint32_t position = 0, from = 0;
  bool is_first = true;
  run->blob_count = 0;
  for (uint32_t i = 0; i < run->packing->count; ++i)
    run->blob_of[i] = GMEM_NO_ITEM;
  for (;;) {
    if (position == run->count) {
      gmem_blobs_keep(run, bytes);
      is_first = false;
      if (run->best <= run->bound_sum)
        return true;
      from = GMEM_NO_ITEM;
    } else {
      uint32_t item = order[position];
      bool goes_on = gmem_search_spend(search, gmem_blobs_mark(run, item)) &&
                     search->steps < end;
      if (!goes_on && !is_first)
        return false;
      bytes = put_in(run, item, position, next_blob(run, from));
      if (is_first || least(run, bytes) < run->best) {
        from = 0;
        if (++position < run->count)
          run->cost[position] = bytes;
        continue;
      }
      from = take_out(run, item, position);
    }
    while (from == GMEM_NO_ITEM) {
      if (position-- == 0)
        return true;
      from = take_out(run, order[position], position);
    }
  }
}
