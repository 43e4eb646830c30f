// fold.h - fewer and larger items: those that fit together to a rectangle move
// as one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_fold_t fold;
//   status = gmem_fold_create(packing, search, &fold, diag);
//   ... place the items of fold.packing: fold.offsets ...
//   gmem_fold_unfold(&fold, fold.offsets, offsets);
//   gmem_fold_destroy(&fold);

#ifndef GMEM_PLANNER_FOLD_H_
#define GMEM_PLANNER_FOLD_H_

#include "packing.h"
#include "search.h"

// An item of the packing that is folded; when it is the root of its rectangle,
// which is the first item in it, that rectangle.
typedef struct gmem_fold_item_s {
  uint64_t extent, duration; // of the rectangle
  uint64_t shift;            // offset - offset(parent), modulo 2^64; of a root:
                             //   offset - bottom of the rectangle
  uint32_t begin, end;       // sections of the rectangle
  uint32_t parent;           // an item before it, or itself: a root
  uint32_t round;            // the last one in which it was joined
} gmem_fold_item_t;

typedef struct gmem_fold_s {
  const gmem_packing_t *whole; // what is folded
  gmem_packing_t packing;      // of the rectangles; plain
  uint64_t *offsets;           // room for two placements of these
  gmem_fold_item_t *items;     // of |whole|
  uint32_t *roots;             // by item of |packing|: the item of |whole|
  uint32_t root_count;
  uint32_t round;
  gmem_order_t *order;             // 4 * count: scratch
  uint32_t *begins, *ends;         // by section: the first root that begins or
                                   //   ends there, or none
  uint32_t *next_begin, *next_end; // by root: the next one
} gmem_fold_t;

// Folds |packing|, which must be plain and outlive |fold|, as far as it
// goes and the steps of |search| last.
// O(n log n) in all practical cases. Fails with OUT_OF_MEMORY; destroying is
// harmless in every case.
gmem_status_t gmem_fold_create(const gmem_packing_t *packing,
                               gmem_search_t *search, gmem_fold_t *fold,
                               gmem_diag_t *diag);
void gmem_fold_destroy(gmem_fold_t *fold);

// Fills |offsets| of fold->whole from those of fold->packing.
void gmem_fold_unfold(const gmem_fold_t *fold, const uint64_t *folded,
                      uint64_t *offsets);

// Joins the rectangles of two roots in one: |left| at |left_offset| in it,
// |right| at |right_offset|. The caller says what it is now. Returns its root.
uint32_t gmem_fold_join(gmem_fold_t *fold, uint32_t left, uint64_t left_offset,
                        uint32_t right, uint64_t right_offset);

// fold_pinwheel.c: joins the five arms of each pinwheel. Returns how many.
uint32_t gmem_fold_pinwheels(gmem_fold_t *fold);

#endif // GMEM_PLANNER_FOLD_H_
