// value_rows.h - rows of values: the operands, results or arguments of an op
// or a block, or some of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_VALUE_ROWS_H_
#define GMEM_PASSES_VALUE_ROWS_H_

#include <stdbool.h>

#include "mlir-c/IR.h"

typedef struct gmem_value_row_s {
  enum { GMEM_ROW_OPERANDS, GMEM_ROW_RESULTS, GMEM_ROW_ARGUMENTS } kind;
  MlirOperation op; // of operands and results
  MlirBlock block;  // of arguments
  intptr_t first, count;
} gmem_value_row_t;

gmem_value_row_t gmem_operands_of(MlirOperation op);
gmem_value_row_t gmem_results_of(MlirOperation op);
gmem_value_row_t gmem_arguments_of(MlirBlock block);

// The row without its first |first| values; unchanged if it is too short.
gmem_value_row_t gmem_row_from(gmem_value_row_t row, intptr_t first);

// The first or last |count| values of the row; unchanged if it is too short.
gmem_value_row_t gmem_row_first(gmem_value_row_t row, intptr_t count);
gmem_value_row_t gmem_row_last(gmem_value_row_t row, intptr_t count);

MlirValue gmem_row_at(const gmem_value_row_t *row, intptr_t i);

// Whether |test| holds for the type of some value in the row.
bool gmem_row_any(gmem_value_row_t row, bool (*test)(MlirType type));

// Whether the rows are equally long and their values have the same types.
bool gmem_rows_match(gmem_value_row_t left, gmem_value_row_t right);

#endif // GMEM_PASSES_VALUE_ROWS_H_
