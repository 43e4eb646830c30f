// taken.c - the offsets at which an item cannot begin, because of others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "taken.h"

#include <assert.h>

#include "packing_query.h"

bool gmem_taken_by(const gmem_packing_t *packing, uint32_t item, uint32_t other,
                   uint64_t offset, gmem_taken_t *taken) {
  if (other == item || !gmem_items_conflict(packing, other, item))
    return false;
  int64_t above =
      gmem_clear_of((int64_t)offset, gmem_clearance(packing, other, item));
  int64_t below = (int64_t)offset - gmem_clearance(packing, item, other);
  taken->begin = below < 0 ? 0 : (uint64_t)below + 1;
  taken->end = (uint64_t)above;
  return above > 0 && below + 1 < above;
}

static void sift_down(gmem_taken_t *heap, size_t node, size_t count) {
  for (size_t child; (child = 2 * node + 1) < count; node = child) {
    if (child + 1 < count && heap[child].begin < heap[child + 1].begin)
      ++child;
    if (heap[node].begin >= heap[child].begin)
      return;
    gmem_taken_t swap = heap[node];
    heap[node] = heap[child];
    heap[child] = swap;
  }
}

void gmem_taken_sort(gmem_taken_t *taken, size_t count) {
  for (size_t node = count / 2; node-- > 0;)
    sift_down(taken, node, count);
  for (size_t last = count; last-- > 1;) {
    gmem_taken_t swap = taken[0];
    taken[0] = taken[last];
    taken[last] = swap;
    sift_down(taken, 0, last);
  }
}

bool gmem_taken_find_gap(const gmem_packing_t *packing, const gmem_item_t *item,
                         const gmem_taken_t *taken, size_t count,
                         uint64_t *out_offset) {
  uint64_t offset;
  if (!gmem_item_align(packing, item, 0, &offset))
    return false;
  for (size_t i = 0; i < count; ++i) {
    assert(i == 0 || taken[i - 1].begin <= taken[i].begin);
    if (taken[i].begin <= offset && offset < taken[i].end &&
        !gmem_item_align(packing, item, taken[i].end, &offset))
      return false;
  }
  *out_offset = offset;
  return gmem_item_fits(packing, item, offset);
}

bool gmem_item_fits(const gmem_packing_t *packing, const gmem_item_t *item,
                    uint64_t offset) {
  uint64_t end;
  return gmem_add_bytes(offset, item->extent, &end) &&
         offset <= packing->limit && item->size <= packing->limit - offset;
}
