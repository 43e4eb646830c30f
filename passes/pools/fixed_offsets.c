// fixed_offsets.c - the attribute gmem.fixed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fixed_offsets.h"

#include "annotations.h"
#include "gmem/status.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "program.h"
#include "vocabulary.h"

static gmem_status_t fixed_result(const gmem_program_t *program,
                                  const gmem_value_t *value, int64_t *out,
                                  gmem_diag_t *diag) {
  MlirOperation op = program->ops[value->op].op;
  MlirAttribute list = gmem_op_annotation(op, GMEM_ATTR_FIXED);
  if (mlirAttributeIsNull(list))
    return GMEM_OK;
  if (mlirAttributeIsADenseI64Array(list) &&
      mlirDenseArrayGetNumElements(list) == mlirOperationGetNumResults(op))
    *out = mlirDenseI64ArrayGetElement(list, value->number);
  else
    *out = -2;
  return *out >= -1
             ? GMEM_OK
             : gmem_bad_annotation(mlirOperationGetLocation(op),
                                   GMEM_ATTR_FIXED,
                                   "array<i64> with one offset, or -1, per "
                                   "result",
                                   diag);
}

gmem_status_t gmem_fixed_offset(const gmem_program_t *program, uint32_t value,
                                int64_t *out_offset, gmem_diag_t *diag) {
  const gmem_value_t *entry = &program->values[value];
  *out_offset = -1;
  if (entry->op != GMEM_NO_INDEX)
    return fixed_result(program, entry, out_offset, diag);
  if (!gmem_is_entry_block(program, entry->block))
    return GMEM_OK;
  uint32_t function = gmem_value_function(program, value);
  MlirAttribute offset = gmem_argument_annotation(
      program->functions[function].op, entry->number, GMEM_ATTR_FIXED);
  if (mlirAttributeIsNull(offset))
    return GMEM_OK;
  if (!mlirAttributeIsAInteger(offset) ||
      !mlirTypeEqual(mlirAttributeGetType(offset),
                     mlirIntegerTypeGet(mlirAttributeGetContext(offset), 64)) ||
      mlirIntegerAttrGetValueInt(offset) < -1)
    return gmem_bad_annotation(
        gmem_value_location(program, value), GMEM_ATTR_FIXED,
        "an offset of type i64, or -1, on an argument", diag);
  *out_offset = mlirIntegerAttrGetValueInt(offset);
  return GMEM_OK;
}
