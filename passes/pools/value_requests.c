// value_requests.c - see value_requests.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "value_requests.h"

#include "annotations.h"
#include "attribute_codec.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"

// The attribute of an argument; null for other values.
static MlirAttribute argument_request(const gmem_program_t *program,
                                      uint32_t value, gmem_attr_t name) {
  const gmem_value_t *entry = &program->values[value];
  if (entry->op != GMEM_NO_INDEX || !gmem_is_entry_block(program, entry->block))
    return mlirAttributeGetNull();
  uint32_t function = gmem_value_function(program, value);
  return gmem_argument_annotation(program->functions[function].op,
                                  entry->number, name);
}

//===--- gmem.fixed -------------------------------------------------------===//

gmem_status_t gmem_fixed_offset(const gmem_program_t *program, uint32_t value,
                                int64_t *out_offset, gmem_diag_t *diag) {
  const gmem_program_op_t *op = gmem_defining_op(program, value);
  MlirAttribute said = op ? gmem_own_attribute(op, GMEM_ATTR_FIXED)
                          : argument_request(program, value, GMEM_ATTR_FIXED);
  *out_offset = mlirAttributeIsNull(said) ? -1 : -2;
  if (op && gmem_is_i64_list(said, mlirOperationGetNumResults(op->op)))
    *out_offset =
        mlirDenseI64ArrayGetElement(said, program->values[value].number);
  else if (!op)
    gmem_i64_get(said, out_offset);
  return *out_offset >= -1
             ? GMEM_OK
             : gmem_bad_annotation(
                   gmem_value_location(program, value), GMEM_ATTR_FIXED,
                   op ? "array<i64> with one offset, or -1, per result"
                      : "an offset of type i64, or -1, on an argument",
                   diag);
}

//===--- gmem.pools -------------------------------------------------------===//

static bool is_name_list(MlirAttribute list) {
  return gmem_is_string_list(list, -1) && mlirArrayAttrGetNumElements(list);
}

gmem_status_t gmem_pools_asked_of(MlirOperation op, intptr_t number,
                                  MlirAttribute *out_names, gmem_diag_t *diag) {
  MlirAttribute said = gmem_op_annotation(op, GMEM_ATTR_POOLS);
  *out_names = said;
  if (mlirAttributeIsNull(said) || is_name_list(said))
    return GMEM_OK;
  if (mlirAttributeIsAArray(said) &&
      mlirArrayAttrGetNumElements(said) == mlirOperationGetNumResults(op)) {
    *out_names = mlirArrayAttrGetElement(said, number);
    if (is_name_list(*out_names))
      return GMEM_OK;
    if (mlirAttributeIsAArray(*out_names) &&
        mlirArrayAttrGetNumElements(*out_names) == 0)
      return *out_names = mlirAttributeGetNull(), GMEM_OK;
  }
  return gmem_bad_annotation(
      mlirOperationGetLocation(op), GMEM_ATTR_POOLS,
      "an array of names of pools, or one such array per result", diag);
}

gmem_status_t gmem_pools_asked(const gmem_program_t *program, uint32_t value,
                               MlirAttribute *out_names, gmem_diag_t *diag) {
  const gmem_program_op_t *op = gmem_defining_op(program, value);
  if (op)
    return gmem_pools_asked_of(op->op, program->values[value].number, out_names,
                               diag);
  *out_names = argument_request(program, value, GMEM_ATTR_POOLS);
  return mlirAttributeIsNull(*out_names) || is_name_list(*out_names)
             ? GMEM_OK
             : gmem_bad_annotation(
                   gmem_value_location(program, value), GMEM_ATTR_POOLS,
                   "an array of names of pools on an argument", diag);
}
