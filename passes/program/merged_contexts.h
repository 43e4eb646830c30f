// merged_contexts.h - what runs during a life, but at another place of the
// timeline (call_contexts.h).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MERGED_CONTEXTS_H_
#define GMEM_PASSES_MERGED_CONTEXTS_H_

#include "call_graph.h"
#include "live_ranges.h"

// When a number of callees run elsewhere, with all that they call.
typedef struct gmem_call_span_s {
  const gmem_live_range_t *ranges; // sorted and joined
  size_t range_count;
} gmem_call_span_t;

typedef struct gmem_merged_contexts_s {
  gmem_call_span_t *spans; // a tree: node i joins 2i and 2i + 1, and the last
                           //   |count| of 2 * count nodes are the calls
} gmem_merged_contexts_t;

// |apart|: by function, when it runs if it has a place of its own on the
// timeline; else empty. Everything lives in |arena|. Returns whether there was
// memory.
bool gmem_merged_contexts_find(const gmem_program_t *program,
                               const gmem_calls_t *calls,
                               const gmem_live_range_t *apart,
                               gmem_bump_t *arena,
                               gmem_merged_contexts_t *out_elsewhere);

// Adds to |ranges| what runs elsewhere in those calls of |function| for which
// its steps [begin, end) last from before to after the callee.
void gmem_merged_contexts_add(const gmem_program_t *program,
                              const gmem_calls_t *calls,
                              const gmem_merged_contexts_t *elsewhere,
                              uint32_t function, int64_t begin, int64_t end,
                              gmem_ranges_t *ranges);

#endif // GMEM_PASSES_MERGED_CONTEXTS_H_
