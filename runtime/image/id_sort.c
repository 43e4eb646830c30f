// id_sort.c - bottom-up merge sort.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "id_sort.h"

#include <string.h>

// Merges the sorted ids [0, middle) and [middle, end) of |from| to |to|.
static void merge(const uint32_t *from, uint32_t *to, uint64_t middle,
                  uint64_t end, gmem_id_after_fn after, const void *context) {
  uint64_t left = 0, right = middle;
  for (uint64_t at = 0; at < end; ++at) {
    bool take_left = left < middle &&
                     (right == end || !after(context, from[left], from[right]));
    to[at] = take_left ? from[left++] : from[right++];
  }
}

void gmem_rt_sort_ids(uint32_t *ids, uint32_t *scratch, uint32_t count,
                      gmem_id_after_fn after, const void *context) {
  uint32_t *from = ids, *to = scratch;
  for (uint64_t width = 1; width < count; width *= 2) {
    for (uint64_t begin = 0; begin < count; begin += 2 * width) {
      uint64_t end = count - begin < 2 * width ? count - begin : 2 * width;
      uint64_t middle = width < end ? width : end;
      merge(from + begin, to + begin, middle, end, after, context);
    }
    uint32_t *swap = from;
    from = to;
    to = swap;
  }
  if (from != ids)
    memcpy(ids, from, count * sizeof *ids);
}
