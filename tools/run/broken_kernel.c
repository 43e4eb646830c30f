// broken_kernel.c - validates the check of live ranges (--check=life) with
// requests that contain one wrong write each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "broken_kernel.h"

#include <inttypes.h>
#include <stdio.h>

#include "run_load.h"
#include "run_messages.h"

enum { TRIES = 16 }; // of each kind

//===--- finding dead bytes -----------------------------------------------===//

// Whether a buffer is live at |step|.
static bool is_live(const gmem_buffer_info_t *info, gmem_op_t step) {
  if (info->space == GMEM_SPACE_STATE)
    return true;
  for (uint32_t i = 0; i < info->range_count; ++i)
    if (info->ranges[i].begin <= step && step < info->ranges[i].end)
      return true;
  return false;
}

// Whether no buffer that is live at |step| contains the byte |at| of |region|.
static bool is_dead(const gmem_plan_t *plan, gmem_region_t region, uint64_t at,
                    gmem_op_t step) {
  gmem_buffer_info_t info;
  for (gmem_buffer_t i = 0; i < gmem_plan_buffer_count(plan); ++i)
    if (gmem_plan_buffer(plan, i, &info) == GMEM_OK && info.region == region &&
        info.offset <= at && at - info.offset < info.size &&
        is_live(&info, step))
      return false;
  return true;
}

// Whether a request may write to the buffer. Weights and shared work are
// read-only, and their live ranges are not meaningful.
static bool is_written(const gmem_buffer_info_t *info) {
  return info->size > 0 && info->space != GMEM_SPACE_WEIGHT &&
         info->space != GMEM_SPACE_SHARED_WORK;
}

// Finds a write to the first byte of |id| after its live range.
static bool find_late(const gmem_plan_t *plan, gmem_buffer_t id,
                      gmem_fault_t *fault) {
  gmem_buffer_info_t info;
  if (gmem_plan_buffer(plan, id, &info) != GMEM_OK || !is_written(&info))
    return false;
  for (uint32_t i = 0; i < info.range_count; ++i) {
    gmem_op_t step = info.ranges[i].end;
    if (step < gmem_plan_op_count(plan) &&
        is_dead(plan, info.region, info.offset, step)) {
      *fault = (gmem_fault_t){step, id, 0};
      return true;
    }
  }
  return false;
}

// Finds a write past the last byte of |id| during its live range.
static bool find_overrun(const gmem_plan_t *plan, gmem_buffer_t id,
                         gmem_fault_t *fault) {
  gmem_buffer_info_t info;
  gmem_region_info_t region;
  if (gmem_plan_buffer(plan, id, &info) != GMEM_OK || !is_written(&info) ||
      gmem_plan_region(plan, info.region, &region) != GMEM_OK ||
      info.offset + info.size >= region.size)
    return false;
  for (uint32_t i = 0; i < info.range_count; ++i) {
    gmem_op_t step = info.ranges[i].end - 1;
    if (is_dead(plan, info.region, info.offset + info.size, step)) {
      *fault = (gmem_fault_t){step, id, info.size};
      return true;
    }
  }
  return false;
}

//===--- trying -----------------------------------------------------------===//

typedef struct trial_s {
  const gmem_stress_t *stress;
  gmem_pool_t *pool;
  gmem_simulated_t simulated;
  uint32_t late, overrun; // faults tried
  gmem_diag_t diag;       // of the last detected fault
} trial_t;

// Whether the check detects the fault.
static bool try_fault(trial_t *trial, const gmem_fault_t *fault) {
  gmem_lease_t *lease;
  if (gmem_lease_acquire(trial->pool, GMEM_NONE, NULL, 0, &lease) != GMEM_OK)
    return false;
  (void)gmem_simulated_run(&trial->stress->simulation, &trial->simulated, lease,
                           1, fault);
  bool noticed = gmem_lease_check(lease, &trial->diag) == GMEM_ERR_CORRUPT;
  gmem_lease_release(lease);
  return noticed;
}

static int report_missed(const trial_t *trial, const gmem_fault_t *fault) {
  gmem_buffer_info_t info;
  if (gmem_plan_buffer(trial->stress->plan, fault->buffer, &info) != GMEM_OK)
    return GMEM_RUN_PROBLEM;
  return gmem_run_error(
      "broken-kernel: the life check did not detect a write in step %" PRIu32
      " to byte %" PRIu64 " of buffer '%s', where no buffer is live",
      fault->step, fault->offset, info.name);
}

static int try_all(trial_t *trial) {
  const gmem_plan_t *plan = trial->stress->plan;
  gmem_fault_t fault;
  for (gmem_buffer_t i = 0; i < gmem_plan_buffer_count(plan); ++i) {
    if (trial->late < TRIES && find_late(plan, i, &fault)) {
      ++trial->late;
      if (!try_fault(trial, &fault))
        return report_missed(trial, &fault);
    }
    if (trial->overrun < TRIES && find_overrun(plan, i, &fault)) {
      ++trial->overrun;
      if (!try_fault(trial, &fault))
        return report_missed(trial, &fault);
    }
  }
  return trial->late + trial->overrun
             ? 0
             : gmem_run_error("broken-kernel: nothing to test, since every "
                              "byte of the plan is in use at every step");
}

int gmem_broken_kernel_run(const gmem_stress_t *stress) {
  trial_t trial = {.stress = stress};
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = 1,
                                 .flags = GMEM_POOL_CHECK};
  gmem_diag_t diag = {0};
  int code = 0;
  gmem_status_t status = gmem_pool_create(stress->model, &stress->provider,
                                          &options, NULL, &trial.pool, &diag);
  if (status != GMEM_OK)
    code = gmem_run_error("%s: cannot map a slot with checks: %s",
                          stress->options->path,
                          diag.text[0] ? diag.text : gmem_status_name(status));
  else if (!gmem_simulated_create(&stress->simulation, &trial.simulated))
    code = gmem_run_error("out of memory");
  else
    code = try_all(&trial);
  if (code == 0 && !stress->options->json)
    printf("broken kernel: detected %" PRIu32
           " writes after a live range and %" PRIu32
           " writes past a buffer, the last one as: %s\n",
           trial.late, trial.overrun, trial.diag.text);
  gmem_simulated_destroy(&trial.simulated);
  gmem_pool_release(trial.pool);
  return code;
}
