// greedy_by_conflicts.c - places the items with most conflicts first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The order of "greedy_by_conflicts" of Apache TVM's unified static memory
// planner, here with the gap rule of greedy-by-size.

#include "algorithms.h"
#include "ordered_fit.h"

gmem_status_t gmem_greedy_by_conflicts_pack(const gmem_packing_t *packing,
                                            gmem_search_t *search,
                                            uint64_t *offsets,
                                            gmem_scratch_t *memory) {
  return gmem_ordered_fit_pack(packing, GMEM_KEY_CONFLICTS, GMEM_FIT_BEST,
                               search, offsets, memory);
}
