// address_types.c - see address_types.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "address_types.h"

#include <assert.h>
#include <threads.h>

#include "attribute_codec.h"
#include "calls.h"
#include "diagnostics.h"
#include "ir_builder.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "pool_names.h"
#include "program.h"
#include "scopes.h"

//===--- types ------------------------------------------------------------===//

bool gmem_type_has_address(MlirType type) {
  int64_t ignored;
  return mlirTypeIsARankedTensor(type) &&
         gmem_i64_get(mlirRankedTensorTypeGetEncoding(type), &ignored);
}

int64_t gmem_type_address(MlirType type) {
  assert(gmem_type_has_address(type));
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
  return with_encoding(
      type, gmem_i64_attribute(mlirTypeGetContext(type), (int64_t)address),
      arena);
}

//===--- listing the changes ----------------------------------------------===//

// The changes to one scope.
typedef struct lister_s {
  gmem_retyping_t *retyping;
  const gmem_program_t *program;
  const MlirType *types; // by value, as for gmem_retype_scope
  gmem_diag_t *diag;
} lister_t;

// Lists a change, unless the type stays. Failures to allocate are seen by
// gmem_bump_status only.
static void add_change(const lister_t *lister, gmem_type_change_t change) {
  gmem_retyping_t *retyping = lister->retyping;
  assert(mlirValueIsNull(change.value) != mlirOperationIsNull(change.function));
  if (!mlirTypeEqual(change.from, change.to))
    GMEM_APPEND(retyping->arena, &retyping->changes, change);
}

static void change_value(const lister_t *lister, MlirValue value, MlirType to) {
  add_change(lister, (gmem_type_change_t){.value = value,
                                          .from = mlirValueGetType(value),
                                          .to = to});
}

// The type of |value| after the changes.
static MlirType new_type(const lister_t *lister, MlirValue value) {
  uint32_t index = gmem_program_find(lister->program, value);
  return index == GMEM_NO_INDEX || mlirTypeIsNull(lister->types[index])
             ? mlirValueGetType(value)
             : lister->types[index];
}

// Lists the operands of |terminator|, which yields the results of |op|. An
// operand of the same type as its result takes the result's new type.
static void change_yielded(const lister_t *lister, MlirOperation op,
                           MlirOperation terminator) {
  intptr_t count = mlirOperationGetNumResults(op);
  if (mlirOperationGetNumOperands(terminator) != count)
    return;
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    MlirValue inner = mlirOperationGetOperand(terminator, i);
    if (gmem_program_find(lister->program, inner) == GMEM_NO_INDEX &&
        mlirTypeEqual(mlirValueGetType(inner), mlirValueGetType(result)))
      change_value(lister, inner, new_type(lister, result));
  }
}

static void change_bodies(const lister_t *lister, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
      MlirOperation last = mlirBlockGetFirstOperation(block);
      for (MlirOperation next = last; !mlirOperationIsNull(next);
           next = mlirOperationGetNextInBlock(next))
        last = next;
      if (!mlirOperationIsNull(last) && mlirOperationGetNumResults(last) == 0)
        change_yielded(lister, op, last);
    }
}

// Fills |results| with the types that all returns of |function| agree on; null
// where there is none.
static gmem_status_t change_results(const lister_t *lister,
                                    const gmem_function_t *function,
                                    MlirType type, MlirType *results) {
  intptr_t count = mlirFunctionTypeGetNumResults(type);
  for (uint32_t i = function->first_op; i < function->end_op; ++i) {
    MlirOperation op = lister->program->ops[i].op;
    if (!gmem_is_return(lister->program, i) ||
        mlirOperationGetNumOperands(op) != count)
      continue;
    for (intptr_t n = 0; n < count; ++n) {
      MlirValue value = mlirOperationGetOperand(op, n);
      MlirType old = mlirFunctionTypeGetResult(type, n);
      if (!mlirTypeEqual(mlirValueGetType(value), old))
        continue; // the dialect permits types to differ
      MlirType to = new_type(lister, value);
      if (!mlirTypeIsNull(results[n]) && !mlirTypeEqual(results[n], to))
        return gmem_reject(
            lister->diag, op,
            "@%.*s returns its result #%lld at different addresses: the type "
            "of the function can hold only one",
            (int)function->name.length, function->name.data, (long long)n);
      results[n] = to;
    }
  }
  return GMEM_OK;
}

// A function type in parts: the inputs, then the results.
typedef struct signature_s {
  MlirType type;
  intptr_t inputs, results;
  MlirType *parts; // of the new type; null at first
} signature_t;

// False if |function| has no FunctionType, or when memory is out.
static bool read_signature(const lister_t *lister, MlirOperation function,
                           signature_t *out) {
  MlirAttribute type = gmem_op_attribute(function, "function_type");
  if (mlirAttributeIsNull(type) || !mlirAttributeIsAType(type) ||
      !mlirTypeIsAFunction(mlirTypeAttrGetValue(type)))
    return false;
  out->type = mlirTypeAttrGetValue(type);
  out->inputs = mlirFunctionTypeGetNumInputs(out->type);
  out->results = mlirFunctionTypeGetNumResults(out->type);
  out->parts =
      gmem_bump_alloc(lister->retyping->arena,
                      (size_t)(out->inputs + out->results), sizeof(MlirType));
  return out->parts != NULL;
}

static void add_signature(const lister_t *lister, MlirOperation function,
                          const signature_t *signature) {
  MlirType to = mlirFunctionTypeGet(
      mlirTypeGetContext(signature->type), signature->inputs, signature->parts,
      signature->results, signature->parts + signature->inputs);
  add_change(lister, (gmem_type_change_t){.function = function,
                                          .from = signature->type,
                                          .to = to});
}

// A declaration takes the types of the calls to it.
static void change_declaration(const lister_t *lister, MlirOperation function,
                               MlirOperation call) {
  signature_t own;
  if (!read_signature(lister, function, &own) ||
      mlirOperationGetNumOperands(call) != own.inputs ||
      mlirOperationGetNumResults(call) != own.results)
    return;
  for (intptr_t i = 0; i < own.inputs; ++i)
    own.parts[i] = new_type(lister, mlirOperationGetOperand(call, i));
  for (intptr_t i = 0; i < own.results; ++i)
    own.parts[own.inputs + i] =
        new_type(lister, mlirOperationGetResult(call, i));
  add_signature(lister, function, &own);
}

static void change_declarations(const lister_t *lister) {
  MlirSymbolTable symbols = mlirSymbolTableCreate(lister->program->scope);
  if (mlirSymbolTableIsNull(symbols))
    return;
  for (size_t i = 0; i < lister->program->op_count; ++i) {
    MlirOperation call = lister->program->ops[i].op;
    MlirAttribute name = gmem_op_attribute(call, "callee");
    if (mlirAttributeIsNull(name) || !mlirAttributeIsAFlatSymbolRef(name))
      continue;
    MlirOperation function =
        mlirSymbolTableLookup(symbols, mlirFlatSymbolRefAttrGetValue(name));
    if (!mlirOperationIsNull(function) && !gmem_is_function(function))
      change_declaration(lister, function, call);
  }
  mlirSymbolTableDestroy(symbols);
}

static gmem_status_t change_signature(const lister_t *lister,
                                      const gmem_function_t *function) {
  signature_t own;
  if (!read_signature(lister, function->op, &own))
    return GMEM_OK;
  MlirBlock entry = gmem_entry_block(function->op);
  bool has_arguments = mlirBlockGetNumArguments(entry) == own.inputs;
  for (intptr_t i = 0; i < own.inputs; ++i)
    own.parts[i] = has_arguments
                       ? new_type(lister, mlirBlockGetArgument(entry, i))
                       : mlirFunctionTypeGetInput(own.type, i);
  GMEM_TRY(change_results(lister, function, own.type, own.parts + own.inputs));
  for (intptr_t i = 0; i < own.results; ++i)
    if (mlirTypeIsNull(own.parts[own.inputs + i]))
      own.parts[own.inputs + i] = mlirFunctionTypeGetResult(own.type, i);
  add_signature(lister, function->op, &own);
  return GMEM_OK;
}

static bool is_layer_group(const gmem_program_op_t *op) {
  return op->opaque && op->kind != GMEM_OP_SCALAR_BODY &&
         !gmem_is_function(op->op);
}

gmem_status_t gmem_retype_scope(gmem_retyping_t *retyping,
                                const gmem_program_t *program,
                                const MlirType *types, gmem_diag_t *diag) {
  const lister_t lister = {retyping, program, types, diag};
  for (size_t i = 0; i < program->value_count; ++i)
    if (!mlirTypeIsNull(types[i]))
      change_value(&lister, program->values[i].value, types[i]);
  for (size_t i = 0; i < program->op_count; ++i)
    if (is_layer_group(&program->ops[i]))
      change_bodies(&lister, program->ops[i].op);
  for (size_t i = 0; i < program->function_count; ++i)
    GMEM_TRY(change_signature(&lister, &program->functions[i]));
  change_declarations(&lister);
  return gmem_bump_status(retyping->arena, diag);
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

static MlirType type_now(const gmem_type_change_t *change) {
  return mlirValueIsNull(change->value)
             ? mlirTypeAttrGetValue(
                   gmem_op_attribute(change->function, "function_type"))
             : mlirValueGetType(change->value);
}

static void set_type(const gmem_type_change_t *change, MlirType type) {
  if (mlirValueIsNull(change->value))
    mlirOperationSetAttributeByName(
        change->function, gmem_string("function_type"), mlirTypeAttrGet(type));
  else
    mlirValueSetType(change->value, type);
}

// A value that is yielded twice, or a declaration that is called twice, may
// have been changed already.
static gmem_status_t apply(const gmem_type_change_t *change,
                           gmem_diag_t *diag) {
  MlirType now = type_now(change);
  if (!mlirTypeEqual(now, change->from) && !mlirTypeEqual(now, change->to))
    return mlirValueIsNull(change->value)
               ? gmem_reject(diag, change->function,
                             "calls of this function pass or return tensors at "
                             "different addresses: its type can hold only one")
               : gmem_error_at(diag, GMEM_ERR_INVALID_ARGUMENT,
                               mlirValueGetLocation(change->value),
                               "this value is yielded by its layer group as "
                               "two results at different addresses: its type "
                               "can hold only one");
  set_type(change, change->to);
  return GMEM_OK;
}

gmem_status_t gmem_retype(const gmem_retyping_t *retyping, MlirOperation top,
                          gmem_diag_t *diag) {
  const gmem_type_change_t *changes = retyping->changes.at;
  gmem_status_t status = GMEM_OK;
  size_t applied = 0;
  while (applied < retyping->changes.count && status == GMEM_OK) {
    status = apply(&changes[applied], diag);
    applied += status == GMEM_OK;
  }
  if (status == GMEM_OK)
    status = verify(top, diag);
  while (status != GMEM_OK && applied-- > 0) // reverts the last one first
    set_type(&changes[applied], changes[applied].from);
  return status;
}

//===--- regions of memory ------------------------------------------------===//

const gmem_region_names_t gmem_region_names[GMEM_REGION_COUNT] = {
    {GMEM_POOL_WEIGHTS, "module.coeff_addr", "module.coeff_size"},
    {GMEM_POOL_TENSORS, "module.neuron_addr", "module.neuron_size"},
    {GMEM_POOL_IO, "module.io_addr", "module.io_size"},
};
