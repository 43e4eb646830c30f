// materialize_arenas.h - builds arenas in the IR: signatures, calls,
// allocations and globals.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MATERIALIZE_ARENAS_H_
#define GMEM_PASSES_MATERIALIZE_ARENAS_H_

#include "materialization.h"

// Puts the arenas into the program: signatures, calls, allocations, globals.
void gmem_arenas_build(const gmem_materialization_t *job);

#endif // GMEM_PASSES_MATERIALIZE_ARENAS_H_
