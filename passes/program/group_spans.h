// group_spans.h - when the layer groups of flat ops run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_GROUP_SPANS_H_
#define GMEM_PASSES_GROUP_SPANS_H_

#include "schedule.h"

// A group runs as a whole: it reads its inputs slice by slice and writes its
// outputs slice by slice, from its first op to its last. One with ops in
// several blocks runs nobody knows when: as long as its function.
typedef struct gmem_group_span_s {
  uint32_t function;
  int64_t group;
  uint32_t block;     // of its ops, or GMEM_NO_INDEX: of several
  int64_t begin, end; // steps
} gmem_group_span_t;

typedef struct gmem_group_spans_s {
  gmem_group_span_t *spans; // sorted by function and group
  size_t count;
} gmem_group_spans_t;

// Lists the spans of all groups, in |arena|. Returns whether there was memory.
bool gmem_group_spans_find(const gmem_program_t *schedule, gmem_arena_t *arena,
                           gmem_group_spans_t *out_spans);

// The span of the group that |op| is in, or NULL: it is in none.
const gmem_group_span_t *gmem_group_span_of(const gmem_group_spans_t *spans,
                                            const gmem_step_t *op);

#endif // GMEM_PASSES_GROUP_SPANS_H_
