// entry_signature.c - the arguments and results of the entry function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "entry_signature.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element_type.h"
#include "ir_reading.h"
#include "messages.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "vocabulary.h"

//===--- the function -----------------------------------------------------===//

MlirOperation gmem_entry_find(MlirModule module, const char *name) {
  MlirSymbolTable table = mlirSymbolTableCreate(mlirModuleGetOperation(module));
  MlirOperation op = mlirSymbolTableLookup(table, gmem_string(name));
  mlirSymbolTableDestroy(table);
  return !mlirOperationIsNull(op) && gmem_op_is(op, "func.func")
             ? op
             : (MlirOperation){NULL};
}

// Whether the function can be called from outside, and has a body.
static bool is_entry(MlirOperation op) {
  MlirAttribute visibility;
  if (!gmem_op_is(op, "func.func") ||
      mlirOperationIsNull(gmem_first_op(op, 0)) ||
      !mlirAttributeIsNull(gmem_op_annotation(op, GMEM_ATTR_INIT)))
    return false;
  visibility = gmem_op_attribute(op, "sym_visibility");
  return mlirAttributeIsNull(visibility) ||
         gmem_string_is(mlirStringAttrGetValue(visibility), "public");
}

// Lists the functions in |text|, "@f, @g". Returns their number, and the name
// of the last one.
static uint32_t list_entries(MlirModule module, char *text, size_t size,
                             MlirStringRef *out_last) {
  uint32_t count = 0;
  text[0] = '\0';
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!is_entry(op))
      continue;
    *out_last = mlirStringAttrGetValue(gmem_op_attribute(op, "sym_name"));
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s@%.*s", count++ ? ", " : "",
             (int)out_last->length, out_last->data);
  }
  return count;
}

gmem_status_t gmem_entry_choose(MlirModule module, const char *name,
                                char **out_name) {
  char text[256];
  MlirStringRef last = gmem_string(name);
  uint32_t count = list_entries(module, text, sizeof text, &last);
  if (name[0])
    last = gmem_string(name);
  *out_name = gmem_need(strndup(last.data, last.length));
  if (name[0] && mlirOperationIsNull(gmem_entry_find(module, name)))
    return gmem_tool_error("the module has no function @%s: it has %s", name,
                           count ? text : "no public function with a body");
  if (name[0] || count == 1)
    return GMEM_OK;
  return count ? gmem_tool_error("the module has several public functions: "
                                 "choose one with --entry: %s",
                                 text)
               : gmem_tool_error("the module has no public function with a "
                                 "body");
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
  gmem_array_t *array = &value->type;
  int64_t rank = mlirShapedTypeGetRank(type);
  if (rank > GMEM_ARRAY_MAX_RANK ||
      mlirLogicalResultIsFailure(mlirMemRefTypeGetStridesAndOffset(
          type, array->strides, &value->offset)))
    return false;
  value->is_memref = true;
  value->offset = static_or_dynamic(value->offset);
  array->rank = (uint32_t)rank;
  for (uint32_t i = 0; i < array->rank; ++i) {
    array->sizes[i] = mlirShapedTypeIsDynamicDim(type, i)
                          ? GMEM_DYNAMIC
                          : mlirShapedTypeGetDimSize(type, i);
    array->strides[i] = static_or_dynamic(array->strides[i]);
  }
  return gmem_element_of_type(mlirShapedTypeGetElementType(type),
                              &array->element);
}

// Reads argument or result |number|, which |what| names.
static gmem_status_t read_value(MlirOperation entry, const char *what,
                                intptr_t number, MlirType type,
                                gmem_entry_value_t *value) {
  // The ABI passes complex scalars differently.
  if (mlirTypeIsAMemRef(type)
          ? read_memref(type, value)
          : gmem_element_of_type(type, &value->type.element) &&
                value->type.element.kind != GMEM_ELEMENT_COMPLEX)
    return GMEM_OK;
  char text[160] = "";
  gmem_printed_t printed = {text, sizeof text, 0, false};
  MlirStringRef name =
      mlirStringAttrGetValue(gmem_op_attribute(entry, "sym_name"));
  mlirTypePrint(type, gmem_print_into, &printed);
  return gmem_tool_error(
      "%s %d of @%.*s has the unsupported type %s: only scalars and ranked, "
      "strided memrefs of scalars are supported",
      what, (int)number, (int)name.length, name.data, text);
}

// Returns the pool of argument |number| if it is an arena added by
// gmem-materialize, else NULL. The caller frees it.
static char *arena_pool(MlirOperation entry, intptr_t number) {
  MlirAttribute all = gmem_op_attribute(entry, "arg_attrs");
  if (mlirAttributeIsNull(all) || number >= mlirArrayAttrGetNumElements(all))
    return NULL;
  MlirAttribute pool = mlirDictionaryAttrGetElementByName(
      mlirArrayAttrGetElement(all, number), gmem_attr_name(GMEM_ATTR_ARENA));
  if (mlirAttributeIsNull(pool) || !mlirAttributeIsAString(pool))
    return NULL;
  MlirStringRef name = mlirStringAttrGetValue(pool);
  return strndup(name.data, name.length);
}

gmem_status_t gmem_signature_read(MlirOperation entry,
                                  gmem_signature_t *out_signature) {
  MlirType type = type_of(entry);
  intptr_t arguments = mlirFunctionTypeGetNumInputs(type);
  intptr_t results = mlirFunctionTypeGetNumResults(type);
  gmem_entry_value_t *values =
      gmem_need(calloc((size_t)(arguments + results) + 1, sizeof *values));
  *out_signature = (gmem_signature_t){values, values + arguments,
                                      (uint32_t)arguments, (uint32_t)results};
  for (intptr_t i = 0; i < arguments; ++i) {
    GMEM_TRY(read_value(entry, "argument", i, mlirFunctionTypeGetInput(type, i),
                        &values[i]));
    values[i].pool = arena_pool(entry, i);
  }
  for (intptr_t i = 0; i < results; ++i)
    GMEM_TRY(read_value(entry, "result", i, mlirFunctionTypeGetResult(type, i),
                        &out_signature->results[i]));
  return GMEM_OK;
}

void gmem_signature_destroy(gmem_signature_t *signature) {
  for (uint32_t i = 0; i < signature->argument_count; ++i)
    free(signature->arguments[i].pool);
  free(signature->arguments);
  *signature = (gmem_signature_t){0};
}
