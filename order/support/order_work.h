// order_work.h - the work of one call of gmem_order_solve: limits, progress.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_ORDER_ORDER_WORK_H_
#define GMEM_ORDER_ORDER_WORK_H_

#include "gmem/order.h"

typedef struct gmem_order_work_s {
  gmem_effort_t effort;
  uint64_t steps;       // units of work done: one is an op executed or examined
  uint64_t limit;       // of |steps|
  uint64_t stage_limit; // of |steps| in this stage; at most |limit|
  uint64_t next_report; // |steps| at which |progress| is called again
  gmem_progress_fn progress;
  void *progress_user;
  const char *stage;
  const char *gave_up;        // the last search that reached its limit, or NULL
  uint64_t peak, lower_bound; // bytes, for progress reports
  bool cancelled;
} gmem_order_work_t;

// Fails with INVALID_ARGUMENT if the options have an unknown size.
GMEM_MUST_USE gmem_status_t
gmem_order_work_start(const gmem_order_options_t *options, uint32_t op_count,
                      gmem_order_work_t *out_work, gmem_diag_t *diag);

// Starts a stage of at most |steps|.
void gmem_order_work_stage(gmem_order_work_t *work, const char *stage,
                           uint64_t steps);

// Counts work. False if the stage is over.
bool gmem_order_spend(gmem_order_work_t *work, uint64_t steps);

// False if all work is over.
static inline bool gmem_order_has_time(const gmem_order_work_t *work) {
  return !work->cancelled && work->steps < work->limit;
}

#endif // GMEM_ORDER_ORDER_WORK_H_
