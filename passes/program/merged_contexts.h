// merged_contexts.h - for a live range, the times of merged callees that run
// during it (call_contexts.h).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MERGED_CONTEXTS_H_
#define GMEM_PASSES_MERGED_CONTEXTS_H_

#include "call_graph.h"
#include "live_ranges.h"

// The times at which a set of merged callees run, including all that they call.
typedef struct gmem_call_span_s {
  const gmem_live_range_t *ranges; // sorted and joined
  size_t range_count;
} gmem_call_span_t;

typedef struct gmem_merged_contexts_s {
  gmem_call_span_t *spans; // a tree: node i joins 2i and 2i + 1, and the last
                           //   |count| of 2 * count nodes are the calls
} gmem_merged_contexts_t;

// |apart|: by function, the times of its single context if it is merged, else
// empty. Everything is allocated in |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_merged_contexts_find(const gmem_calls_t *calls,
                                        const gmem_live_range_t *apart,
                                        gmem_bump_t *arena,
                                        gmem_merged_contexts_t *out_merged,
                                        gmem_diag_t *diag);

// Adds to |ranges| the times of merged callees of |function| in calls that lie
// entirely within its steps [begin, end).
void gmem_merged_contexts_add(const gmem_calls_t *calls,
                              const gmem_merged_contexts_t *merged,
                              uint32_t function, int64_t begin, int64_t end,
                              gmem_ranges_t *ranges);

#endif // GMEM_PASSES_MERGED_CONTEXTS_H_
