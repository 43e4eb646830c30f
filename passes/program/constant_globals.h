// constant_globals.h - finds the memrefs that are constants of the program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A memref returned by an op of kind "global" is a constant when the symbol it
// names is a global of the scope that is marked "constant" and has its contents
// in an attribute, or gmem.transform. Its memory is a weight, and all such
// memrefs of one global share it. Writing to a constant global is undefined,
// and its address must not be observable, so that escapes need not be tracked.
//
// So is a global without contents that names, in gmem.init, a function with
// gmem.init: that function computes the constant, and it alone may write it.

#ifndef GMEM_PASSES_CONSTANT_GLOBALS_H_
#define GMEM_PASSES_CONSTANT_GLOBALS_H_

#include "bump.h"
#include "program.h"

// Sets |global| of the ops of kind "global" in |program| whose memref is a
// constant, and the sizes of these memrefs: only those in the default memory
// space with contiguous elements. A global is left unplanned everywhere if any
// op writes or frees one of its memrefs or a view of it. |symbols| are the
// scope's, or null. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_constant_globals_find(gmem_program_t *program,
                                         MlirSymbolTable symbols,
                                         gmem_bump_t *arena, gmem_diag_t *diag);

// The op with the gmem.transform of the constant that |op| defines: |op| or its
// global; null if it has none.
MlirOperation gmem_transformed_op(const gmem_program_t *program,
                                  const gmem_program_op_t *op);

// Rejects gmem.transform of values that are not constant, and of globals that
// are not planned. Allocates in |arena|.
gmem_status_t gmem_transforms_check(const gmem_program_t *program,
                                    MlirSymbolTable symbols, gmem_bump_t *arena,
                                    gmem_diag_t *diag);

// The name of the function that computes a constant global; length 0: it has
// its contents in an attribute, or is no constant.
MlirStringRef gmem_global_initialiser(MlirOperation global);

// The contents of a constant global; null without an initial value attribute.
MlirAttribute gmem_global_contents(MlirOperation global);

// The first symbol that the attributes of |op| name; length 0: none.
MlirStringRef gmem_first_symbol(MlirOperation op);

#endif // GMEM_PASSES_CONSTANT_GLOBALS_H_
