// op_marks.h - calls in a program that say which op runs next.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_OP_MARKS_H_
#define GMEM_TOOLS_OP_MARKS_H_

#include <stdint.h>

#include "mlir-c/IR.h"

// What is called: with the number of an op before it runs, and with the
// complement of the number (~) after a call of a function has returned.
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
