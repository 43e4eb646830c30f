// entry_signature.c - the arguments and results of the entry function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "entry_signature.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element_type.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "run_messages.h"

static void type_text(MlirType type, char *text, size_t size) {
  gmem_printed_t printed = {text, size, 0, false};
  text[0] = '\0';
  mlirTypePrint(type, gmem_print_into, &printed);
}

//===--- the function -----------------------------------------------------===//

MlirOperation gmem_entry_find(MlirModule module, const char *name) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirStringRef kind = mlirIdentifierStr(mlirOperationGetName(op));
    if (!mlirStringRefEqual(kind, gmem_string("func.func")))
      continue;
    MlirAttribute symbol = gmem_op_attribute(op, "sym_name");
    if (mlirStringRefEqual(mlirStringAttrGetValue(symbol), gmem_string(name)))
      return op;
  }
  return (MlirOperation){NULL};
}

static MlirType type_of(MlirOperation entry) {
  return mlirTypeAttrGetValue(gmem_op_attribute(entry, "function_type"));
}

bool gmem_entry_has_tensors(MlirOperation entry) {
  MlirType type = type_of(entry);
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i)
    if (mlirTypeIsATensor(mlirFunctionTypeGetInput(type, i)))
      return true;
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(type); ++i)
    if (mlirTypeIsATensor(mlirFunctionTypeGetResult(type, i)))
      return true;
  return false;
}

//===--- values -----------------------------------------------------------===//

static int64_t static_or_dynamic(int64_t number) {
  return number == mlirShapedTypeGetDynamicStrideOrOffset() ? GMEM_DYNAMIC
                                                            : number;
}

// Fails for layouts without strides, whose elements cannot be addressed.
static bool read_memref(MlirType type, gmem_entry_value_t *value) {
  int64_t rank = mlirShapedTypeGetRank(type);
  if (rank > GMEM_ARRAY_MAX_RANK)
    return false;
  value->is_memref = true;
  value->rank = (uint32_t)rank;
  for (uint32_t i = 0; i < value->rank; ++i)
    value->sizes[i] = mlirShapedTypeIsDynamicDim(type, i)
                          ? GMEM_DYNAMIC
                          : mlirShapedTypeGetDimSize(type, i);
  if (mlirLogicalResultIsFailure(mlirMemRefTypeGetStridesAndOffset(
          type, value->strides, &value->offset)))
    return false;
  value->offset = static_or_dynamic(value->offset);
  for (uint32_t i = 0; i < value->rank; ++i)
    value->strides[i] = static_or_dynamic(value->strides[i]);
  return gmem_element_of_type(mlirShapedTypeGetElementType(type),
                              &value->element);
}

static bool read_value(MlirType type, gmem_entry_value_t *value) {
  if (mlirTypeIsAMemRef(type))
    return read_memref(type, value);
  // The ABI passes complex scalars differently.
  return gmem_element_of_type(type, &value->element) &&
         value->element.kind != GMEM_ELEMENT_COMPLEX;
}

static int report_unsupported(MlirOperation entry, const char *what,
                              intptr_t number, MlirType type) {
  char string[160];
  MlirStringRef name =
      mlirStringAttrGetValue(gmem_op_attribute(entry, "sym_name"));
  type_text(type, string, sizeof string);
  return gmem_run_error(
      "%s %d of @%.*s has the unsupported type %s: only scalars and ranked, "
      "strided memrefs of scalars are supported",
      what, (int)number, (int)name.length, name.data, string);
}

// Returns the pool of argument |number| if it is an arena added by
// gmem-materialize, else NULL. The caller frees it.
static char *arena_pool(MlirOperation entry, intptr_t number) {
  MlirAttribute all = gmem_op_attribute(entry, "arg_attrs");
  if (mlirAttributeIsNull(all) || number >= mlirArrayAttrGetNumElements(all))
    return NULL;
  MlirAttribute pool = mlirDictionaryAttrGetElementByName(
      mlirArrayAttrGetElement(all, number), gmem_string("gmem.arena"));
  if (mlirAttributeIsNull(pool) || !mlirAttributeIsAString(pool))
    return NULL;
  MlirStringRef name = mlirStringAttrGetValue(pool);
  return strndup(name.data, name.length);
}

int gmem_signature_read(MlirOperation entry, gmem_signature_t *out_signature) {
  MlirType type = type_of(entry);
  intptr_t arguments = mlirFunctionTypeGetNumInputs(type);
  intptr_t results = mlirFunctionTypeGetNumResults(type);
  gmem_entry_value_t *values =
      calloc((size_t)(arguments + results) + 1, sizeof *values);
  *out_signature = (gmem_signature_t){
      values, values ? values + arguments : NULL,
      values ? (uint32_t)arguments : 0, values ? (uint32_t)results : 0};
  if (!values)
    return gmem_run_error("out of memory");
  for (intptr_t i = 0; i < arguments; ++i) {
    MlirType argument = mlirFunctionTypeGetInput(type, i);
    if (!read_value(argument, &values[i]))
      return report_unsupported(entry, "argument", i, argument);
    values[i].pool = arena_pool(entry, i);
  }
  for (intptr_t i = 0; i < results; ++i) {
    MlirType result = mlirFunctionTypeGetResult(type, i);
    if (!read_value(result, &values[arguments + i]))
      return report_unsupported(entry, "result", i, result);
  }
  return 0;
}

void gmem_signature_destroy(gmem_signature_t *signature) {
  for (uint32_t i = 0; i < signature->argument_count; ++i)
    free(signature->arguments[i].pool);
  free(signature->arguments);
  *signature = (gmem_signature_t){0};
}
