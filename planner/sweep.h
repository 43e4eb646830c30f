// sweep.h - what the sweep and the repair of its plans share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_SWEEP_H_
#define GMEM_PLANNER_SWEEP_H_

#include "packing.h"

// An item as the sweep sees it: all of its bytes from its first section to its
// last, and further when it has extra conflicts. Two items whose hulls don't
// meet may share bytes; the converse need not hold.
typedef struct gmem_hull_s {
  uint32_t begin, end; // sections [begin, end), counted from the first of the
                       //   packing
  uint64_t extent;     // bytes
} gmem_hull_t;

typedef struct gmem_hulls_s {
  gmem_hull_t *at;       // by item
  uint32_t *by_begin;    // items
  uint32_t *first_begin; // by_begin[first_begin[s] .. first_begin[s + 1]) begin
                         //   in section s
  uint64_t *load;        // by section: the sum of the extents that are live
} gmem_hulls_t;

// Places anew what lies above the goal, together with what is around it, window
// by window, until all is below the goal or the effort is spent. |offsets|
// holds a valid placement and only gets better. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_sweep_repair(const gmem_packing_t *packing,
                                const gmem_hulls_t *hulls,
                                gmem_search_t *search, uint64_t *offsets,
                                gmem_diag_t *diag);

#endif // GMEM_PLANNER_SWEEP_H_
