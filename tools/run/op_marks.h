// op_marks.h - calls in a program that report which op runs next.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_OP_MARKS_H_
#define GMEM_TOOLS_OP_MARKS_H_

#include <stdint.h>

#include "mlir-c/IR.h"

// The function that the calls name. Its argument is the number of the op that
// runs next, or, after a call of a function has returned, the complement (~) of
// the number of that call. Watches the buffers of the run of this thread
// (high_water.h).
#define GMEM_MARK_FUNCTION "gmem_run_mark"
void gmem_run_mark(int64_t number);

// Numbers the ops of the functions of |module|, in an attribute that clones and
// gmem-materialize keep.
void gmem_op_marks_number(MlirModule module);

// The number of |op|, or -1.
int64_t gmem_op_marks_find(MlirOperation op);

// Inserts the calls in a module with numbered ops, and removes the numbers.
void gmem_op_marks_insert(MlirModule module);

// Removes the numbers.
void gmem_op_marks_remove(MlirModule module);

#endif // GMEM_TOOLS_OP_MARKS_H_
