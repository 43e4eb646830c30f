// value_rows.c - see value_rows.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "value_rows.h"

#include <assert.h>

gmem_value_row_t gmem_operands_of(MlirOperation op) {
  return (gmem_value_row_t){.kind = GMEM_ROW_OPERANDS,
                            .op = op,
                            .count = mlirOperationGetNumOperands(op)};
}

gmem_value_row_t gmem_results_of(MlirOperation op) {
  return (gmem_value_row_t){.kind = GMEM_ROW_RESULTS,
                            .op = op,
                            .count = mlirOperationGetNumResults(op)};
}

gmem_value_row_t gmem_arguments_of(MlirBlock block) {
  return (gmem_value_row_t){.kind = GMEM_ROW_ARGUMENTS,
                            .block = block,
                            .count = mlirBlockGetNumArguments(block)};
}

gmem_value_row_t gmem_row_from(gmem_value_row_t row, intptr_t first) {
  if (first < 0 || first > row.count)
    return row;
  row.first += first;
  row.count -= first;
  return row;
}

gmem_value_row_t gmem_row_first(gmem_value_row_t row, intptr_t count) {
  row.count = count < row.count ? count : row.count;
  return row;
}

gmem_value_row_t gmem_row_last(gmem_value_row_t row, intptr_t count) {
  return gmem_row_from(row, row.count - count);
}

MlirValue gmem_row_at(const gmem_value_row_t *row, intptr_t i) {
  assert(i >= 0 && i < row->count);
  switch (row->kind) {
  case GMEM_ROW_OPERANDS:
    return mlirOperationGetOperand(row->op, row->first + i);
  case GMEM_ROW_RESULTS:
    return mlirOperationGetResult(row->op, row->first + i);
  default:
    return mlirBlockGetArgument(row->block, row->first + i);
  }
}

bool gmem_rows_match(gmem_value_row_t left, gmem_value_row_t right) {
  if (left.count != right.count)
    return false;
  for (intptr_t i = 0; i < left.count; ++i)
    if (!mlirTypeEqual(mlirValueGetType(gmem_row_at(&left, i)),
                       mlirValueGetType(gmem_row_at(&right, i))))
      return false;
  return true;
}

bool gmem_row_any(gmem_value_row_t row, bool (*test)(MlirType type)) {
  for (intptr_t i = 0; i < row.count; ++i)
    if (test(mlirValueGetType(gmem_row_at(&row, i))))
      return true;
  return false;
}
