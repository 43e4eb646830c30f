// annotations.c - see annotations.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "annotations.h"

#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"

static MlirAttribute entry(MlirOperation function, const char *list,
                           intptr_t number, gmem_attr_t name) {
  MlirAttribute all = gmem_entry_attributes(function, list, number);
  return mlirAttributeIsNull(all)
             ? all
             : mlirDictionaryAttrGetElementByName(all, gmem_attr_name(name));
}

MlirAttribute gmem_argument_annotation(MlirOperation function, intptr_t number,
                                       gmem_attr_t name) {
  return entry(function, "arg_attrs", number, name);
}

MlirAttribute gmem_function_result_annotation(MlirOperation function,
                                              intptr_t number,
                                              gmem_attr_t name) {
  return entry(function, "res_attrs", number, name);
}

// The dictionary |old|, or none, with |entry|, or without that name if its
// value is null.
static gmem_status_t with_value(MlirAttribute old, MlirNamedAttribute entry,
                                gmem_bump_t *arena, MlirAttribute *out,
                                gmem_diag_t *diag) {
  MlirStringRef name = mlirIdentifierStr(entry.name);
  bool has_old = gmem_attribute_is(old, mlirAttributeIsADictionary);
  intptr_t count = has_old ? mlirDictionaryAttrGetNumElements(old) : 0,
           kept = 0;
  MlirNamedAttribute *list;
  GMEM_TRY_ALLOC(list, arena, (size_t)count + 1, diag);
  for (intptr_t i = 0; i < count; ++i) {
    list[kept] = mlirDictionaryAttrGetElement(old, i);
    kept += !mlirStringRefEqual(mlirIdentifierStr(list[kept].name), name);
  }
  if (!mlirAttributeIsNull(entry.attribute))
    list[kept++] = entry;
  *out =
      mlirDictionaryAttrGet(mlirIdentifierGetContext(entry.name), kept, list);
  return GMEM_OK;
}

static MlirAttribute annotation_of_argument(MlirValue argument,
                                            gmem_attr_t name) {
  MlirBlock block = mlirBlockArgumentGetOwner(argument);
  MlirOperation op = mlirBlockGetParentOperation(block);
  bool is_of_function = !mlirOperationIsNull(op) &&
                        mlirOperationGetNumRegions(op) == 1 &&
                        mlirBlockEqual(block, gmem_entry_block(op));
  return is_of_function ? gmem_argument_annotation(
                              op, mlirBlockArgumentGetArgNumber(argument), name)
                        : mlirAttributeGetNull();
}

MlirAttribute gmem_value_annotation(MlirValue value, gmem_attr_t name) {
  if (mlirValueIsABlockArgument(value))
    return annotation_of_argument(value, name);
  MlirAttribute all = gmem_op_annotation(mlirOpResultGetOwner(value), name);
  intptr_t number = mlirOpResultGetResultNumber(value);
  return gmem_attribute_is(all, mlirAttributeIsAArray) &&
                 number < mlirArrayAttrGetNumElements(all)
             ? mlirArrayAttrGetElement(all, number)
             : mlirAttributeGetNull();
}

gmem_status_t gmem_arguments_annotate(MlirOperation function, gmem_attr_t name,
                                      const MlirAttribute *values,
                                      gmem_bump_t *arena, gmem_diag_t *diag) {
  intptr_t count = mlirBlockGetNumArguments(gmem_entry_block(function));
  MlirContext context = mlirOperationGetContext(function);
  MlirIdentifier identifier = mlirIdentifierGet(context, gmem_attr_name(name));
  MlirAttribute *list;
  bool is_changed = false;
  GMEM_TRY_ALLOC(list, arena, (size_t)count, diag);
  for (intptr_t i = 0; i < count; ++i) {
    MlirAttribute old = gmem_entry_attributes(function, "arg_attrs", i);
    GMEM_TRY(with_value(old, (MlirNamedAttribute){identifier, values[i]}, arena,
                        &list[i], diag));
    is_changed |= mlirAttributeIsNull(old)
                      ? mlirDictionaryAttrGetNumElements(list[i]) != 0
                      : !mlirAttributeEqual(old, list[i]);
  }
  if (is_changed)
    mlirOperationSetAttributeByName(function, gmem_string("arg_attrs"),
                                    mlirArrayAttrGet(context, count, list));
  return GMEM_OK;
}

bool gmem_attribute_text(MlirAttribute attribute, char *text, size_t size) {
  gmem_printed_t out = {text, size, 0, false};
  text[0] = '\0';
  mlirAttributePrint(attribute, gmem_print_into, &out);
  return !out.is_cut;
}

gmem_status_t gmem_bad_annotation(MlirLocation location, gmem_attr_t name,
                                  const char *what, gmem_diag_t *diag) {
  return gmem_error_at(diag, GMEM_ERR_INVALID_ARGUMENT, location,
                       "%s must be %s", gmem_vocabulary[name].name, what);
}
