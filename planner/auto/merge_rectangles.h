// merge_rectangles.h - merges two adjacent rectangles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_MERGE_RECTANGLES_H_
#define GMEM_PLANNER_MERGE_RECTANGLES_H_

#include "items.h"
#include "planner_internal.h"

// An item of the original packing. The first item of a rectangle is its root
// and describes the rectangle.
typedef struct gmem_merge_item_s {
  uint64_t extent, duration; // of the rectangle
  uint64_t shift; // offset - offset(parent), modulo 2^64; of a root: offset -
                  // bottom of the rectangle
  uint32_t begin, end; // sections of the rectangle
  uint32_t parent;     // an item before it, or itself: a root
  uint32_t round;      // the last one in which it was merged
} gmem_merge_item_t;

typedef struct gmem_merge_s {
  const gmem_packing_t *whole; // the original packing
  gmem_packing_t packing;      // of the merged items; plain; a view
  uint64_t *offsets;           // room for two placements of |packing|
  gmem_merge_item_t *items;    // of |whole|
  uint32_t *roots;             // by item of |packing|: the item of |whole|
  uint32_t root_count;
  uint32_t round;
  uint64_t tolerance;  // bytes by which sizes that should be equal may differ
  gmem_order_t *order; // 4 * count: scratch
  uint32_t *begins,
      *ends; // by section: the first root that begins or ends there, or none
  uint32_t *next_begin, *next_end; // by root: the next one
} gmem_merge_t;

// Merges the rectangles of two roots: |left| is at |left_offset| in the result,
// |right| at |right_offset|. The caller sets its extent and sections. Returns
// its root.
uint32_t gmem_merge_join(gmem_merge_t *merge, uint32_t left,
                         uint64_t left_offset, uint32_t right,
                         uint64_t right_offset);

// Whether two sizes are equal but for the tolerance.
static inline bool gmem_merge_near(const gmem_merge_t *merge, uint64_t a,
                                   uint64_t b) {
  return (a > b ? a - b : b - a) <= merge->tolerance;
}

#endif // GMEM_PLANNER_MERGE_RECTANGLES_H_
