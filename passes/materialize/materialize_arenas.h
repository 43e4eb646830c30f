// materialize_arenas.h - builds the arenas in the IR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MATERIALIZE_ARENAS_H_
#define GMEM_PASSES_MATERIALIZE_ARENAS_H_

#include "materialization.h"

// Builds the arenas: globals, allocations and deallocations, arguments of
// functions and operands of calls.
void gmem_arenas_build(const gmem_materialization_t *job);

#endif // GMEM_PASSES_MATERIALIZE_ARENAS_H_
