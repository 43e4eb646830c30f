// report_facts.h - what a report contains, collected from an analysis and
// its plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_REPORT_FACTS_H_
#define GMEM_PASSES_REPORT_FACTS_H_

#include "bump.h"
#include "gmem/passes.h"
#include "text.h"

// What the buffers of a pool are together.
typedef struct gmem_report_pool_s {
  size_t buffers, views; // with bytes of their own; those that are others'
  uint64_t sum;          // bytes of the former
  uint64_t most_live;    // bytes that are live at once, at most
  int64_t moment;        // first step at which they are, or -1: none ever is
  int64_t moments;       // how many such steps there are
} gmem_report_pool_t;

// A value that the planner leaves alone.
typedef struct gmem_report_left_s {
  const char *value;    // "result #0 of 'memref.alloc'"
  const char *function; // symbol name
  const char *reason;
  MlirLocation location;
  MlirOperation cause; // op that is the reason; null when it is no single one
} gmem_report_left_t;

typedef struct gmem_report_s {
  gmem_bump_t *arena;
  MlirLocation location; // of what is reported about
  const gmem_planned_t *planned;
  MlirOperation *ops;        // by step
  MlirLocation *locations;   // by buffer: where it is made
  gmem_report_pool_t *pools; // by pool
  gmem_report_left_t *left;  // in the order of the program
  size_t buffer_count, left_count, left_room;
  int64_t step_count;
} gmem_report_t;

// The first and the step behind the last at which a buffer is live.
int64_t gmem_report_begin(const gmem_planned_buffer_t *buffer);

int64_t gmem_report_end(const gmem_planned_buffer_t *buffer);

// Whether the bytes of |buffer| are its own at |step|.
bool gmem_report_owns_at(const gmem_planned_buffer_t *buffer, int64_t step);

// "tosa.add (n.mlir:3:5)".
void gmem_report_op(gmem_text_t *text, MlirOperation op);

#endif // GMEM_PASSES_REPORT_FACTS_H_
