// plan_lookup.h - from values and ops of the IR to what a plan says of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PLAN_LOOKUP_H_
#define GMEM_PASSES_PLAN_LOOKUP_H_

#include "plan_copies.h"
#include "plan_ops.h"
#include "plan_spans.h"
#include "pointer_map.h"

// The complete plan that look-ups search.
typedef struct gmem_plan_lookup_source_s {
  const MlirValue *values; // of the buffers; null for workbuffers
  uint32_t value_count;
  const gmem_planned_ops_t *ops;
  const gmem_planned_flow_copies_t *copies;
  const gmem_planned_spans_t *spans;
} gmem_plan_lookup_source_t;

typedef struct gmem_plan_lookup_s {
  gmem_pointer_map_t buffer_of; // by value
  gmem_pointer_map_t op_of;     // by op: of gmem_planned_op
  gmem_pointer_map_t copy_of;   // by op: its first copy
  gmem_pointer_map_t span_of;   // by op: its first span
  uint32_t *next_span; // by span: the next one of the op, or GMEM_NO_INDEX
} gmem_plan_lookup_t;

// Allocates in |arena|; fails with OUT_OF_MEMORY.
gmem_status_t gmem_plan_lookup_make(const gmem_plan_lookup_source_t *source,
                                    gmem_bump_t *arena,
                                    gmem_plan_lookup_t *out_lookup,
                                    gmem_diag_t *diag);

// The number of |count| aliases, sorted by child, whose child is less than
// |child|.
size_t gmem_plan_aliases_below(const gmem_planned_alias_t *aliases,
                               size_t count, uint32_t child);

#endif // GMEM_PASSES_PLAN_LOOKUP_H_
