// plan_ops.c - see plan_ops.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plan_ops.h"

#include <assert.h>

#include "alias_attributes.h"
#include "calls.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"
#include "pointer_map.h"
#include "text.h"
#include "uses.h"

// Properties of the ops of the scope.
typedef struct op_tables_s {
  gmem_pointer_map_t index_of; // by op of the IR: of the program
  bool *is_known;              // by op: its scalars do not depend on inputs
  bool *has_regions;           // by op: regions that run
  uint32_t *call_of;           // by op: index of its call, or GMEM_NO_INDEX
} op_tables_t;

// The first alias, copy and workbuffer of the current op or a later one.
typedef struct cursors_s {
  size_t alias, copy, workbuffer;
} cursors_t;

// Failures to allocate are seen by gmem_bump_status of both arenas.
typedef struct reader_s {
  const gmem_planned_ops_source_t *source;
  const gmem_analysis_t *analysis;
  const gmem_program_t *program;
  const gmem_live_value_t *live_values;
  gmem_bump_t *scratch; // of the analysis
  gmem_bump_t *arena;   // of the result
  gmem_planned_ops_t *ops;
  size_t first_function; // of this scope in |ops|
  op_tables_t tables;
  cursors_t next;
  GMEM_LIST(uint32_t) list; // buffers of the current op
  uint32_t number;          // of the next op
} reader_t;

//===--- values -----------------------------------------------------------===//

static uint32_t buffer_of(const reader_t *reader, uint32_t value) {
  if (value == GMEM_NO_INDEX ||
      !gmem_live_value_is_planned(&reader->live_values[value]))
    return GMEM_NO_BUFFER;
  return reader->source->buffer_of[value];
}

// The value of an operand or result, or GMEM_NO_INDEX.
static uint32_t operand_of(const reader_t *reader, MlirOperation op,
                           intptr_t number) {
  return gmem_program_find(reader->program,
                           mlirOperationGetOperand(op, number));
}

static uint32_t result_of(const reader_t *reader, MlirOperation op,
                          intptr_t number) {
  return gmem_program_find(reader->program, mlirOperationGetResult(op, number));
}

// Whether |value| is a scalar, such as a number or an index.
static bool is_scalar(const reader_t *reader, MlirValue value) {
  uint64_t ignored;
  MlirType type = mlirValueGetType(value);
  return gmem_program_find(reader->program, value) == GMEM_NO_INDEX &&
         gmem_type_size(type, &ignored) == GMEM_TYPE_NO_MEMORY &&
         !mlirTypeIsANone(type);
}

// Whether an interpreter of single ops cannot know the scalar because the
// program computes it from tensors or inputs. Scalars that ops compute without
// tensors, such as constants and shapes, are known.
static bool is_computed_scalar(const reader_t *reader, MlirValue value) {
  if (!is_scalar(reader, value))
    return false;
  if (!mlirValueIsAOpResult(value))
    return true;
  uint32_t definition = gmem_pointer_map_find(&reader->tables.index_of,
                                              mlirOpResultGetOwner(value).ptr);
  return definition == GMEM_NO_INDEX || !reader->tables.is_known[definition];
}

// Whether no operand of the op depends on an input.
static bool takes_known(const reader_t *reader, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!is_scalar(reader, operand) || is_computed_scalar(reader, operand))
      return false;
  }
  return mlirOperationGetNumRegions(op) == 0;
}

// Whether the value is a tensor or memref without planned memory.
static bool is_unplanned(const reader_t *reader, MlirValue value) {
  uint32_t index = gmem_program_find(reader->program, value);
  return index != GMEM_NO_INDEX &&
         reader->live_values[index].storage == GMEM_STORAGE_UNPLANNED;
}

//===--- lists of buffers -------------------------------------------------===//

static void list_buffer(reader_t *reader, uint32_t buffer) {
  GMEM_APPEND(reader->scratch, &reader->list, buffer);
}

// Copies the list and starts a new one.
static const uint32_t *take_list(reader_t *reader, size_t *out_count) {
  size_t count = reader->list.count;
  uint32_t *taken = gmem_bump_alloc(reader->arena, count, sizeof *taken);
  for (size_t i = 0; taken && i < count; ++i)
    taken[i] = reader->list.at[i];
  reader->list.count = 0;
  *out_count = count;
  return taken;
}

// Lists the buffers that an op in a body reads from outside, and the constants
// in the body: the program has no other values there. Each is listed once.
static MlirWalkResult list_captured(MlirOperation op, void *user) {
  reader_t *reader = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    uint32_t buffer = buffer_of(reader, operand_of(reader, op, i));
    size_t k = 0;
    while (k < reader->list.count && reader->list.at[k] != buffer)
      ++k;
    if (buffer != GMEM_NO_BUFFER && k == reader->list.count)
      list_buffer(reader, buffer);
  }
  return MlirWalkResultAdvance;
}

static void list_operands(reader_t *reader, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    list_buffer(reader, buffer_of(reader, operand_of(reader, op, i)));
  if (mlirOperationGetNumRegions(op))
    mlirOperationWalk(op, list_captured, reader, MlirWalkPreOrder);
}

static void list_results(reader_t *reader, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    list_buffer(reader, buffer_of(reader, result_of(reader, op, i)));
}

// Lists the workbuffers of the op at the cursor.
static void list_workbuffers(reader_t *reader, uint32_t index) {
  const gmem_workbuffers_t *all = &reader->analysis->workbuffers;
  for (size_t i = reader->next.workbuffer;
       i < all->count && all->all[i].step == index; ++i)
    list_buffer(reader, (uint32_t)(reader->source->first_workbuffer + i));
}

//===--- ops without work -------------------------------------------------===//

// Whether the plan uses an alias of this kind between the operand and result 0
// of the op at the cursor.
static bool has_alias(const reader_t *reader, uint32_t op, gmem_sharing_t kind,
                      intptr_t operand) {
  const gmem_aliases_t *aliases = &reader->analysis->constraints.aliases;
  for (size_t i = reader->next.alias;
       i < aliases->count && aliases->aliases[i].op == op; ++i) {
    const gmem_alias_t *alias = &aliases->aliases[i];
    if (alias->kind == kind && alias->operand == (uint32_t)operand &&
        alias->result == 0 && gmem_alias_holds(alias, reader->source->places))
      return true;
  }
  return false;
}

// Whether operand |number| has no bytes that would have to be copied.
static bool is_void(const reader_t *reader, MlirOperation op, intptr_t number) {
  uint32_t value = operand_of(reader, op, number);
  return value == GMEM_NO_INDEX ||
         reader->live_values[value].storage == GMEM_STORAGE_NONE ||
         reader->program->values[value].size == 0;
}

// Whether all operands from |first| on are placed inside result 0.
static bool are_joined(const reader_t *reader, uint32_t index, intptr_t first) {
  MlirOperation op = reader->program->ops[index].op;
  for (intptr_t i = first; i < mlirOperationGetNumOperands(op); ++i)
    if (!is_void(reader, op, i) &&
        !has_alias(reader, index, GMEM_SHARE_CONCAT, i))
      return false;
  return true;
}

// Whether the inserted part and the rest are placed inside result 0.
static bool is_inserted(const reader_t *reader, uint32_t index) {
  const gmem_program_op_t *step = &reader->program->ops[index];
  intptr_t whole = step->model->destination_operand;
  return has_alias(reader, index, GMEM_SHARE_CONCAT,
                   step->model->insert.operand) &&
         step->model->destination == GMEM_DESTINATION_OPERAND &&
         (is_void(reader, step->op, whole) ||
          reader->analysis->liveness.links[index] ||
          has_alias(reader, index, GMEM_SHARE_DESTINATION, whole));
}

// Whether result 0 is a view of operand 0.
static bool is_view(const reader_t *reader, uint32_t index) {
  uint32_t operand, result;
  return gmem_is_view(reader->program, index, &operand, &result) &&
         operand != GMEM_NO_INDEX &&
         reader->live_values[operand].root == reader->live_values[result].root;
}

static bool is_done_by_placement(const reader_t *reader, uint32_t index) {
  const gmem_program_op_t *step = &reader->program->ops[index];
  const gmem_op_model_t *model = step->model;
  if (is_view(reader, index))
    return true;
  if (mlirOperationGetNumResults(step->op) != 1)
    return false;
  if (model->slice.operand != GMEM_NO_OPERAND)
    return has_alias(reader, index, GMEM_SHARE_SLICE, model->slice.operand);
  if (model->tuple_element)
    return has_alias(reader, index, GMEM_SHARE_SLICE, 0);
  if (model->insert.operand != GMEM_NO_OPERAND)
    return is_inserted(reader, index);
  if (model->concat.axis || model->tuple)
    return are_joined(reader, index, model->concat.first);
  return false;
}

// Whether the op only defines scalars that do not depend on inputs.
static bool computes_known(const reader_t *reader, uint32_t index) {
  MlirOperation op = reader->program->ops[index].op;
  intptr_t count = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < count; ++i)
    if (!is_scalar(reader, mlirOperationGetResult(op, i)))
      return false;
  return count && reader->tables.is_known[index];
}

// Whether the op has nothing to do at its step.
static bool is_idle(const reader_t *reader, uint32_t index) {
  const gmem_program_op_t *step = &reader->program->ops[index];
  switch (step->kind) {
  case GMEM_OP_WEIGHT:
  case GMEM_OP_NONE:
  case GMEM_OP_EMPTY:
  case GMEM_OP_ALLOC:
  case GMEM_OP_GLOBAL:
    return true;
  case GMEM_OP_DEALLOC:
    return mlirOperationGetNumResults(step->op) == 0;
  default:
    return is_done_by_placement(reader, index) || computes_known(reader, index);
  }
}

// Whether the op provides network inputs. An op that also reads a planned
// tensor is not treated as one.
static bool is_network_input(const reader_t *reader, uint32_t index) {
  const gmem_program_op_t *step = &reader->program->ops[index];
  if (step->kind != GMEM_OP_INPUT)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(step->op); ++i)
    if (buffer_of(reader, operand_of(reader, step->op, i)) != GMEM_NO_BUFFER)
      return false;
  return true;
}

//===--- one op -----------------------------------------------------------===//

// Why |op| cannot be interpreted from its buffers alone; NULL if it can.
static const char *why_not(const reader_t *reader, uint32_t index) {
  const gmem_program_op_t *step = &reader->program->ops[index];
  MlirOperation op = step->op;
  if (reader->tables.has_regions[index])
    return "it controls how its regions run";
  if (reader->tables.call_of[index] != GMEM_NO_INDEX)
    return "it calls functions with unknown semantics";
  if (step->deferred)
    return "it may run at any time";
  if (mlirOperationGetNumSuccessors(op))
    return "it branches to other blocks";
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (is_unplanned(reader, mlirOperationGetOperand(op, i)))
      return "it takes a tensor or memref that is not planned";
    else if (is_computed_scalar(reader, mlirOperationGetOperand(op, i)))
      return "it uses a scalar that the program computes";
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (is_unplanned(reader, mlirOperationGetResult(op, i)))
      return "it defines a tensor or memref that is not planned";
    else if (is_scalar(reader, mlirOperationGetResult(op, i)))
      return "it computes a scalar";
  return NULL;
}

// Lists the copies before and after a call. All copies at one time are live
// together and share an address only if their values are equal, so no copy
// overwrites the source of another: their order does not matter, nor whether a
// record says that it is in a cycle, as one may that was edited.
static void read_copies(reader_t *reader, uint32_t index,
                        gmem_planned_op_t *op) {
  const gmem_control_copies_t *all = reader->source->copies;
  size_t begin = reader->next.copy, end = begin;
  while (end < all->count && all->at[end].op == index)
    ++end;
  gmem_planned_copy_t *copies =
      gmem_bump_alloc(reader->arena, end - begin, sizeof *copies);
  for (size_t i = begin; copies && i < end; ++i) {
    const gmem_control_copy_t *copy = &all->at[i];
    assert(copy->record.number == 0);
    copies[op->copy_count++] = (gmem_planned_copy_t){
        buffer_of(reader, copy->from), buffer_of(reader, copy->to),
        copy->record.edge == GMEM_COPY_RESULTS, copy->record.size};
  }
  op->copies = copies;
}

// Whether a value that a call passes is a tensor with defined contents, but no
// memory.
static bool is_missing(const reader_t *reader, MlirValue value) {
  uint32_t index = gmem_program_find(reader->program, value);
  return index != GMEM_NO_INDEX &&
         reader->program->values[index].type == GMEM_TYPE_SIZED &&
         reader->live_values[index].storage == GMEM_STORAGE_NONE &&
         !reader->analysis->facts.uses.is_undefined[index];
}

// Why a plain call is more than copies and running the callee; NULL if it is
// not.
static const char *why_not_call(const reader_t *reader, uint32_t index) {
  MlirOperation op = reader->program->ops[index].op;
  const gmem_calls_t *calls = &reader->analysis->facts.calls;
  const gmem_callee_t *callee =
      &calls->callees[calls->calls[reader->tables.call_of[index]].callee];
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (is_unplanned(reader, operand) || is_computed_scalar(reader, operand) ||
        is_missing(reader, operand))
      return "it passes a value that is not planned";
  }
  // With several returns the copies depend on which of them runs.
  if (callee->end_return != callee->first_return + 1)
    return "its callee does not have exactly one return";
  return NULL;
}

// Whether all elements of the memref are consecutive, the last dimension first.
static bool is_contiguous(MlirType type) {
  return mlirTypeIsAMemRef(type) &&
         mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type));
}

// Whether the op copies a tensor to a constant, as a whole: the end of what a
// function with gmem.init computes.
static bool stores_constant(const reader_t *reader, uint32_t index,
                            const gmem_planned_op_t *op) {
  const gmem_program_op_t *step = &reader->program->ops[index];
  uint32_t from, to;
  if (!reader->program->functions[step->function].is_init ||
      !gmem_op_is(step->op, "bufferization.materialize_in_destination") ||
      op->operand_count != 2 || op->operands[0] == GMEM_NO_BUFFER ||
      op->operands[1] == GMEM_NO_BUFFER ||
      !is_contiguous(mlirValueGetType(mlirOperationGetOperand(step->op, 1))))
    return false;
  from = operand_of(reader, step->op, 0);
  to = operand_of(reader, step->op, 1);
  return reader->program->values[from].size == reader->program->values[to].size;
}

static void read_store(const reader_t *reader, uint32_t index,
                       gmem_planned_op_t *op) {
  MlirOperation ir = reader->program->ops[index].op;
  uint64_t size = reader->program->values[operand_of(reader, ir, 0)].size;
  gmem_planned_copy_t *copy = gmem_bump_alloc(reader->arena, 1, sizeof *copy);
  if (!copy)
    return;
  *copy = (gmem_planned_copy_t){op->operands[0], op->operands[1], false, size};
  op->copies = copy;
  op->copy_count = 1;
}

static void classify_op(reader_t *reader, uint32_t index,
                        gmem_planned_op_t *op) {
  const gmem_calls_t *calls = &reader->analysis->facts.calls;
  uint32_t call = reader->tables.call_of[index];
  if (gmem_is_return(reader->program, index)) {
    op->work = GMEM_PLANNED_RETURN;
  } else if (call != GMEM_NO_INDEX && calls->calls[call].is_plain) {
    op->why = why_not_call(reader, index);
    op->work = op->why ? GMEM_PLANNED_OTHER : GMEM_PLANNED_CALL;
    if (op->why)
      return;
    op->callee = (uint32_t)reader->first_function + calls->calls[call].callee;
    read_copies(reader, index, op);
  } else if (!reader->tables.has_regions[index] && call == GMEM_NO_INDEX &&
             (is_idle(reader, index) || is_network_input(reader, index))) {
    op->work = GMEM_PLANNED_NOTHING;
  } else if (stores_constant(reader, index, op)) {
    op->work = GMEM_PLANNED_COPY;
    read_store(reader, index, op);
  } else {
    op->why = why_not(reader, index);
    op->work = op->why ? GMEM_PLANNED_OTHER : GMEM_PLANNED_RUN;
  }
}

static void add_op(reader_t *reader, uint32_t index) {
  MlirOperation ir = reader->program->ops[index].op;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(ir));
  gmem_text_t location = {.arena = reader->arena};
  mlirLocationPrint(mlirOperationGetLocation(ir), gmem_text_piece, &location);
  gmem_planned_op_t op = {
      .name = gmem_bump_string(reader->arena, name.data, name.length),
      .location = gmem_text_get(&location),
      .number = reader->number++,
      .ir = ir};
  assert(reader->list.count == 0);
  list_operands(reader, ir);
  op.operands = take_list(reader, &op.operand_count);
  list_results(reader, ir);
  op.results = take_list(reader, &op.result_count);
  list_workbuffers(reader, index);
  op.workbuffers = take_list(reader, &op.workbuffer_count);
  classify_op(reader, index, &op);
  GMEM_APPEND(reader->arena, &reader->ops->all, op);
}

//===--- one function -----------------------------------------------------===//

// Advances the cursors past the entries of earlier ops.
static void move_cursors(reader_t *reader, uint32_t index) {
  const gmem_aliases_t *aliases = &reader->analysis->constraints.aliases;
  const gmem_control_copies_t *copies = reader->source->copies;
  while (reader->next.alias < aliases->count &&
         aliases->aliases[reader->next.alias].op < index)
    ++reader->next.alias;
  while (reader->next.copy < copies->count &&
         copies->at[reader->next.copy].op < index)
    ++reader->next.copy;
  const gmem_workbuffers_t *workbuffers = &reader->analysis->workbuffers;
  while (reader->next.workbuffer < workbuffers->count &&
         workbuffers->all[reader->next.workbuffer].step < index)
    ++reader->next.workbuffer;
}

// Lists the arguments of an entry function that are inputs; returns why it
// cannot be run if there are others without planned memory.
static const char *list_arguments(reader_t *reader,
                                  const gmem_function_t *function) {
  MlirBlock body = gmem_entry_block(function->op);
  const char *why = NULL;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i) {
    MlirValue argument = mlirBlockGetArgument(body, i);
    uint32_t value = gmem_program_find(reader->program, argument);
    if (is_unplanned(reader, argument))
      why = "it takes a tensor or memref that is not planned";
    else if (is_scalar(reader, argument))
      why = "it takes a scalar";
    else if (buffer_of(reader, value) != GMEM_NO_BUFFER &&
             reader->live_values[value].storage == GMEM_STORAGE_TENSOR)
      list_buffer(reader, buffer_of(reader, value));
  }
  return why;
}

static void list_network_inputs(reader_t *reader,
                                const gmem_function_t *function) {
  for (uint32_t i = function->first_op; i < function->end_op; ++i)
    if (reader->program->ops[i].parent == GMEM_NO_INDEX &&
        is_network_input(reader, i))
      list_results(reader, reader->program->ops[i].op);
}

static void add_function(reader_t *reader, uint32_t index) {
  const gmem_function_t *function = &reader->program->functions[index];
  const gmem_callee_t *callee = &reader->analysis->facts.calls.callees[index];
  MlirBlock body = gmem_entry_block(function->op);
  gmem_planned_function_t entry = {
      .name = gmem_bump_string(reader->arena, function->name.data,
                               function->name.length),
      .is_entry = callee->mentions == 0,
      .is_init = function->is_init,
      .first_op = reader->ops->all.count};
  for (uint32_t i = function->first_op; i < function->end_op; ++i) {
    move_cursors(reader, i);
    if (reader->program->ops[i].parent == GMEM_NO_INDEX)
      add_op(reader, i);
  }
  entry.end_op = reader->ops->all.count;
  if (entry.is_entry) {
    entry.why = list_arguments(reader, function);
    list_network_inputs(reader, function);
  }
  entry.inputs = take_list(reader, &entry.input_count);
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(body)))
    entry.why = "it has several blocks";
  GMEM_APPEND(reader->arena, &reader->ops->functions, entry);
}

//===--- the scope --------------------------------------------------------===//

static gmem_status_t make_tables(reader_t *reader, gmem_diag_t *diag) {
  const gmem_program_t *program = reader->program;
  const gmem_calls_t *calls = &reader->analysis->facts.calls;
  op_tables_t *tables = &reader->tables;
  size_t count = program->op_count;
  GMEM_TRY(
      gmem_pointer_map_make(&tables->index_of, count, reader->scratch, diag));
  GMEM_TRY_ALLOC(tables->is_known, reader->scratch, count, diag);
  GMEM_TRY_ALLOC(tables->has_regions, reader->scratch, count, diag);
  GMEM_TRY_ALLOC(tables->call_of, reader->scratch, count, diag);
  for (uint32_t i = 0; i < count; ++i) {
    gmem_pointer_map_add(&tables->index_of, program->ops[i].op.ptr, i);
    tables->call_of[i] = GMEM_NO_INDEX;
  }
  for (size_t i = 0; i < program->region_count; ++i)
    if (program->regions[i].owner != GMEM_NO_INDEX)
      tables->has_regions[program->regions[i].owner] = true;
  for (uint32_t i = 0; i < calls->count; ++i)
    tables->call_of[calls->calls[i].op] = i;
  // Definitions precede uses in straight-line code, and only such code is
  // interpreted.
  for (uint32_t i = 0; i < count; ++i)
    tables->is_known[i] = takes_known(reader, program->ops[i].op);
  return GMEM_OK;
}

gmem_status_t gmem_planned_ops_add(const gmem_planned_ops_source_t *source,
                                   gmem_bump_t *arena, gmem_planned_ops_t *ops,
                                   gmem_diag_t *diag) {
  const gmem_analysis_t *analysis = source->analysis;
  reader_t reader = {.source = source,
                     .analysis = analysis,
                     .program = &analysis->program,
                     .live_values = analysis->liveness.live_values,
                     .scratch = analysis->arena,
                     .arena = arena,
                     .ops = ops,
                     .first_function = ops->functions.count};
  GMEM_TRY(make_tables(&reader, diag));
  for (uint32_t i = 0; i < analysis->program.function_count; ++i)
    add_function(&reader, i);
  GMEM_TRY(gmem_bump_status(analysis->arena, diag));
  return gmem_bump_status(arena, diag);
}
