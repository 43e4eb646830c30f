// overwrites.h - memrefs whose contents an op replaces without reading them, or
// reads without writing them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_OVERWRITES_H_
#define GMEM_PASSES_OVERWRITES_H_

#include "op_model_read.h"

// Whether |op| writes all elements of operand |number|, a memref that it may
// write, and reads none of them through it: it is a destination that the model
// says is unread, or the body of the op has no use of its elements and the op
// writes each of them.
bool gmem_op_overwrites(const gmem_op_model_t *model, MlirOperation op,
                        intptr_t number);

// Whether |op| does not write operand |number|, a memref: its interface says
// so, or, as an op of a dialect that is not registered has none, its model,
// which lets the memref that the op writes lie over this one.
bool gmem_op_only_reads(const gmem_op_model_t *model, MlirOperation op,
                        intptr_t number);

#endif // GMEM_PASSES_OVERWRITES_H_
