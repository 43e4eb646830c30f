// memref_escapes.h - which memrefs go where nobody can follow them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MEMREF_ESCAPES_H_
#define GMEM_PASSES_MEMREF_ESCAPES_H_

#include "allocation_sites.h"
#include "call_graph.h"
#include "memref_flow.h"
#include "program.h"

typedef struct gmem_memref_escape_s {
  gmem_unplanned_t reason; // GMEM_MEMREF_PLANNED: it does not, by itself
  uint32_t op;             // the first by which it does
} gmem_memref_escape_t;

// Fills *out_escapes, one per value. Everything lives in |arena|. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_memref_escapes_find(
    const gmem_program_t *program, const gmem_calls_t *calls,
    const gmem_control_flow_t *control, const gmem_memref_flow_t *flow,
    gmem_bump_t *arena, gmem_memref_escape_t **out_escapes, gmem_diag_t *diag);

#endif // GMEM_PASSES_MEMREF_ESCAPES_H_
