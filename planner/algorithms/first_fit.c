// first_fit.c - in order of time, each item at the lowest free offset.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Optimal when all sizes are equal: first fit by begin colours an interval
// graph with as many colours as its largest clique. Most runtimes and compilers
// use it (LLVM, IREE).

#include "algorithms.h"
#include "ordered_fit.h"

gmem_status_t gmem_first_fit_pack(const gmem_task_t *task) {
  return gmem_ordered_fit_pack(task, GMEM_KEY_BEGIN, GMEM_FIT_FIRST);
}
