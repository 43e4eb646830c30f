// region_needs.c - see region_needs.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "region_needs.h"

#include <stdlib.h>

// Bytes of a key that begin or cease to be live.
typedef struct change_s {
  int64_t time;
  uint32_t key;
  bool begins;
  uint64_t bytes;
} change_t;

// What ends at a step does so before anything begins.
static int by_time(const void *a, const void *b) {
  const change_t *left = a, *right = b;
  if (left->time != right->time)
    return left->time < right->time ? -1 : 1;
  return (int)left->begins - (int)right->begins;
}

gmem_status_t gmem_needs_peaks(gmem_needs_t *needs, size_t key_count,
                               gmem_bump_t *arena, uint64_t *peaks,
                               gmem_diag_t *diag) {
  change_t *changes;
  uint64_t *now;
  size_t count = 2 * needs->count;
  GMEM_TRY(gmem_bump_status(arena, diag));
  GMEM_TRY_ALLOC(changes, arena, count, diag);
  GMEM_TRY_ALLOC(now, arena, key_count, diag);
  for (size_t i = 0; i < needs->count; ++i) {
    const gmem_need_t *need = &needs->at[i];
    changes[2 * i] = (change_t){need->begin, need->key, true, need->bytes};
    changes[2 * i + 1] = (change_t){need->end, need->key, false, need->bytes};
  }
  if (count)
    qsort(changes, count, sizeof *changes, by_time);
  for (size_t i = 0; i < count; ++i) {
    uint32_t key = changes[i].key;
    now[key] += changes[i].begins ? changes[i].bytes : 0 - changes[i].bytes;
    if (now[key] > peaks[key])
      peaks[key] = now[key];
  }
  return GMEM_OK;
}

gmem_status_t gmem_function_needs(const gmem_analysis_t *analysis,
                                  uint64_t **out_needs, gmem_diag_t *diag) {
  const gmem_program_t *program = &analysis->program;
  const gmem_calls_t *calls = &analysis->facts.calls;
  uint64_t *peaks;
  GMEM_TRY_ALLOC(peaks, analysis->arena, program->function_count, diag);
  *out_needs = peaks;
  for (size_t i = 0; i < program->function_count; ++i) { // callees first
    uint32_t number = calls->order[i];
    const gmem_function_t *function = &program->functions[number];
    const gmem_callee_t *callee = &calls->callees[number];
    gmem_needs_t needs = {0};
    for (uint32_t v = function->first_value; v < function->end_value; ++v) {
      const gmem_live_value_t *live = &analysis->liveness.live_values[v];
      bool counts = live->storage == GMEM_STORAGE_TENSOR && live->root == v;
      for (size_t r = 0; counts && r < live->range_count; ++r)
        GMEM_APPEND(analysis->arena, &needs,
                    (gmem_need_t){0, live->ranges[r].begin, live->ranges[r].end,
                                  program->values[v].size});
    }
    for (uint32_t c = callee->first_call; c < callee->end_call; ++c) {
      const gmem_program_op_t *op = &program->ops[calls->calls[c].op];
      GMEM_APPEND(
          analysis->arena, &needs,
          (gmem_need_t){0, op->begin, op->end, peaks[calls->calls[c].callee]});
    }
    GMEM_TRY(
        gmem_needs_peaks(&needs, 1, analysis->arena, &peaks[number], diag));
  }
  return GMEM_OK;
}
