// program_copy.h - copies a program, to plan it otherwise.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PROGRAM_COPY_H_
#define GMEM_PASSES_PROGRAM_COPY_H_

#include "mlir-c/IR.h"

// Clones |top|, nested in modules that carry the attributes of its ancestors
// that apply to it. *out_around is the outermost of them; the caller destroys
// it.
MlirOperation gmem_program_copy(MlirOperation top, MlirOperation *out_around);

#endif // GMEM_PASSES_PROGRAM_COPY_H_
