// constant_globals.h - which memrefs are constants of the program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A memref that an op of kind "global" gets is a constant when the symbol it
// names is a global of the scope that says "constant" and has its contents in
// an attribute. Its memory is a weight, of which there is one however often it
// is got. Who writes to it breaks the program, and may be told by its address
// from nothing; so it does not matter where else it goes.

#ifndef GMEM_PASSES_CONSTANT_GLOBALS_H_
#define GMEM_PASSES_CONSTANT_GLOBALS_H_

#include "bump.h"
#include "program.h"

// Sets |global| of the ops of kind "global" in |program|, and the sizes of
// what they get, wherever that is a constant: in the default memory space, one
// element after the other. One that is written or freed by an op that it, or a
// view of it, is given to is left alone, wherever it is got. |symbols| are the
// scope's, or null. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_constant_globals_find(gmem_program_t *program,
                                         MlirSymbolTable symbols,
                                         gmem_bump_t *arena, gmem_diag_t *diag);

// The contents of a constant global; null when it has none in an attribute.
MlirAttribute gmem_global_contents(MlirOperation global);

#endif // GMEM_PASSES_CONSTANT_GLOBALS_H_
