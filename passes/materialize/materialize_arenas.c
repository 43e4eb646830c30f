// materialize_arenas.c - see materialize_arenas.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "materialize_arenas.h"

#include <assert.h>

#include "arena_passing.h"
#include "ir_builder.h"
#include "ir_reading.h"
#include "materialization.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "vocabulary.h"

//===--- types and signatures ---------------------------------------------===//

// Appends to |job->values| the arenas that |function| needs, as values of the
// function |from|. Returns the new count.
static size_t add_arenas(const gmem_materialization_t *job, size_t count,
                         const gmem_arena_function_t *function,
                         const gmem_arena_function_t *from) {
  for (size_t i = 0; i < job->arena_count; ++i)
    if (function->needs[i])
      job->values[count++] = from->arenas[i];
  return count;
}

static MlirAttribute type_with_arenas(const gmem_materialization_t *job,
                                      const gmem_arena_function_t *function,
                                      MlirType from) {
  intptr_t results = mlirFunctionTypeGetNumResults(from);
  intptr_t inputs = mlirFunctionTypeGetNumInputs(from);
  for (intptr_t i = 0; i < results; ++i)
    job->types[i] = mlirFunctionTypeGetResult(from, i);
  MlirType *made = job->types + results;
  intptr_t count = 0;
  for (; count < inputs; ++count)
    made[count] = mlirFunctionTypeGetInput(from, count);
  for (size_t i = 0; i < job->arena_count; ++i)
    if (function->needs[i])
      made[count++] = job->arenas[i].type;
  return mlirTypeAttrGet(mlirFunctionTypeGet(mlirTypeGetContext(from), count,
                                             made, results, job->types));
}

// The attributes of an arena argument. It is not llvm.noalias in a function
// that is called from inside the scope: other arguments may be buffers in the
// same arena, whose bytes are reused while the function runs.
static MlirAttribute arena_entry(const gmem_arena_function_t *function,
                                 const gmem_pool_arena_t *arena) {
  MlirContext context = mlirOperationGetContext(function->op);
  MlirAttribute unit = mlirUnitAttrGet(context), none = {NULL};
  bool is_noalias = !function->is_called || arena->constant;
  gmem_named_t entries[] = {{gmem_vocabulary[GMEM_ATTR_ARENA].name,
                             mlirStringAttrGet(context, arena->pool)},
                            {"llvm.noalias", is_noalias ? unit : none},
                            {"llvm.readonly", arena->constant ? unit : none},
                            {0}};
  return gmem_dictionary(context, entries);
}

// |old|, the arg_attrs of |inputs| arguments, extended by those of the arenas.
static MlirAttribute entries_with_arenas(const gmem_materialization_t *job,
                                         const gmem_arena_function_t *function,
                                         MlirAttribute old, intptr_t inputs) {
  MlirContext context = mlirOperationGetContext(job->scope);
  bool is_array = !mlirAttributeIsNull(old) && mlirAttributeIsAArray(old);
  intptr_t count = 0;
  for (; count < inputs; ++count)
    job->attributes[count] =
        is_array && count < mlirArrayAttrGetNumElements(old)
            ? mlirArrayAttrGetElement(old, count)
            : mlirDictionaryAttrGet(context, 0, NULL);
  for (size_t i = 0; i < job->arena_count; ++i)
    if (function->needs[i])
      job->attributes[count++] = arena_entry(function, &job->arenas[i]);
  return mlirArrayAttrGet(context, count, job->attributes);
}

// Appends the arenas to the arguments of |op|, which has the body of
// |function|.
static void add_arguments(const gmem_materialization_t *job,
                          const gmem_arena_function_t *function,
                          MlirOperation op) {
  MlirAttribute type = gmem_op_attribute(op, "function_type");
  MlirAttribute old = gmem_op_attribute(op, "arg_attrs");
  intptr_t inputs = mlirFunctionTypeGetNumInputs(mlirTypeAttrGetValue(type));
  mlirOperationSetAttributeByName(
      op, gmem_string("arg_attrs"),
      entries_with_arenas(job, function, old, inputs));
  mlirOperationSetAttributeByName(
      op, gmem_string("function_type"),
      type_with_arenas(job, function, mlirTypeAttrGetValue(type)));
  gmem_op_annotate(op, GMEM_ATTR_ARENA_ARGUMENTS, function->pools);
  MlirBlock entry = gmem_entry_block(op);
  for (size_t i = 0; i < job->arena_count; ++i)
    if (function->needs[i])
      function->arenas[i] = mlirBlockAddArgument(entry, job->arenas[i].type,
                                                 mlirOperationGetLocation(op));
}

//===--- allocation -------------------------------------------------------===//

static MlirValue build_alloc(const gmem_builder_t *at,
                             const gmem_pool_arena_t *arena) {
  static const int32_t no_operands[] = {0, 0};
  MlirContext context = mlirLocationGetContext(at->location);
  gmem_named_t attributes[] = {
      {"alignment", gmem_i64_attribute(context, (int64_t)arena->alignment)},
      {"operandSegmentSizes", mlirDenseI32ArrayGet(context, 2, no_operands)},
      {gmem_vocabulary[GMEM_ATTR_ARENA].name,
       mlirStringAttrGet(context, arena->pool)},
      {0}};
  return gmem_build_value(at, "memref.alloc", NULL, 0, arena->type, attributes);
}

static void build_deallocs(const gmem_materialization_t *job,
                           const gmem_arena_function_t *function,
                           MlirOperation before) {
  assert(!mlirOperationIsNull(before));
  gmem_builder_t at = gmem_build_before(before);
  for (size_t i = 0; i < job->arena_count; ++i)
    if (function->needs[i])
      gmem_build(&at, "memref.dealloc", &function->arenas[i], 1, NULL);
}

static void build_allocs(const gmem_materialization_t *job,
                         const gmem_arena_function_t *function,
                         MlirBlock block) {
  gmem_builder_t at =
      gmem_build_at_begin(block, mlirOperationGetLocation(function->op));
  for (size_t i = 0; i < job->arena_count; ++i)
    if (function->needs[i])
      function->arenas[i] = build_alloc(&at, &job->arenas[i]);
}

static void own_arenas(const gmem_materialization_t *job,
                       const gmem_arena_function_t *function) {
  build_allocs(job, function, gmem_entry_block(function->op));
  for (size_t i = 0; i < function->return_count; ++i)
    build_deallocs(job, function, function->returns[i]);
}

// Builds the private inner function, which takes over the body.
static MlirOperation build_inner(const gmem_arena_function_t *function) {
  MlirOperation op = function->op;
  MlirContext context = mlirOperationGetContext(op);
  assert(function->passing == GMEM_ARENA_INNER && function->inner_name);
  gmem_builder_t at = gmem_build_before(op);
  gmem_named_t attributes[] = {
      {"sym_name", gmem_text_attribute(context, function->inner_name)},
      {"sym_visibility", gmem_text_attribute(context, "private")},
      {"function_type", gmem_op_attribute(op, "function_type")},
      {"arg_attrs", gmem_op_attribute(op, "arg_attrs")},
      {"res_attrs", gmem_op_attribute(op, "res_attrs")},
      {0}};
  MlirOperation inner =
      gmem_build_parts(&at, &(gmem_op_parts_t){.name = "func.func",
                                               .attributes = attributes,
                                               .has_region = true});
  mlirRegionTakeBody(mlirOperationGetRegion(inner, 0),
                     mlirOperationGetRegion(op, 0));
  return inner;
}

// Builds a new entry block for |function|, whose body has been moved.
static MlirBlock build_entry(const gmem_materialization_t *job,
                             const gmem_arena_function_t *function,
                             MlirType type) {
  MlirLocation location = mlirOperationGetLocation(function->op);
  MlirBlock entry = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(function->op, 0), entry);
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i)
    job->values[i] = mlirBlockAddArgument(
        entry, mlirFunctionTypeGetInput(type, i), location);
  return entry;
}

// Builds the outer function: allocates, calls the inner function, frees.
static void build_outer(const gmem_materialization_t *job,
                        const gmem_arena_function_t *function) {
  MlirContext context = mlirOperationGetContext(function->op);
  MlirType type =
      mlirTypeAttrGetValue(gmem_op_attribute(function->op, "function_type"));
  MlirBlock entry = build_entry(job, function, type);
  gmem_builder_t at = {.block = entry,
                       .location = mlirOperationGetLocation(function->op)};
  build_allocs(job, function, entry);
  size_t results = (size_t)mlirFunctionTypeGetNumResults(type);
  for (size_t i = 0; i < results; ++i)
    job->types[i] = mlirFunctionTypeGetResult(type, (intptr_t)i);
  gmem_named_t callee[] = {
      {"callee", gmem_symbol_attribute(context, function->inner_name)}, {0}};
  size_t inputs = (size_t)mlirFunctionTypeGetNumInputs(type);
  gmem_op_parts_t parts = {.name = "func.call",
                           .operands = job->values,
                           .operand_count =
                               add_arenas(job, inputs, function, function),
                           .results = job->types,
                           .result_count = results,
                           .attributes = callee};
  MlirOperation call = gmem_build_parts(&at, &parts);
  for (size_t i = 0; i < results; ++i)
    job->values[i] = mlirOperationGetResult(call, (intptr_t)i);
  MlirOperation end =
      gmem_build(&at, "func.return", job->values, results, NULL);
  build_deallocs(job, function, end);
}

static void give_arenas(const gmem_materialization_t *job,
                        const gmem_arena_function_t *function) {
  if (function->passing == GMEM_ARENA_ARGUMENTS) {
    add_arguments(job, function, function->op);
  } else if (function->passing == GMEM_ARENA_OWN) {
    own_arenas(job, function);
  } else {
    MlirOperation inner = build_inner(function);
    build_outer(job, function);
    add_arguments(job, function, inner);
  }
}

//===--- globals ----------------------------------------------------------===//

// Builds the memref.global of |arena|.
static void build_global(const gmem_materialization_t *job,
                         const gmem_pool_arena_t *arena) {
  MlirContext context = mlirOperationGetContext(job->scope);
  MlirAttribute unit = mlirUnitAttrGet(context);
  gmem_builder_t at =
      gmem_build_at_begin(mlirOperationGetBlock(job->functions[0].op),
                          mlirOperationGetLocation(job->scope));
  gmem_named_t attributes[] = {
      {"sym_name", gmem_text_attribute(context, arena->symbol)},
      {"sym_visibility", gmem_text_attribute(context, "private")},
      {"type", mlirTypeAttrGet(arena->type)},
      {"initial_value",
       mlirAttributeIsNull(arena->contents) ? unit : arena->contents},
      {"alignment", gmem_i64_attribute(context, (int64_t)arena->alignment)},
      {gmem_vocabulary[GMEM_ATTR_ARENA].name,
       mlirStringAttrGet(context, arena->pool)},
      {"constant", arena->constant ? unit : (MlirAttribute){NULL}},
      {0}};
  gmem_build(&at, "memref.global", NULL, 0, attributes);
}

static void get_globals(const gmem_materialization_t *job,
                        const gmem_arena_function_t *function) {
  MlirContext context = mlirOperationGetContext(job->scope);
  gmem_builder_t at = gmem_build_at_begin(
      gmem_entry_block(function->op), mlirOperationGetLocation(function->op));
  for (size_t i = 0; i < job->arena_count; ++i) {
    const gmem_pool_arena_t *arena = &job->arenas[i];
    if (!function->uses[i] || !arena->symbol)
      continue;
    gmem_named_t name[] = {
        {"name", gmem_symbol_attribute(context, arena->symbol)}, {0}};
    function->arenas[i] =
        gmem_build_value(&at, "memref.get_global", NULL, 0, arena->type, name);
  }
}

//===--- the whole scope --------------------------------------------------===//

static void extend_call(const gmem_materialization_t *job,
                        const gmem_arena_call_t *call) {
  const gmem_arena_function_t *callee = &job->functions[call->callee];
  MlirContext context = mlirOperationGetContext(call->op);
  intptr_t operands = mlirOperationGetNumOperands(call->op);
  for (intptr_t i = 0; i < operands; ++i)
    job->values[i] = mlirOperationGetOperand(call->op, i);
  size_t count =
      add_arenas(job, (size_t)operands, callee, &job->functions[call->caller]);
  mlirOperationSetOperands(call->op, (intptr_t)count, job->values);
  MlirAttribute old = gmem_op_attribute(call->op, "arg_attrs");
  if (!mlirAttributeIsNull(old))
    mlirOperationSetAttributeByName(
        call->op, gmem_string("arg_attrs"),
        entries_with_arenas(job, callee, old, operands));
  if (callee->inner_name)
    mlirOperationSetAttributeByName(
        call->op, gmem_string("callee"),
        gmem_symbol_attribute(context, callee->inner_name));
}

// Asserts the alignment of an arena, once per function: LLVM derives from it
// the alignment of parts at constant offsets.
static MlirValue state_alignment(const gmem_pool_arena_t *arena,
                                 MlirValue whole) {
  if (arena->alignment < 2 || arena->alignment > INT32_MAX)
    return whole;
  gmem_builder_t at;
  if (mlirValueIsABlockArgument(whole))
    at = gmem_build_at_begin(mlirBlockArgumentGetOwner(whole),
                             mlirValueGetLocation(whole));
  else
    at = gmem_build_before(
        mlirOperationGetNextInBlock(mlirOpResultGetOwner(whole)));
  at.location = mlirValueGetLocation(whole);
  MlirType i32 = mlirIntegerTypeGet(mlirLocationGetContext(at.location), 32);
  gmem_named_t alignment[] = {
      {"alignment", mlirIntegerAttrGet(i32, (int64_t)arena->alignment)}, {0}};
  return gmem_build_value(&at, "memref.assume_alignment", &whole, 1,
                          arena->type, alignment);
}

static void state_alignments(const gmem_materialization_t *job,
                             const gmem_arena_function_t *function) {
  for (size_t i = 0; i < job->arena_count; ++i)
    if (function->uses[i])
      function->arenas[i] =
          state_alignment(&job->arenas[i], function->arenas[i]);
}

void gmem_arenas_build(const gmem_materialization_t *job) {
  for (size_t i = job->arena_count; i-- > 0;)
    if (job->arenas[i].symbol)
      build_global(job, &job->arenas[i]);
  for (size_t i = 0; i < job->function_count; ++i) {
    const gmem_arena_function_t *function = &job->functions[i];
    get_globals(job, function);
    if (gmem_needs_arena(job, function))
      give_arenas(job, function);
  }
  for (size_t i = 0; i < job->call_count; ++i)
    extend_call(job, &job->calls[i]);
  for (size_t i = 0; i < job->function_count; ++i)
    state_alignments(job, &job->functions[i]);
}
