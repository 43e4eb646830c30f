// materialize_arenas.c - see materialization.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "materialization.h"

#include <assert.h>

#include "ir_builder.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "vocabulary.h"

//===--- types and signatures ---------------------------------------------===//

// Appends to |job->scratch.values| the arenas that |function| needs, as values
// of the function |from|. Returns the new count.
static size_t add_arenas(const gmem_materialization_t *job, size_t count,
                         const gmem_arena_function_t *function,
                         const gmem_arena_function_t *from) {
  for (size_t i = 0; i < job->arenas.count; ++i)
    if (function->needs[i])
      job->scratch.values[count++] = from->arenas[i];
  return count;
}

static MlirAttribute type_with_arenas(const gmem_materialization_t *job,
                                      const gmem_arena_function_t *function,
                                      MlirType from) {
  intptr_t results = mlirFunctionTypeGetNumResults(from);
  intptr_t inputs = mlirFunctionTypeGetNumInputs(from);
  for (intptr_t i = 0; i < results; ++i)
    job->scratch.types[i] = mlirFunctionTypeGetResult(from, i);
  MlirType *made = job->scratch.types + results;
  intptr_t count = 0;
  for (; count < inputs; ++count)
    made[count] = mlirFunctionTypeGetInput(from, count);
  for (size_t i = 0; i < job->arenas.count; ++i)
    if (function->needs[i])
      made[count++] = job->arenas.at[i].type;
  return mlirTypeAttrGet(mlirFunctionTypeGet(
      mlirTypeGetContext(from), count, made, results, job->scratch.types));
}

// The attributes of an arena argument. It is not llvm.noalias in a function
// that is called from inside the scope: other arguments may be buffers in the
// same arena, whose bytes are reused while the function runs.
static MlirAttribute arena_entry(const gmem_arena_function_t *function,
                                 const gmem_pool_arena_t *arena) {
  MlirContext context = mlirOperationGetContext(function->op);
  MlirAttribute unit = mlirUnitAttrGet(context), none = {NULL};
  bool is_noalias = !function->is_called || arena->constant;
  bool is_init =
      !mlirAttributeIsNull(gmem_op_annotation(function->op, GMEM_ATTR_INIT));
  bool is_readonly = arena->constant && !(is_init && arena->is_computed);
  gmem_named_t entries[] = {{gmem_vocabulary[GMEM_ATTR_ARENA].name,
                             mlirStringAttrGet(context, arena->pool)},
                            {"llvm.noalias", is_noalias ? unit : none},
                            {"llvm.readonly", is_readonly ? unit : none},
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
    job->scratch.attributes[count] =
        is_array && count < mlirArrayAttrGetNumElements(old)
            ? mlirArrayAttrGetElement(old, count)
            : mlirDictionaryAttrGet(context, 0, NULL);
  for (size_t i = 0; i < job->arenas.count; ++i)
    if (function->needs[i])
      job->scratch.attributes[count++] =
          arena_entry(function, &job->arenas.at[i]);
  return mlirArrayAttrGet(context, count, job->scratch.attributes);
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
  for (size_t i = 0; i < job->arenas.count; ++i)
    if (function->needs[i])
      function->arenas[i] = mlirBlockAddArgument(entry, job->arenas.at[i].type,
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
  for (size_t i = 0; i < job->arenas.count; ++i)
    if (function->needs[i])
      gmem_build(&at, "memref.dealloc", &function->arenas[i], 1, NULL);
}

static void build_allocs(const gmem_materialization_t *job,
                         const gmem_arena_function_t *function,
                         MlirBlock block) {
  gmem_builder_t at =
      gmem_build_at_begin(block, mlirOperationGetLocation(function->op));
  for (size_t i = 0; i < job->arenas.count; ++i)
    if (function->needs[i])
      function->arenas[i] = build_alloc(&at, &job->arenas.at[i]);
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

// Builds the outer function, whose body has been moved: allocates, calls the
// inner function, frees.
static void build_outer(const gmem_materialization_t *job,
                        const gmem_arena_function_t *function) {
  MlirOperation op = function->op;
  MlirType type = mlirTypeAttrGetValue(gmem_op_attribute(op, "function_type"));
  intptr_t inputs = mlirFunctionTypeGetNumInputs(type);
  intptr_t results = mlirFunctionTypeGetNumResults(type);
  gmem_builder_t at = {.block = mlirBlockCreate(0, NULL, NULL),
                       .location = mlirOperationGetLocation(op)};
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(op, 0), at.block);
  for (intptr_t i = 0; i < inputs; ++i)
    job->scratch.values[i] = mlirBlockAddArgument(
        at.block, mlirFunctionTypeGetInput(type, i), at.location);
  build_allocs(job, function, at.block);
  for (intptr_t i = 0; i < results; ++i)
    job->scratch.types[i] = mlirFunctionTypeGetResult(type, i);
  gmem_named_t callee[] = {
      {"callee", gmem_symbol_attribute(mlirOperationGetContext(op),
                                       function->inner_name)},
      {0}};
  size_t operands = add_arenas(job, (size_t)inputs, function, function);
  MlirOperation call =
      gmem_build_parts(&at, &(gmem_op_parts_t){.name = "func.call",
                                               .operands = job->scratch.values,
                                               .operand_count = operands,
                                               .results = job->scratch.types,
                                               .result_count = (size_t)results,
                                               .attributes = callee});
  for (intptr_t i = 0; i < results; ++i)
    job->scratch.values[i] = mlirOperationGetResult(call, i);
  MlirOperation end = gmem_build(&at, "func.return", job->scratch.values,
                                 (size_t)results, NULL);
  build_deallocs(job, function, end);
}

static void give_arenas(const gmem_materialization_t *job,
                        const gmem_arena_function_t *function) {
  if (function->passing == GMEM_ARENA_ARGUMENTS) {
    add_arguments(job, function, function->op);
  } else if (function->passing == GMEM_ARENA_OWN) {
    build_allocs(job, function, gmem_entry_block(function->op));
    for (size_t i = 0; i < function->return_count; ++i)
      build_deallocs(job, function, function->returns[i]);
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
      {"constant",
       arena->constant && !arena->is_computed ? unit : (MlirAttribute){NULL}},
      {0}};
  gmem_build(&at, "memref.global", NULL, 0, attributes);
}

static void get_globals(const gmem_materialization_t *job,
                        const gmem_arena_function_t *function) {
  MlirContext context = mlirOperationGetContext(job->scope);
  gmem_builder_t at = gmem_build_at_begin(
      gmem_entry_block(function->op), mlirOperationGetLocation(function->op));
  for (size_t i = 0; i < job->arenas.count; ++i) {
    const gmem_pool_arena_t *arena = &job->arenas.at[i];
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
    job->scratch.values[i] = mlirOperationGetOperand(call->op, i);
  size_t count =
      add_arenas(job, (size_t)operands, callee, &job->functions[call->caller]);
  mlirOperationSetOperands(call->op, (intptr_t)count, job->scratch.values);
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
  gmem_op_parts_t assumption = {.name = "memref.assume_alignment",
                                .operands = &whole,
                                .operand_count = 1,
                                .results = &arena->type,
                                .result_count = GMEM_ASSUMED_RESULTS,
                                .attributes = alignment};
  MlirOperation op = gmem_build_parts(&at, &assumption);
  return mlirOperationGetNumResults(op) ? mlirOperationGetResult(op, 0) : whole;
}

static void state_alignments(const gmem_materialization_t *job,
                             const gmem_arena_function_t *function) {
  for (size_t i = 0; i < job->arenas.count; ++i)
    if (function->uses[i])
      function->arenas[i] =
          state_alignment(&job->arenas.at[i], function->arenas[i]);
}

void gmem_arenas_build(const gmem_materialization_t *job) {
  for (size_t i = job->arenas.count; i-- > 0;)
    if (job->arenas.at[i].symbol)
      build_global(job, &job->arenas.at[i]);
  for (size_t i = 0; i < job->function_count; ++i) {
    const gmem_arena_function_t *function = &job->functions[i];
    get_globals(job, function);
    if (gmem_needs_arena(job, function))
      give_arenas(job, function);
  }
  for (size_t i = 0; i < job->calls.count; ++i)
    extend_call(job, &job->calls.at[i]);
  for (size_t i = 0; i < job->function_count; ++i)
    state_alignments(job, &job->functions[i]);
}
