// alias_sets.h - which values are one piece of memory, and how long it is
// wanted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_ALIAS_SETS_H_
#define GMEM_PASSES_ALIAS_SETS_H_

#include "allocation_sites.h"
#include "call_graph.h"
#include "program.h"
#include "value_liveness.h"

// The lives of a class as a whole.
typedef struct gmem_alias_set_s {
  uint32_t root;                   // value; GMEM_STORAGE_TENSOR
  const gmem_live_range_t *ranges; // on the timeline, sorted and joined
  size_t range_count;
  uint64_t uses;   // how often it is read or written, in the text
  bool is_written; // an op changes its contents where they are
  bool is_lasting; // it is live for more than one step of a function at a time
} gmem_alias_set_t;

// Sets the roots of |live_values| and lists the classes of tensors in
// |*out_sets|, in the order of their roots, with lives on the timeline of
// |contexts|. Everything lives in |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_alias_sets_build(
    const gmem_call_contexts_t *contexts, const gmem_program_t *program,
    const gmem_calls_t *calls, const gmem_memrefs_t *memrefs,
    gmem_live_value_t *live_values, gmem_bump_t *arena,
    gmem_alias_set_t **out_sets, size_t *out_count, gmem_diag_t *diag);

#endif // GMEM_PASSES_ALIAS_SETS_H_
