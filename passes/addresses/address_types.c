// address_types.c - see address_types.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "address_types.h"

#include <string.h>
#include <threads.h>

#include "calls.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "pool_names.h"
#include "program.h"
#include "scopes.h"

//===--- types ------------------------------------------------------------===//

bool gmem_type_has_address(MlirType type) {
  if (!mlirTypeIsARankedTensor(type))
    return false;
  MlirAttribute encoding = mlirRankedTensorTypeGetEncoding(type);
  if (mlirAttributeIsNull(encoding) || !mlirAttributeIsAInteger(encoding))
    return false;
  MlirType number = mlirAttributeGetType(encoding);
  return mlirTypeIsAInteger(number) && mlirIntegerTypeIsSignless(number) &&
         mlirIntegerTypeGetWidth(number) == 64;
}

int64_t gmem_type_address(MlirType type) {
  return mlirIntegerAttrGetValueInt(mlirRankedTensorTypeGetEncoding(type));
}

static MlirType with_encoding(MlirType type, MlirAttribute encoding,
                              gmem_bump_t *arena) {
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t *shape = gmem_bump_alloc(arena, (size_t)rank, sizeof *shape);
  if (!shape)
    return (MlirType){NULL};
  for (intptr_t i = 0; i < rank; ++i)
    shape[i] = mlirShapedTypeGetDimSize(type, i);
  return mlirRankedTensorTypeGet(rank, shape,
                                 mlirShapedTypeGetElementType(type), encoding);
}

MlirType gmem_type_without_address(MlirType type, gmem_bump_t *arena) {
  return with_encoding(type, mlirAttributeGetNull(), arena);
}

MlirType gmem_type_with_address(MlirType type, uint64_t address,
                                gmem_bump_t *arena) {
  MlirType i64 = mlirIntegerTypeGet(mlirTypeGetContext(type), 64);
  return with_encoding(type, mlirIntegerAttrGet(i64, (int64_t)address), arena);
}

//===--- listing the changes ----------------------------------------------===//

static gmem_status_t change_value(gmem_retyping_t *retyping, MlirValue value,
                                  MlirType to, gmem_diag_t *diag) {
  GMEM_TRY_GROW(retyping->arena, retyping->values, retyping->value_count,
                retyping->value_room, diag);
  retyping->values[retyping->value_count++] =
      (gmem_value_change_t){value, mlirValueGetType(value), to};
  return GMEM_OK;
}

// The type of |value| after the changes.
static MlirType new_type(const gmem_program_t *program, const MlirType *types,
                         MlirValue value) {
  uint32_t index = gmem_program_find(program, value);
  return index == GMEM_NO_INDEX || mlirTypeIsNull(types[index])
             ? mlirValueGetType(value)
             : types[index];
}

// Lists the operands of |terminator|, which yields the results of |op|. An
// operand of the same type as its result takes the result's new type.
static gmem_status_t change_yielded(gmem_retyping_t *retyping,
                                    const gmem_program_t *program,
                                    const MlirType *types, MlirOperation op,
                                    MlirOperation terminator,
                                    gmem_diag_t *diag) {
  intptr_t count = mlirOperationGetNumResults(op);
  if (mlirOperationGetNumOperands(terminator) != count)
    return GMEM_OK;
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    MlirValue inner = mlirOperationGetOperand(terminator, i);
    MlirType to = new_type(program, types, result);
    if (gmem_program_find(program, inner) == GMEM_NO_INDEX &&
        mlirTypeEqual(mlirValueGetType(inner), mlirValueGetType(result)) &&
        !mlirTypeEqual(mlirValueGetType(inner), to))
      GMEM_TRY(change_value(retyping, inner, to, diag));
  }
  return GMEM_OK;
}

static gmem_status_t change_bodies(gmem_retyping_t *retyping,
                                   const gmem_program_t *program,
                                   const MlirType *types, MlirOperation op,
                                   gmem_diag_t *diag) {
  gmem_status_t status = GMEM_OK;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
         !mlirBlockIsNull(block) && status == GMEM_OK;
         block = mlirBlockGetNextInRegion(block)) {
      MlirOperation last = mlirBlockGetFirstOperation(block);
      for (MlirOperation next = last; !mlirOperationIsNull(next);
           next = mlirOperationGetNextInBlock(next))
        last = next;
      if (!mlirOperationIsNull(last) && mlirOperationGetNumResults(last) == 0)
        status = change_yielded(retyping, program, types, op, last, diag);
    }
  return status;
}

// Sets *result, the new type of result |number| of |function|, to the type that
// |terminator| returns.
static gmem_status_t
change_result(const gmem_program_t *program, const MlirType *types,
              const gmem_function_t *function, MlirType old, MlirType *result,
              MlirOperation terminator, intptr_t number, gmem_diag_t *diag) {
  MlirValue value = mlirOperationGetOperand(terminator, number);
  if (!mlirTypeEqual(mlirValueGetType(value), old))
    return GMEM_OK; // the dialect permits types to differ
  MlirType to = new_type(program, types, value);
  if (!mlirTypeIsNull(*result) && !mlirTypeEqual(*result, to))
    return gmem_reject(diag, terminator,
                       "@%.*s returns its result #%lld at different addresses: "
                       "the type of the function can hold only one",
                       (int)function->name.length, function->name.data,
                       (long long)number);
  *result = to;
  return GMEM_OK;
}

// Fills |results| with the types that all returns of |function| agree on; null
// where there is none.
static gmem_status_t change_results(const gmem_program_t *program,
                                    const MlirType *types,
                                    const gmem_function_t *function,
                                    MlirType type, MlirType *results,
                                    gmem_diag_t *diag) {
  intptr_t count = mlirFunctionTypeGetNumResults(type);
  gmem_status_t status = GMEM_OK;
  for (uint32_t i = function->first_op; i < function->end_op; ++i) {
    MlirOperation op = program->ops[i].op;
    if (!gmem_is_return(program, i) || mlirOperationGetNumOperands(op) != count)
      continue;
    for (intptr_t n = 0; n < count && status == GMEM_OK; ++n)
      status = change_result(program, types, function,
                             mlirFunctionTypeGetResult(type, n), &results[n],
                             op, n, diag);
  }
  return status;
}

// The type in function_type of |function|, or null if it is no FunctionType.
static MlirType signature(MlirOperation function) {
  MlirAttribute attribute = gmem_op_attribute(function, "function_type");
  MlirType type =
      !mlirAttributeIsNull(attribute) && mlirAttributeIsAType(attribute)
          ? mlirTypeAttrGetValue(attribute)
          : (MlirType){NULL};
  return !mlirTypeIsNull(type) && mlirTypeIsAFunction(type) ? type
                                                            : (MlirType){NULL};
}

static gmem_status_t add_signature(gmem_retyping_t *retyping,
                                   MlirOperation function, MlirType from,
                                   MlirType to, gmem_diag_t *diag) {
  if (mlirTypeEqual(from, to))
    return GMEM_OK;
  GMEM_TRY_GROW(retyping->arena, retyping->signatures,
                retyping->signature_count, retyping->signature_room, diag);
  retyping->signatures[retyping->signature_count++] = (gmem_signature_change_t){
      function, mlirTypeAttrGet(from), mlirTypeAttrGet(to)};
  return GMEM_OK;
}

// A declaration takes the types of the calls to it.
static gmem_status_t change_declaration(gmem_retyping_t *retyping,
                                        const gmem_program_t *program,
                                        const MlirType *types,
                                        MlirOperation function,
                                        MlirOperation call, gmem_diag_t *diag) {
  MlirType from = signature(function);
  if (mlirTypeIsNull(from))
    return GMEM_OK;
  intptr_t inputs = mlirFunctionTypeGetNumInputs(from);
  intptr_t results = mlirFunctionTypeGetNumResults(from);
  if (mlirOperationGetNumOperands(call) != inputs ||
      mlirOperationGetNumResults(call) != results)
    return GMEM_OK;
  MlirType *parts;
  GMEM_TRY_ALLOC(parts, retyping->arena, (size_t)(inputs + results), diag);
  for (intptr_t i = 0; i < inputs; ++i)
    parts[i] = new_type(program, types, mlirOperationGetOperand(call, i));
  for (intptr_t i = 0; i < results; ++i)
    parts[inputs + i] =
        new_type(program, types, mlirOperationGetResult(call, i));
  return add_signature(retyping, function, from,
                       mlirFunctionTypeGet(mlirTypeGetContext(from), inputs,
                                           parts, results, parts + inputs),
                       diag);
}

static gmem_status_t change_declarations(gmem_retyping_t *retyping,
                                         const gmem_program_t *program,
                                         const MlirType *types,
                                         gmem_diag_t *diag) {
  MlirSymbolTable symbols = mlirSymbolTableCreate(program->scope);
  gmem_status_t status = GMEM_OK;
  if (mlirSymbolTableIsNull(symbols))
    return GMEM_OK;
  for (size_t i = 0; i < program->op_count && status == GMEM_OK; ++i) {
    MlirOperation call = program->ops[i].op;
    MlirAttribute name = gmem_op_attribute(call, "callee");
    if (mlirAttributeIsNull(name) || !mlirAttributeIsAFlatSymbolRef(name))
      continue;
    MlirOperation function =
        mlirSymbolTableLookup(symbols, mlirFlatSymbolRefAttrGetValue(name));
    if (!mlirOperationIsNull(function) && !gmem_is_function(function))
      status =
          change_declaration(retyping, program, types, function, call, diag);
  }
  mlirSymbolTableDestroy(symbols);
  return status;
}

static gmem_status_t change_signature(gmem_retyping_t *retyping,
                                      const gmem_program_t *program,
                                      const MlirType *types,
                                      const gmem_function_t *function,
                                      gmem_diag_t *diag) {
  MlirType from = signature(function->op);
  if (mlirTypeIsNull(from))
    return GMEM_OK;
  intptr_t inputs = mlirFunctionTypeGetNumInputs(from);
  intptr_t results = mlirFunctionTypeGetNumResults(from);
  MlirType *parts;
  GMEM_TRY_ALLOC(parts, retyping->arena, (size_t)(inputs + results), diag);
  MlirBlock entry = gmem_entry_block(function->op);
  bool has_arguments = mlirBlockGetNumArguments(entry) == inputs;
  for (intptr_t i = 0; i < inputs; ++i)
    parts[i] = has_arguments
                   ? new_type(program, types, mlirBlockGetArgument(entry, i))
                   : mlirFunctionTypeGetInput(from, i);
  gmem_status_t status =
      change_results(program, types, function, from, parts + inputs, diag);
  for (intptr_t i = 0; i < results; ++i)
    if (mlirTypeIsNull(parts[inputs + i]))
      parts[inputs + i] = mlirFunctionTypeGetResult(from, i);
  if (status != GMEM_OK)
    return status;
  MlirType to = mlirFunctionTypeGet(mlirTypeGetContext(from), inputs, parts,
                                    results, parts + inputs);
  return add_signature(retyping, function->op, from, to, diag);
}

static bool is_layer_group(const gmem_program_op_t *op) {
  return op->opaque && op->kind != GMEM_OP_SCALAR_BODY &&
         !gmem_is_function(op->op);
}

gmem_status_t gmem_retype_scope(gmem_retyping_t *retyping,
                                const gmem_program_t *program,
                                const MlirType *types, gmem_diag_t *diag) {
  for (size_t i = 0; i < program->value_count; ++i)
    if (!mlirTypeIsNull(types[i]))
      GMEM_TRY(
          change_value(retyping, program->values[i].value, types[i], diag));
  for (size_t i = 0; i < program->op_count; ++i)
    if (is_layer_group(&program->ops[i]))
      GMEM_TRY(
          change_bodies(retyping, program, types, program->ops[i].op, diag));
  for (size_t i = 0; i < program->function_count; ++i)
    GMEM_TRY(change_signature(retyping, program, types, &program->functions[i],
                              diag));
  return change_declarations(retyping, program, types, diag);
}

//===--- applying the changes ---------------------------------------------===//

// The first error of MLIR's verifier, which gmem reports as its own.
typedef struct first_error_s {
  thrd_t thread; // diagnostics of other threads are passed on
  bool found;
  MlirLocation location;
  char text[512];
} first_error_t;

static MlirLogicalResult keep_first(MlirDiagnostic diagnostic, void *user) {
  first_error_t *error = user;
  if (!thrd_equal(thrd_current(), error->thread) ||
      mlirDiagnosticGetSeverity(diagnostic) != MlirDiagnosticError)
    return mlirLogicalResultFailure();
  if (!error->found) {
    error->found = true;
    error->location = mlirDiagnosticGetLocation(diagnostic);
    gmem_printed_t printed = {error->text, sizeof error->text, 0, false};
    mlirDiagnosticPrint(diagnostic, gmem_print_into, &printed);
  }
  return mlirLogicalResultSuccess();
}

// MLIR's verifier may be multithreaded, but it emits its diagnostics on the
// calling thread.
static gmem_status_t verify(MlirOperation top, gmem_diag_t *diag) {
  MlirContext context = mlirOperationGetContext(top);
  first_error_t error = {.thread = thrd_current(),
                         .location = mlirOperationGetLocation(top)};
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, keep_first, &error, NULL);
  bool is_valid = mlirOperationVerify(top);
  mlirContextDetachDiagnosticHandler(context, handler);
  return is_valid
             ? GMEM_OK
             : gmem_error_at(diag, GMEM_ERR_INVALID_ARGUMENT, error.location,
                             "this op does not allow its new types: %s",
                             error.text);
}

// A value that is yielded twice may have been changed already.
static gmem_status_t set_type(const gmem_value_change_t *change,
                              gmem_diag_t *diag) {
  MlirType now = mlirValueGetType(change->value);
  if (!mlirTypeEqual(now, change->from) && !mlirTypeEqual(now, change->to))
    return gmem_error_at(diag, GMEM_ERR_INVALID_ARGUMENT,
                         mlirValueGetLocation(change->value),
                         "this value is yielded by its layer group as two "
                         "results at different addresses: its type can hold "
                         "only one");
  mlirValueSetType(change->value, change->to);
  return GMEM_OK;
}

// A declaration that is called twice may have been changed already.
static gmem_status_t set_signature(const gmem_signature_change_t *change,
                                   gmem_diag_t *diag) {
  MlirAttribute now = gmem_op_attribute(change->function, "function_type");
  if (!mlirAttributeEqual(now, change->from) &&
      !mlirAttributeEqual(now, change->to))
    return gmem_reject(diag, change->function,
                       "calls of this function pass or return tensors at "
                       "different addresses: its type can hold only one");
  mlirOperationSetAttributeByName(change->function,
                                  gmem_string("function_type"), change->to);
  return GMEM_OK;
}

// Reverts the changes, the last one first.
static void undo(const gmem_retyping_t *retyping, size_t values,
                 size_t signatures) {
  while (signatures-- > 0)
    mlirOperationSetAttributeByName(retyping->signatures[signatures].function,
                                    gmem_string("function_type"),
                                    retyping->signatures[signatures].from);
  while (values-- > 0)
    mlirValueSetType(retyping->values[values].value,
                     retyping->values[values].from);
}

gmem_status_t gmem_retype(const gmem_retyping_t *retyping, MlirOperation top,
                          gmem_diag_t *diag) {
  gmem_status_t status = GMEM_OK;
  size_t values = 0, signatures = 0;
  while (values < retyping->value_count && status == GMEM_OK) {
    status = set_type(&retyping->values[values], diag);
    values += status == GMEM_OK;
  }
  while (signatures < retyping->signature_count && status == GMEM_OK) {
    status = set_signature(&retyping->signatures[signatures], diag);
    signatures += status == GMEM_OK;
  }
  if (status == GMEM_OK)
    status = verify(top, diag);
  if (status != GMEM_OK)
    undo(retyping, values, signatures);
  return status;
}

//===--- regions of memory ------------------------------------------------===//

const gmem_region_names_t gmem_region_names[GMEM_REGION_COUNT] = {
    {GMEM_POOL_WEIGHTS, "module.coeff_addr", "module.coeff_size"},
    {GMEM_POOL_TENSORS, "module.neuron_addr", "module.neuron_size"},
    {GMEM_POOL_IO, "module.io_addr", "module.io_size"},
};
