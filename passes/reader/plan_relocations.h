// plan_relocations.h - the addresses in the command streams of a planned scope,
// for tools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PLAN_RELOCATIONS_H_
#define GMEM_PASSES_PLAN_RELOCATIONS_H_

#include "analysis.h"
#include "gmem/passes.h"

typedef struct gmem_planned_relocations_s {
  gmem_planned_relocation_t *at;
  size_t count, room;
} gmem_planned_relocations_t;

// A planned scope.
typedef struct gmem_planned_relocations_source_s {
  const gmem_analysis_t *analysis;
  const uint32_t *buffer_of; // by value: the buffer of one with memory
  const gmem_planned_workbuffer_t *workbuffers; // those of the scope
} gmem_planned_relocations_source_t;

// Appends the relocations of a scope to |out_relocations|, with addends from
// the start of the value. Strings are allocated in |arena|, temporary data in
// the arena of the analysis. Fails with OUT_OF_MEMORY or, reported at an op,
// INVALID_ARGUMENT: a value has no memory, or the attribute is malformed.
gmem_status_t gmem_planned_relocations_add(
    const gmem_planned_relocations_source_t *source, gmem_bump_t *arena,
    gmem_planned_relocations_t *out_relocations, gmem_diag_t *diag);

// Sorts the relocations of all scopes by stream and place. Fails with
// INVALID_ARGUMENT, reported at |top|, if two overlap.
gmem_status_t
gmem_planned_relocations_sort(MlirOperation top,
                              gmem_planned_relocations_t *relocations,
                              gmem_diag_t *diag);

#endif // GMEM_PASSES_PLAN_RELOCATIONS_H_
