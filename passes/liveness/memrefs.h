// memrefs.h - the memory that a program allocates itself: which of it can be
// planned, who sees it, and where it is freed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A *root* is the memref that an op of kind "alloc" makes. Any other memref
// *may be* any number of roots: it flows there from a root by views, control
// flow, calls, and ops that nobody knows. A root is wanted from the first op
// that touches it, by whatever memref it may be seen, to the last; frees do not
// count. No interfaces of ops are needed. Where a memref may go where nobody
// can follow it, its roots are left to the program.

#ifndef GMEM_PASSES_MEMREFS_H_
#define GMEM_PASSES_MEMREFS_H_

#include "allocation_sites.h"
#include "loop_hazards.h"
#include "memref_analysis.h"
#include "uses.h"
#include "value_liveness.h"

// Lists the roots, where they flow, and what that alone says of their fate. The
// finder is for the call below; everything lives in |arena|. Fails with
// OUT_OF_MEMORY.
gmem_status_t
gmem_memrefs_find(const gmem_call_contexts_t *contexts,
                  const gmem_program_t *program, const gmem_calls_t *calls,
                  const gmem_control_flow_t *control, const gmem_uses_t *uses,
                  const gmem_loop_hazards_t *hazards,
                  const gmem_model_options_t *options, gmem_bump_t *arena,
                  gmem_memrefs_t *memrefs, gmem_memref_analysis_t **out_finder,
                  gmem_diag_t *diag);

// Settles the fates, lives and frees, from the own ranges of all memrefs. Fails
// with OUT_OF_MEMORY.
gmem_status_t gmem_memrefs_settle(gmem_memref_analysis_t *finder,
                                  const gmem_live_value_t *live_values,
                                  gmem_diag_t *diag);

#endif // GMEM_PASSES_MEMREFS_H_
