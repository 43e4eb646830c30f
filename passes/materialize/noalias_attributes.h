// noalias_attributes.h - removes aliasing attributes, such as llvm.noalias,
// that no longer hold when buffers are in an arena.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_NOALIAS_ATTRIBUTES_H_
#define GMEM_PASSES_NOALIAS_ATTRIBUTES_H_

#include "analysis.h"
#include "bump.h"
#include "gmem/status.h"
#include "materialization.h"

// Lists the functions and calls whose arg_attrs contain llvm.noalias and whose
// arguments may be in an arena. Does not change the IR. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_noalias_attributes_find(gmem_materialization_t *job,
                                           const gmem_analysis_t *analysis,
                                           gmem_bump_t *arena,
                                           gmem_diag_t *diag);

// Removes these attributes, llvm.readnone and memref.distinct_objects.
void gmem_noalias_attributes_remove(const gmem_materialization_t *job);

#endif // GMEM_PASSES_NOALIAS_ATTRIBUTES_H_
