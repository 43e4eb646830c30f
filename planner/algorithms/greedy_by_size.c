// greedy_by_size.c - places the largest items first, each in its best-fitting
// gap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Yury Pisarchyk and Juhyun Lee, "Efficient Memory Management for Deep Neural
// Net Inference", arXiv:2001.03288, section "Greedy by Size for Offset
// Calculation". The paper leaves ties open; here, of equal sizes the item that
// begins first is placed first, then the lower index, and of equal gaps the
// lowest is used. So buffers of one size, such as chains of equal layers, are
// coloured as an interval graph, which first fit in order of begin does
// optimally. Fixed buffers are placed before all others.
//
// time_blocks.c and ordered_fit.c describe how the gaps are found.

#include "algorithms.h"
#include "ordered_fit.h"

gmem_status_t gmem_greedy_by_size_pack(const gmem_task_t *task) {
  return gmem_ordered_fit_pack(task, GMEM_KEY_SIZE, GMEM_FIT_BEST);
}
