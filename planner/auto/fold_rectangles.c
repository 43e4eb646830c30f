// fold_rectangles.c - joins rectangles that lie on each other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fold_rectangles.h"

uint32_t gmem_fold_join(gmem_fold_t *fold, uint32_t left, uint64_t left_offset,
                        uint32_t right, uint64_t right_offset) {
  gmem_fold_item_t *a = &fold->items[left], *b = &fold->items[right];
  uint64_t left_at = left_offset + a->shift;
  uint64_t right_at = right_offset + b->shift;
  a->round = b->round = fold->round;
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
