// greedy_by_size.c - largest buffers first, each into its best-fitting gap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Yury Pisarchyk and Juhyun Lee, "Efficient Memory Management for Deep Neural
// Net Inference", arXiv:2001.03288, section "Greedy by Size for Offset
// Calculation". Ties of the paper are settled here: of equal sizes the one
// that begins first goes first, then the lower index; of equal gaps the lowest
// wins. So buffers of one size, chains of equal layers for example, are
// coloured as an interval graph, which first fit in order of begin does
// optimally. Fixed buffers are placed before all others.
//
// The buffers placed in a pool are kept by offset. A walk over those that are
// live together with the new one meets its gaps from the bottom to the top:
//
//        |#####|          |####|      |#######|
//   gap 0       gap 1           gap 2          on top
//
// Every placement walks over the whole pool: O(n^2), with a small constant.

#include "algorithms.h"
#include "ordered_fit.h"
#include "packing.h"

gmem_status_t gmem_greedy_by_size_pack(const gmem_packing_t *packing,
                                       gmem_search_t *search, uint64_t *offsets,
                                       gmem_diag_t *diag) {
  return gmem_ordered_fit_pack(packing, GMEM_KEY_SIZE, GMEM_FIT_BEST, search,
                               offsets, diag);
}
