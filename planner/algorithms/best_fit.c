// best_fit.c - in order of time, each item in the smallest gap that holds it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The strategy of TFLite's arenas and others that know the live ranges in
// advance.

#include "algorithms.h"
#include "ordered_fit.h"

gmem_status_t gmem_best_fit_pack(const gmem_task_t *task) {
  return gmem_ordered_fit_pack(task, GMEM_KEY_BEGIN, GMEM_FIT_BEST);
}
