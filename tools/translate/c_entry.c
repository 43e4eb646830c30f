// c_entry.c - the arguments of a network compiled ahead of time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "c_entry.h"

#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "element_type.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinTypes.h"
#include "vocabulary.h"

//===--- the function -----------------------------------------------------===//

static bool has_body(MlirOperation op) {
  return !mlirBlockIsNull(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)));
}

// Whether |op| is the function |name|, or a public one if |name| is NULL.
static bool is_entry(MlirOperation op, const char *name) {
  if (!gmem_op_is(op, "func.func") || !has_body(op))
    return false;
  if (!name) // those that compute constants are no entries
    return !gmem_is_private(op) &&
           mlirAttributeIsNull(gmem_op_annotation(op, GMEM_ATTR_INIT));
  MlirAttribute symbol = gmem_op_attribute(op, "sym_name");
  return mlirStringRefEqual(mlirStringAttrGetValue(symbol), gmem_string(name));
}

static gmem_status_t find_entry(MlirModule module, const char *name,
                                MlirOperation *out_entry, gmem_diag_t *diag) {
  MlirOperation found = {NULL};
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!is_entry(op, name))
      continue;
    if (!mlirOperationIsNull(found))
      return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                       "the compiled module has several public functions: "
                       "select one with --function");
    found = op;
  }
  *out_entry = found;
  if (!mlirOperationIsNull(found))
    return GMEM_OK;
  return name ? gmem_fail(
                    diag, GMEM_ERR_NOT_FOUND,
                    "the compiled module has no function '%.100s' with a body",
                    name)
              : gmem_fail(
                    diag, GMEM_ERR_NOT_FOUND,
                    "the compiled module has no public function with a body");
}

//===--- arguments --------------------------------------------------------===//

static MlirAttribute attribute_of(MlirOperation entry, size_t number,
                                  MlirStringRef name) {
  MlirAttribute all = gmem_op_attribute(entry, "arg_attrs");
  if (mlirAttributeIsNull(all) ||
      (intptr_t)number >= mlirArrayAttrGetNumElements(all))
    return (MlirAttribute){NULL};
  return mlirDictionaryAttrGetElementByName(
      mlirArrayAttrGetElement(all, (intptr_t)number), name);
}

// Reads sizes and strides and computes the bytes spanned by the elements.
static bool read_shape(MlirType type, gmem_c_argument_t *argument) {
  int64_t offset;
  if (mlirShapedTypeGetRank(type) > GMEM_C_MAX_RANK ||
      !mlirShapedTypeHasStaticShape(type) ||
      mlirLogicalResultIsFailure(mlirMemRefTypeGetStridesAndOffset(
          type, argument->strides, &offset)) ||
      offset != 0)
    return false;
  argument->rank = (uint32_t)mlirShapedTypeGetRank(type);
  uint64_t last = 0, extent; // elements
  bool is_empty = false;
  for (uint32_t i = 0; i < argument->rank; ++i) {
    int64_t size = mlirShapedTypeGetDimSize(type, i);
    argument->sizes[i] = size;
    is_empty |= size == 0;
    if (argument->strides[i] < 0 || // or dynamic
        __builtin_mul_overflow((uint64_t)argument->strides[i],
                               size ? (uint64_t)size - 1 : 0, &extent) ||
        __builtin_add_overflow(last, extent, &last))
      return false;
  }
  return !__builtin_mul_overflow(is_empty ? 0 : last + 1, argument->element,
                                 &argument->bytes);
}

// Rejects index elements, whose size depends on the target.
static bool read_argument(MlirType type, gmem_c_argument_t *argument) {
  gmem_element_t element;
  if (!mlirTypeIsAMemRef(type) ||
      mlirTypeIsAIndex(mlirShapedTypeGetElementType(type)) ||
      !gmem_element_of_type(mlirShapedTypeGetElementType(type), &element))
    return false;
  argument->element = element.size;
  return read_shape(type, argument);
}

static gmem_status_t read_arguments(MlirOperation op, MlirType type,
                                    gmem_c_entry_t *entry, gmem_diag_t *diag) {
  size_t count = (size_t)mlirFunctionTypeGetNumInputs(type);
  entry->arguments = calloc(count + 1, sizeof *entry->arguments);
  if (!entry->arguments)
    return gmem_out_of_memory(diag);
  for (; entry->count < count; ++entry->count) {
    gmem_c_argument_t *argument = &entry->arguments[entry->count];
    if (!read_argument(mlirFunctionTypeGetInput(type, (intptr_t)entry->count),
                       argument))
      return gmem_fail(diag, GMEM_ERR_UNSUPPORTED,
                       "argument %zu of the compiled function is not a memref "
                       "of static shape with byte-sized elements",
                       entry->count);
    MlirAttribute pool =
        attribute_of(op, entry->count, gmem_attr_name(GMEM_ATTR_ARENA));
    if (mlirAttributeIsNull(pool) || !mlirAttributeIsAString(pool))
      continue;
    MlirStringRef name = mlirStringAttrGetValue(pool);
    argument->pool = strndup(name.data, name.length);
    if (!argument->pool)
      return gmem_out_of_memory(diag);
  }
  return GMEM_OK;
}

static gmem_status_t mark_outputs(MlirOperation op, int outputs,
                                  gmem_c_entry_t *entry, gmem_diag_t *diag) {
  int marked = 0;
  for (size_t i = entry->count; i-- > 0;) {
    gmem_c_argument_t *argument = &entry->arguments[i];
    if (argument->pool)
      continue;
    argument->is_output =
        outputs < 0 ? !mlirAttributeIsNull(
                          attribute_of(op, i, gmem_string("bufferize.result")))
                    : marked < outputs;
    marked += argument->is_output;
  }
  if (outputs < 0 && marked == 0)
    return gmem_fail(
        diag, GMEM_ERR_INVALID_ARGUMENT,
        "no argument of the compiled function is marked as an output "
        "(bufferize.result): give their number with --outputs");
  if (marked < outputs)
    return gmem_fail(
        diag, GMEM_ERR_INVALID_ARGUMENT,
        "the compiled function has fewer arguments than --outputs");
  return GMEM_OK;
}

gmem_status_t gmem_c_entry_read(MlirModule module, const char *name,
                                int outputs, gmem_c_entry_t *out_entry,
                                gmem_diag_t *diag) {
  *out_entry = (gmem_c_entry_t){0};
  MlirOperation op;
  GMEM_TRY(find_entry(module, name, &op, diag));
  MlirType type = mlirTypeAttrGetValue(gmem_op_attribute(op, "function_type"));
  MlirStringRef symbol =
      mlirStringAttrGetValue(gmem_op_attribute(op, "sym_name"));
  out_entry->name = strndup(symbol.data, symbol.length);
  if (!out_entry->name)
    return gmem_out_of_memory(diag);
  if (mlirFunctionTypeGetNumResults(type))
    return gmem_fail(diag, GMEM_ERR_UNSUPPORTED,
                     "the compiled function returns results: convert them to "
                     "arguments (out-params=true)");
  GMEM_TRY(read_arguments(op, type, out_entry, diag));
  return mark_outputs(op, outputs, out_entry, diag);
}

void gmem_c_entry_free(gmem_c_entry_t *entry) {
  for (size_t i = 0; i < entry->count; ++i)
    free(entry->arguments[i].pool);
  free(entry->arguments);
  free(entry->name);
  *entry = (gmem_c_entry_t){0};
}
