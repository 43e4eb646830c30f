// noalias_attributes.h - attributes of arguments, such as llvm.noalias,
// that no longer hold when the memory comes from an arena.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_NOALIAS_ATTRIBUTES_H_
#define GMEM_PASSES_NOALIAS_ATTRIBUTES_H_

#include "analysis.h"
#include "bump.h"
#include "gmem/status.h"
#include "materialization.h"

// Lists what promises that the memory of an argument is nobody else's, and
// cannot any more: in an arena, a callee may use it again. Changes nothing.
// Fails with OUT_OF_MEMORY.
gmem_status_t gmem_noalias_attributes_find(gmem_materialization_t *job,
                                           const gmem_analysis_t *analysis,
                                           gmem_bump_t *arena,
                                           gmem_diag_t *diag);

// Takes them out of the program, and memref.distinct_objects.
void gmem_noalias_attributes_forget(const gmem_materialization_t *job);

#endif // GMEM_PASSES_NOALIAS_ATTRIBUTES_H_
