// shown_plan.h - a plan as pictures, traces and pages show it, wherever it
// comes from: planned MLIR, or a problem and its solution.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SHOWN_PLAN_H_
#define GMEM_TOOLS_SHOWN_PLAN_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gmem/planner/problem.h"

// What a buffer is for; a colour each. The first that applies.
typedef enum gmem_shown_kind_e {
  GMEM_SHOWN_CONSTANT,
  GMEM_SHOWN_WORKBUFFER,
  GMEM_SHOWN_STATE,
  GMEM_SHOWN_INPUT,
  GMEM_SHOWN_OUTPUT,
  GMEM_SHOWN_IN_PLACE, // lies in a buffer that it overwrites
  GMEM_SHOWN_VIEW,     // a part of another buffer
  GMEM_SHOWN_CALLEE,   // of a function that others call
  GMEM_SHOWN_TENSOR,
  GMEM_SHOWN_KINDS
} gmem_shown_kind_t;

// Texts belong to the plan that is shown, and may be NULL where there is none.
typedef struct gmem_shown_pool_s {
  const char *name;
  bool constant;        // live at all steps
  uint64_t size;        // bytes used
  uint64_t lower_bound; // bytes
  uint64_t capacity;    // bytes, or GMEM_UNLIMITED
} gmem_shown_pool_t;

typedef struct gmem_shown_buffer_s {
  const char *name, *op, *function, *location;
  gmem_shown_kind_t kind;
  uint32_t pool;
  uint32_t alias_of;     // index of the buffer whose memory it always is, or
                         //   GMEM_NO_BUFFER
  uint64_t offset, size; // bytes, in the pool
  uint64_t payload_offset, payload_size; // bytes, without padding
  const gmem_live_range_t *ranges;       // steps, sorted
  size_t range_count;
  const gmem_live_range_t *owned; // when no other buffer owns its bytes
  size_t owned_count;
  char *layout; // padding, strides and valid region, freed with the plan
} gmem_shown_buffer_t;

// |child| lies in |parent| while both are live.
typedef struct gmem_shown_alias_s {
  uint32_t child, parent;
  const char *kind; // "inplace", "slice", ...
} gmem_shown_alias_t;

typedef struct gmem_shown_op_s {
  const char *name, *op, *location;
  int64_t begin, end;       // steps; ops are sorted by begin, outer ones first
  const char *text;         // the op as MLIR prints it
  const uint32_t *operands; // the ops that define its operands, by their index
  size_t operand_count;
} gmem_shown_op_t;

typedef struct gmem_shown_plan_s {
  const char *title, *algorithm;
  uint64_t peak, lower_bound; // bytes, of all pools that are not constant
  bool optimal;
  int64_t begin, end; // steps: of all live ranges
  gmem_shown_pool_t *pools;
  uint32_t pool_count;
  gmem_shown_buffer_t *buffers;
  uint32_t buffer_count;
  gmem_shown_alias_t *aliases;
  size_t alias_count;
  gmem_shown_op_t *ops;
  size_t op_count;
} gmem_shown_plan_t;

// Allocates the lists of a zero-initialised |plan|, all zero. Call
// gmem_shown_plan_free in any case. Fails with OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t gmem_shown_plan_allocate(gmem_shown_plan_t *plan,
                                                     uint32_t pools,
                                                     uint32_t buffers,
                                                     size_t aliases, size_t ops,
                                                     gmem_diag_t *diag);
void gmem_shown_plan_free(gmem_shown_plan_t *plan);

// "tensor", "in place", ...
const char *gmem_shown_kind_name(gmem_shown_kind_t kind);

// The innermost op that runs at |step|, the first if several do, or NULL.
const gmem_shown_op_t *gmem_shown_op_at(const gmem_shown_plan_t *plan,
                                        int64_t step);

//===--- live bytes -------------------------------------------------------===//

// The live bytes of a pool from |step| to the step of the next point.
typedef struct gmem_shown_point_s {
  int64_t step;
  uint64_t bytes;
} gmem_shown_point_t;

typedef struct gmem_shown_curve_s {
  gmem_shown_point_t *points; // by ascending step; the last has 0 bytes
  size_t count;
  uint64_t most;     // bytes
  size_t most_index; // the first point with |most| bytes
} gmem_shown_curve_t;

// Bytes that several buffers share count once (shown_curve.c). The caller frees
// the points with free(). Fails with OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t gmem_shown_curve_make(const gmem_shown_plan_t *plan,
                                                  uint32_t pool,
                                                  gmem_shown_curve_t *out_curve,
                                                  gmem_diag_t *diag);

#endif // GMEM_TOOLS_SHOWN_PLAN_H_
