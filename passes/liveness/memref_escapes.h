// memref_escapes.h - memrefs that escape: their uses cannot be tracked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MEMREF_ESCAPES_H_
#define GMEM_PASSES_MEMREF_ESCAPES_H_

#include "allocation_sites.h"

typedef struct gmem_memref_escape_s {
  gmem_unplanned_t reason; // GMEM_MEMREF_PLANNED: this value does not escape
  uint32_t op;             // first op by which it escapes
} gmem_memref_escape_t;

// Fills |*out_escapes|, one entry per value; escapes through other values that
// point to the same memory are not propagated. Results are allocated in
// |arena|. Returns OUT_OF_MEMORY on allocation failure, or the error of reading
// an op model.
gmem_status_t gmem_memref_escapes_find(const gmem_program_facts_t *facts,
                                       const gmem_memref_flow_t *flow,
                                       gmem_bump_t *arena,
                                       gmem_memref_escape_t **out_escapes,
                                       gmem_diag_t *diag);

#endif // GMEM_PASSES_MEMREF_ESCAPES_H_
