// memrefs.h - memory that the program allocates itself: which allocation sites
// can be planned, their points-to sets, live ranges and deallocations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An *allocation site* is the memref result of an op of kind "alloc". Any other
// memref may point to any number of sites: views, control flow, calls and ops
// with unknown semantics forward them. A site is live from the first op that
// accesses it, through any memref that may point to it, to the last;
// deallocations are not accesses. The analysis needs no op interfaces. A site
// that escapes is not planned: its allocation stays in the program.

#ifndef GMEM_PASSES_MEMREFS_H_
#define GMEM_PASSES_MEMREFS_H_

#include "memref_analysis.h"

// First phase, before live ranges are known: lists the allocation sites,
// computes their points-to sets, and marks the sites that these exclude from
// planning. |*out_analysis| is for the second phase. All results are allocated
// in |arena|. Returns OUT_OF_MEMORY on allocation failure.
gmem_status_t gmem_memrefs_find(const gmem_program_facts_t *facts,
                                const gmem_model_options_t *options,
                                gmem_bump_t *arena, gmem_memrefs_t *memrefs,
                                gmem_memref_analysis_t **out_analysis,
                                gmem_diag_t *diag);

// Second phase, given the live ranges of all memref values without their views:
// decides which sites are planned, and computes their live ranges and
// superfluous deallocations. Returns OUT_OF_MEMORY on allocation failure.
gmem_status_t gmem_memrefs_finish(gmem_memref_analysis_t *analysis,
                                  const gmem_live_value_t *live_values);

#endif // GMEM_PASSES_MEMREFS_H_
