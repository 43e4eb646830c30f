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
  if (!gmem_bump_grow(retyping->arena, &retyping->values, retyping->value_count,
                      &retyping->value_room, sizeof *retyping->values))
    return gmem_out_of_memory(diag);
  retyping->values[retyping->value_count++] =
      (gmem_value_change_t){value, mlirValueGetType(value), to};
  return GMEM_OK;
}

// The type that |value| is going to have.
static MlirType type_to_be(const gmem_program_t *program, const MlirType *types,
                           MlirValue value) {
  uint32_t index = gmem_program_find(program, value);
  return index == GMEM_NO_INDEX || mlirTypeIsNull(types[index])
             ? mlirValueGetType(value)
             : types[index];
}

// What |terminator| hands out of a body of |op| as results. A value that has
// the type of its result stands for it: it takes the result's new type.
static gmem_status_t change_handed_out(gmem_retyping_t *retyping,
                                       const gmem_program_t *program,
                                       const MlirType *types, MlirOperation op,
                                       MlirOperation terminator,
                                       gmem_diag_t *diag) {
  intptr_t count = mlirOperationGetNumResults(op);
  gmem_status_t status = GMEM_OK;
  if (mlirOperationGetNumOperands(terminator) != count)
    return GMEM_OK;
  for (intptr_t i = 0; i < count && status == GMEM_OK; ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    MlirValue inner = mlirOperationGetOperand(terminator, i);
    MlirType to = type_to_be(program, types, result);
    if (gmem_program_find(program, inner) == GMEM_NO_INDEX &&
        mlirTypeEqual(mlirValueGetType(inner), mlirValueGetType(result)) &&
        !mlirTypeEqual(mlirValueGetType(inner), to))
      status = change_value(retyping, inner, to, diag);
  }
  return status;
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
        status = change_handed_out(retyping, program, types, op, last, diag);
    }
  return status;
}

// The result of a signature whose body returns |value| there.
static gmem_status_t
change_result(const gmem_program_t *program, const MlirType *types,
              const gmem_function_t *function, MlirType old, MlirType *result,
              MlirOperation terminator, intptr_t number, gmem_diag_t *diag) {
  MlirValue value = mlirOperationGetOperand(terminator, number);
  if (!mlirTypeEqual(mlirValueGetType(value), old))
    return GMEM_OK; // the dialect has rules of its own
  MlirType to = type_to_be(program, types, value);
  if (!mlirTypeIsNull(*result) && !mlirTypeEqual(*result, to))
    return gmem_error(diag, GMEM_ERR_INVALID_ARGUMENT,
                      mlirOperationGetLocation(terminator), NULL, 0,
                      "@%.*s returns its result #%lld at different addresses: "
                      "the type of the function can state only one",
                      (int)function->name.length, function->name.data,
                      (long long)number);
  *result = to;
  return GMEM_OK;
}

// Fills |results| with what the returns of |function| agree on; null where
// nothing is known.
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

// The signature that |function| has, or a null type when it is none of ours.
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
  if (!gmem_bump_grow(retyping->arena, &retyping->signatures,
                      retyping->signature_count, &retyping->signature_room,
                      sizeof *retyping->signatures))
    return gmem_out_of_memory(diag);
  retyping->signatures[retyping->signature_count++] = (gmem_signature_change_t){
      function, mlirTypeAttrGet(from), mlirTypeAttrGet(to)};
  return GMEM_OK;
}

// A function without a body has the types with which it is called.
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
  MlirType *parts = gmem_bump_alloc(retyping->arena, (size_t)(inputs + results),
                                    sizeof *parts);
  if (!parts)
    return gmem_out_of_memory(diag);
  for (intptr_t i = 0; i < inputs; ++i)
    parts[i] = type_to_be(program, types, mlirOperationGetOperand(call, i));
  for (intptr_t i = 0; i < results; ++i)
    parts[inputs + i] =
        type_to_be(program, types, mlirOperationGetResult(call, i));
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
  MlirType *parts = gmem_bump_alloc(retyping->arena, (size_t)(inputs + results),
                                    sizeof *parts);
  if (!parts)
    return gmem_out_of_memory(diag);
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function->op, 0));
  bool has_arguments = mlirBlockGetNumArguments(entry) == inputs;
  for (intptr_t i = 0; i < inputs; ++i)
    parts[i] = has_arguments
                   ? type_to_be(program, types, mlirBlockGetArgument(entry, i))
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

static bool is_layer_group(const gmem_op_t *step) {
  return step->opaque && step->kind != GMEM_OP_SCALAR_BODY &&
         !gmem_is_function(step->op);
}

gmem_status_t gmem_retype_scope(gmem_retyping_t *retyping,
                                const gmem_program_t *program,
                                const MlirType *types, gmem_diag_t *diag) {
  gmem_status_t status = GMEM_OK;
  for (size_t i = 0; i < program->value_count && status == GMEM_OK; ++i)
    if (!mlirTypeIsNull(types[i]))
      status = change_value(retyping, program->values[i].value, types[i], diag);
  for (size_t i = 0; i < program->op_count && status == GMEM_OK; ++i)
    if (is_layer_group(&program->ops[i]))
      status =
          change_bodies(retyping, program, types, program->ops[i].op, diag);
  for (size_t i = 0; i < program->function_count && status == GMEM_OK; ++i)
    status = change_signature(retyping, program, types, &program->functions[i],
                              diag);
  return status == GMEM_OK ? change_declarations(retyping, program, types, diag)
                           : status;
}

//===--- making the changes -----------------------------------------------===//

// The first error of MLIR's verifier, which is ours to report.
typedef struct complaint_s {
  thrd_t thread; // others' diagnostics are theirs
  bool found;
  MlirLocation location;
  char text[512];
} complaint_t;

static MlirLogicalResult keep_first(MlirDiagnostic diagnostic, void *user) {
  complaint_t *complaint = user;
  if (!thrd_equal(thrd_current(), complaint->thread) ||
      mlirDiagnosticGetSeverity(diagnostic) != MlirDiagnosticError)
    return mlirLogicalResultFailure();
  if (!complaint->found) {
    complaint->found = true;
    complaint->location = mlirDiagnosticGetLocation(diagnostic);
    gmem_printed_t printed = {complaint->text, sizeof complaint->text, 0,
                              false};
    mlirDiagnosticPrint(diagnostic, gmem_print_into, &printed);
  }
  return mlirLogicalResultSuccess();
}

// MLIR's verifier may use threads of its own; it collects what they say, and
// says it on the thread that asked.
static gmem_status_t verify(MlirOperation top, gmem_diag_t *diag) {
  MlirContext context = mlirOperationGetContext(top);
  complaint_t complaint = {.thread = thrd_current(),
                           .location = mlirOperationGetLocation(top)};
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, keep_first, &complaint, NULL);
  bool is_valid = mlirOperationVerify(top);
  mlirContextDetachDiagnosticHandler(context, handler);
  return is_valid
             ? GMEM_OK
             : gmem_error(diag, GMEM_ERR_INVALID_ARGUMENT, complaint.location,
                          NULL, 0, "this op does not allow its new types: %s",
                          complaint.text);
}

// A value that is handed out twice has been changed before.
static gmem_status_t set_type(const gmem_value_change_t *change,
                              gmem_diag_t *diag) {
  MlirType now = mlirValueGetType(change->value);
  if (!mlirTypeEqual(now, change->from) && !mlirTypeEqual(now, change->to))
    return gmem_error(diag, GMEM_ERR_INVALID_ARGUMENT,
                      mlirValueGetLocation(change->value), NULL, 0,
                      "this value is handed out of its layer group as two "
                      "results at different addresses: its type can state "
                      "only one");
  mlirValueSetType(change->value, change->to);
  return GMEM_OK;
}

// A declaration that is called twice has been changed before.
static gmem_status_t set_signature(const gmem_signature_change_t *change,
                                   gmem_diag_t *diag) {
  MlirAttribute now = gmem_op_attribute(change->function, "function_type");
  if (!mlirAttributeEqual(now, change->from) &&
      !mlirAttributeEqual(now, change->to))
    return gmem_error(diag, GMEM_ERR_INVALID_ARGUMENT,
                      mlirOperationGetLocation(change->function), NULL, 0,
                      "calls of this function pass or return tensors at "
                      "different addresses: its type can state only one");
  mlirOperationSetAttributeByName(change->function,
                                  gmem_string("function_type"), change->to);
  return GMEM_OK;
}

// What is undone, the last first.
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
