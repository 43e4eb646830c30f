// taken.h - the offsets at which an item cannot begin, because of others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_TAKEN_H_
#define GMEM_PLANNER_TAKEN_H_

#include "packing.h"

// Offsets [begin, end).
typedef struct gmem_taken_s {
  uint64_t begin, end;
  uint32_t by; // whose they are: a number of the caller
} gmem_taken_t;

// The offsets that |other| at |offset| takes from |item|; false when it takes
// none. Sets all of *taken but |by|.
bool gmem_taken_by(const gmem_packing_t *packing, uint32_t item, uint32_t other,
                   uint64_t offset, gmem_taken_t *taken);

// Sorts by begin.
void gmem_taken_sort(gmem_taken_t *taken, size_t count);

// The lowest valid offset of |item| outside of the sorted intervals; false when
// there is none within the limit of the packing.
bool gmem_taken_find_gap(const gmem_packing_t *packing, const gmem_item_t *item,
                         const gmem_taken_t *taken, size_t count,
                         uint64_t *out_offset);

// Whether |item| at |offset| ends within the limit of the packing.
bool gmem_item_fits(const gmem_packing_t *packing, const gmem_item_t *item,
                    uint64_t offset);

#endif // GMEM_PLANNER_TAKEN_H_
