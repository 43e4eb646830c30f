// merge_rectangles.c - merges two adjacent rectangles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "merge_rectangles.h"

#include <assert.h>

uint32_t gmem_merge_join(gmem_merge_t *merge, uint32_t left,
                         uint64_t left_offset, uint32_t right,
                         uint64_t right_offset) {
  gmem_merge_item_t *a = &merge->items[left], *b = &merge->items[right];
  assert(left != right && a->parent == left && b->parent == right);
  uint64_t left_at = left_offset + a->shift;
  uint64_t right_at = right_offset + b->shift;
  a->round = b->round = merge->round;
  if (left < right) {
    b->parent = left;
    b->shift = right_at - left_at;
    a->shift = left_at;
    return left;
  }
  a->parent = right;
  a->shift = left_at - right_at;
  b->shift = right_at;
  return right;
}
