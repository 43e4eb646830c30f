// mapped_operands.h - operands that an op with indexing maps reads where it
// writes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MAPPED_OPERANDS_H_
#define GMEM_PASSES_MAPPED_OPERANDS_H_

#include <stdbool.h>
#include <stdint.h>

#include "mlir-c/IR.h"

// Whether operands |operand| and |output| of |op|, tensors or memrefs, have the
// same permutation as indexing map: then each element of |operand| is read for
// the last time where that of |output| is written.
bool gmem_is_mapped_alike(MlirOperation op, intptr_t operand, intptr_t output);

#endif // GMEM_PASSES_MAPPED_OPERANDS_H_
