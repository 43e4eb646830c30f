// order_work.c - the work of one call of gmem_order_solve: limits, progress.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "order_work.h"

#include "diag.h"

// About ten calls of |progress| a second.
static const uint64_t STEPS_PER_REPORT = UINT64_C(1) << 21;

gmem_status_t gmem_order_work_start(const gmem_order_options_t *options,
                                    uint32_t op_count,
                                    gmem_order_work_t *out_work,
                                    gmem_diag_t *diag) {
  static const uint64_t limits[] = {
      [GMEM_EFFORT_NORMAL] = UINT64_C(40) << 20,
      [GMEM_EFFORT_FAST] = UINT64_C(1) << 20,
      [GMEM_EFFORT_EXHAUSTIVE] = UINT64_C(1) << 30,
  };
  if (options->struct_size != 0 && options->struct_size != sizeof *options)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "options.struct_size is %u, not %zu",
                     (unsigned)options->struct_size, sizeof *options);
  if ((unsigned)options->effort >= sizeof limits / sizeof *limits)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "options.effort is %u, which is no effort",
                     (unsigned)options->effort);
  // The simple orders are linear; they are part of every effort.
  uint64_t limit = options->step_limit
                       ? options->step_limit
                       : limits[options->effort] + UINT64_C(16) * op_count;
  *out_work = (gmem_order_work_t){.effort = options->effort,
                                  .limit = limit,
                                  .stage_limit = limit,
                                  .progress = options->progress,
                                  .progress_user = options->progress_user,
                                  .stage = "start",
                                  .peak = UINT64_MAX};
  return GMEM_OK;
}

void gmem_order_work_stage(gmem_order_work_t *work, const char *stage,
                           uint64_t steps) {
  uint64_t left = work->steps < work->limit ? work->limit - work->steps : 0;
  work->stage = stage;
  work->stage_limit = work->steps + (steps < left ? steps : left);
}

bool gmem_order_spend(gmem_order_work_t *work, uint64_t steps) {
  work->steps += steps;
  if (work->steps >= work->next_report) {
    work->next_report = work->steps + STEPS_PER_REPORT;
    gmem_progress_t progress = {.stage = work->stage,
                                .steps = work->steps,
                                .step_limit = work->limit,
                                .peak = work->peak,
                                .lower_bound = work->lower_bound};
    if (work->progress && !work->progress(work->progress_user, &progress))
      work->cancelled = true;
  }
  return !work->cancelled && work->steps < work->stage_limit;
}
