// captures.c - see captures.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "captures.h"

#include <string.h>

#include "annotations.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinTypes.h"
#include "type_models.h"
#include "type_size.h"
#include "value_rows.h"

//===--- types ------------------------------------------------------------===//

static bool is_number(MlirType type) {
  return mlirTypeIsAInteger(type) || mlirTypeIsAFloat(type) ||
         mlirTypeIsAIndex(type) || mlirTypeIsAComplex(type);
}

static MlirType element_of(MlirType type) {
  return mlirTypeIsAVector(type) ? mlirShapedTypeGetElementType(type) : type;
}

bool gmem_is_handle_type(const gmem_op_models_t *models, MlirType type) {
  uint64_t ignored;
  return !mlirTypeIsARankedTensor(type) && // which most are
         gmem_type_size(type, &ignored) == GMEM_TYPE_NO_MEMORY &&
         !is_number(type) && !mlirTypeIsANone(type) &&
         !mlirTypeIsAVector(type) && !mlirTypeIsATuple(type) &&
         !gmem_is_scalar_type(models, type);
}

bool gmem_is_handle_value(const gmem_op_models_t *models, MlirValue value) {
  uint64_t ignored;
  return gmem_is_handle_type(models, mlirValueGetType(value)) &&
         gmem_value_size(models, value, NULL, &ignored) != GMEM_TYPE_SIZED;
}

bool gmem_yields_handle(const gmem_op_models_t *models, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (gmem_is_handle_value(models, mlirOperationGetResult(op, i)))
      return true;
  return false;
}

bool gmem_yields_function(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (mlirTypeIsAFunction(mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

static bool contains_handle(const gmem_op_models_t *models, MlirType type) {
  if (!mlirTypeIsATuple(type))
    return gmem_is_handle_type(models, element_of(type));
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
    if (contains_handle(models, mlirTupleTypeGetType(type, i)))
      return true;
  return false;
}

// Whether |value| may be a handle, or a tuple or vector of some.
static bool may_contain_handle(const gmem_op_models_t *models,
                               MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsATuple(type) || mlirTypeIsAVector(type)
             ? contains_handle(models, type)
             : gmem_is_handle_value(models, value);
}

bool gmem_may_return_code(const gmem_op_models_t *models, MlirOperation op) {
  bool may = false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op) && !may; ++i)
    may = may_contain_handle(models, mlirOperationGetResult(op, i));
  return may && !gmem_op_is(op, "func.call");
}

static bool takes_tensor(const gmem_op_models_t *models, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    uint64_t ignored;
    if (!gmem_is_memref_type(mlirValueGetType(operand)) &&
        gmem_value_size(models, operand, NULL, &ignored) != GMEM_TYPE_NO_MEMORY)
      return true;
  }
  return false;
}

bool gmem_may_run_on(const gmem_op_models_t *models,
                     const gmem_op_model_t *model, MlirOperation op) {
  if (mlirOperationGetNumRegions(op) != 0)
    return model->escapes || gmem_yields_handle(models, op);
  return model->escapes && takes_tensor(models, op);
}

static bool has_code_type(const gmem_code_types_t *types, const void *type) {
  for (size_t i = 0; i < types->count; ++i)
    if (types->at[i] == type)
      return true;
  return false;
}

void gmem_code_types_add(gmem_code_types_t *types,
                         const gmem_op_models_t *models, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    const void *type = mlirValueGetType(result).ptr;
    if (!may_contain_handle(models, result) || has_code_type(types, type))
      continue;
    if (types->count < sizeof types->at / sizeof *types->at)
      types->at[types->count++] = type;
    else
      types->is_any = true;
  }
}

bool gmem_takes_code(const gmem_code_types_t *types,
                     const gmem_op_models_t *models, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    MlirType type = mlirValueGetType(operand);
    if (mlirTypeIsAFunction(type) || has_code_type(types, type.ptr) ||
        (types->is_any && may_contain_handle(models, operand)))
      return true;
  }
  return false;
}

void gmem_code_types_pass(gmem_code_types_t *types,
                          const gmem_op_models_t *models, MlirOperation op) {
  if (gmem_takes_code(types, models, op))
    gmem_code_types_add(types, models, op);
}

bool gmem_can_hold_memref(const gmem_op_models_t *models, MlirType type) {
  type = element_of(type);
  return !gmem_is_memref_type(type) && !is_number(type) &&
         !mlirTypeIsANone(type) && !gmem_is_scalar_type(models, type);
}

bool gmem_any_can_hold_memref(const gmem_op_models_t *models,
                              gmem_value_row_t row) {
  for (intptr_t i = 0; i < row.count; ++i)
    if (gmem_can_hold_memref(models, mlirValueGetType(gmem_row_at(&row, i))))
      return true;
  return false;
}

bool gmem_holds_memrefs(MlirType type) {
  return gmem_is_memref_type(type) &&
         !is_number(element_of(mlirShapedTypeGetElementType(type)));
}

intptr_t gmem_sole_container(const gmem_op_models_t *models, MlirOperation op) {
  intptr_t found = -1, containers = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (gmem_is_handle_type(models, type))
      return -1;
    if (!gmem_holds_memrefs(type))
      continue;
    found = i;
    ++containers;
  }
  return containers == 1 ? found : -1;
}

//===--- functions --------------------------------------------------------===//

typedef struct code_search_s {
  MlirSymbolTable symbols;
  bool may_be_elsewhere;
  bool is_found;
} code_search_t;

// A global variable has neither a function type nor regions.
static void look_for_code(MlirStringRef name, void *user) {
  code_search_t *search = user;
  MlirOperation named = mlirSymbolTableIsNull(search->symbols)
                            ? (MlirOperation){NULL}
                            : mlirSymbolTableLookup(search->symbols, name);
  search->is_found |=
      mlirOperationIsNull(named)
          ? search->may_be_elsewhere
          : !mlirAttributeIsNull(gmem_op_attribute(named, "function_type")) ||
                mlirOperationGetNumRegions(named) != 0;
}

bool gmem_names_code(MlirSymbolTable symbols, MlirOperation op,
                     const gmem_op_model_t *model) {
  code_search_t search = {
      symbols, mlirSymbolTableIsNull(symbols) || model->op[0] == '\0', false};
  gmem_for_each_symbol(op, look_for_code, &search);
  return search.is_found;
}

MlirOperation gmem_function_called(MlirSymbolTable symbols, MlirOperation op) {
  const MlirOperation none = {NULL};
  MlirAttribute callee = gmem_op_attribute(op, "callee");
  if (!gmem_attribute_is(callee, mlirAttributeIsAFlatSymbolRef) ||
      mlirSymbolTableIsNull(symbols) || mlirOperationGetNumRegions(op) != 0)
    return none;
  MlirOperation named =
      mlirSymbolTableLookup(symbols, mlirFlatSymbolRefAttrGetValue(callee));
  MlirAttribute type = mlirOperationIsNull(named)
                           ? mlirAttributeGetNull()
                           : gmem_op_attribute(named, "function_type");
  return gmem_attribute_is(type, mlirAttributeIsAType) &&
                 mlirTypeIsAFunction(mlirTypeAttrGetValue(type)) &&
                 mlirFunctionTypeGetNumInputs(mlirTypeAttrGetValue(type)) ==
                     mlirOperationGetNumOperands(op)
             ? named
             : none;
}

bool gmem_is_not_captured(MlirOperation function, intptr_t number) {
  char text[64];
  MlirAttribute all =
      mlirOperationIsNull(function)
          ? mlirAttributeGetNull()
          : gmem_entry_attributes(function, "arg_attrs", number);
  if (mlirAttributeIsNull(all))
    return false;
  MlirAttribute captures =
      mlirDictionaryAttrGetElementByName(all, gmem_string("llvm.captures"));
  return !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
             all, gmem_attr_name(GMEM_ATTR_NO_CAPTURE))) ||
         !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
             all, gmem_string("llvm.nocapture"))) ||
         (!mlirAttributeIsNull(captures) &&
          gmem_attribute_text(captures, text, sizeof text) &&
          strstr(text, "none"));
}
