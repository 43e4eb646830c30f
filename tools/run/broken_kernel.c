// broken_kernel.c - validates the check of live ranges (--check=life) with
// requests that contain one wrong write each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "broken_kernel.h"

#include <inttypes.h>
#include <stdio.h>

#include "messages.h"
#include "run_load.h"

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
  for (gmem_buffer_t i = 0; i < gmem_plan_buffer_count(plan); ++i) {
    gmem_buffer_info_t info = gmem_plan_buffer_at(plan, i);
    if (info.region == region && info.offset <= at &&
        at - info.offset < info.size && is_live(&info, step))
      return false;
  }
  return true;
}

// Finds a wrong write to buffer |id|: to its first byte after a live range, or
// with |is_overrun| past its last byte during one.
static bool find_fault(const gmem_plan_t *plan, gmem_buffer_t id,
                       bool is_overrun, gmem_fault_t *fault) {
  gmem_buffer_info_t info = gmem_plan_buffer_at(plan, id);
  gmem_region_info_t region;
  uint64_t at = is_overrun ? info.size : 0;
  if (info.size == 0 || gmem_buffer_is_shared(&info) ||
      gmem_plan_region(plan, info.region, &region) != GMEM_OK ||
      info.offset + at >= region.size)
    return false;
  for (uint32_t i = 0; i < info.range_count; ++i) {
    gmem_op_t step = info.ranges[i].end - is_overrun;
    if (step < gmem_plan_op_count(plan) &&
        is_dead(plan, info.region, info.offset + at, step)) {
      *fault = (gmem_fault_t){step, id, at};
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
  uint32_t tried[2]; // writes after a live range, and past a buffer
  gmem_diag_t diag;  // of the last detected fault
} trial_t;

// Whether the check detects the fault.
static bool try_fault(trial_t *trial, const gmem_fault_t *fault) {
  gmem_lease_t *lease;
  if (gmem_lease_acquire(trial->pool, GMEM_NONE, NULL, 0, &lease) != GMEM_OK)
    return false;
  (void)gmem_simulated_run(&trial->simulated, lease, 1, fault);
  bool noticed = gmem_lease_check(lease, &trial->diag) == GMEM_ERR_CORRUPT;
  gmem_lease_release(lease);
  return noticed;
}

static gmem_status_t try_all(trial_t *trial) {
  const gmem_plan_t *plan = trial->stress->memory->plan;
  gmem_fault_t fault;
  for (gmem_buffer_t i = 0; i < gmem_plan_buffer_count(plan); ++i)
    for (int kind = 0; kind < 2; ++kind) {
      if (trial->tried[kind] == TRIES || !find_fault(plan, i, kind, &fault))
        continue;
      ++trial->tried[kind];
      if (!try_fault(trial, &fault))
        return gmem_tool_error(
            "broken-kernel: the life check did not detect a write in step "
            "%" PRIu32 " to byte %" PRIu64
            " of buffer '%s', where no buffer is live",
            fault.step, fault.offset,
            gmem_plan_buffer_at(plan, fault.buffer).name);
    }
  return trial->tried[0] + trial->tried[1]
             ? GMEM_OK
             : gmem_tool_error("broken-kernel: nothing to test, since every "
                               "byte of the plan is in use at every step");
}

static gmem_status_t run(trial_t *trial) {
  const gmem_stress_t *stress = trial->stress;
  gmem_diag_t diag = {0};
  gmem_status_t status = gmem_mapped_plan_pool(
      stress->memory, 1, 0, GMEM_POOL_CHECK, &trial->pool, &diag);
  GMEM_TRY(gmem_tool_check(status, &diag, "%s: cannot map a slot with checks",
                           stress->options->path));
  if (!gmem_simulated_create(&stress->simulation, &trial->simulated))
    return gmem_tool_error("out of memory");
  GMEM_TRY(try_all(trial));
  if (!stress->options->json)
    printf("broken kernel: detected %" PRIu32
           " writes after a live range and %" PRIu32
           " writes past a buffer, the last one as: %s\n",
           trial->tried[0], trial->tried[1], trial->diag.text);
  return GMEM_OK;
}

gmem_status_t gmem_broken_kernel_run(const gmem_stress_t *stress) {
  trial_t trial = {.stress = stress};
  gmem_status_t status = run(&trial);
  gmem_simulated_destroy(&trial.simulated);
  gmem_pool_release(trial.pool);
  return status;
}
