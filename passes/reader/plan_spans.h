// plan_spans.h - when each op of a planned scope runs, under a name that no
// other one has, for tools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PLAN_SPANS_H_
#define GMEM_PASSES_PLAN_SPANS_H_

#include "analysis.h"
#include "gmem/passes.h"

typedef struct gmem_planned_spans_s {
  gmem_planned_span_t *at;
  size_t count, room;
} gmem_planned_spans_t;

// A planned scope.
typedef struct gmem_planned_spans_source_s {
  const gmem_analysis_t *analysis;
  const char *prefix; // of names: "" or "MODULE/"
  int64_t first_step; // of the scope
} gmem_planned_spans_source_t;

// Appends the spans of a scope to |out_spans|, in the order of their steps.
// Strings are allocated in |arena|, temporary data in the arena of the
// analysis. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_planned_spans_add(const gmem_planned_spans_source_t *source,
                                     gmem_bump_t *arena,
                                     gmem_planned_spans_t *out_spans,
                                     gmem_diag_t *diag);

#endif // GMEM_PASSES_PLAN_SPANS_H_
