// proof_program.c - see proof_program.h: functions, ops and control flow.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_program.h"

#include <assert.h>
#include <stdlib.h>

#include "attribute_codec.h"
#include "captures.h"
#include "csr.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinTypes.h"
#include "op_lists.h"
#include "overwrites.h"
#include "partition_point.h"
#include "proof_moves.h"
#include "requests.h"
#include "scopes.h"
#include "type_models.h"

// A symbol of the scope: a function or, for GMEM_NO_INDEX, another op that
// names symbols, such as a table of functions.
typedef struct symbol_s {
  MlirStringRef name;
  uint32_t function;
  MlirOperation op;
} symbol_t;

typedef struct reader_s {
  gmem_proof_program_t *program;
  gmem_bump_t *arena;
  gmem_diag_t *diag;
  GMEM_LIST(uint32_t) list;    // operands of the current op
  GMEM_LIST(symbol_t) symbols; // sorted by name
  uint32_t op;                 // the current one
  bool names_table;            // the current op names one
  bool uses_tables;            // an op names one
  bool runs_beside;            // code that is not named may run beside other
  bool gets_tokens;            // what runs such code returns a handle
  gmem_names_seen_t seen;
  gmem_models_seen_t models_seen;
  gmem_sizes_seen_t sizes;
  gmem_plain_seen_t plain;
  gmem_code_types_t code_types;
} reader_t;

#define TRY_ADD(reader, list, ...)                                             \
  do {                                                                         \
    GMEM_TRY_GROW((reader)->arena, (reader)->program->list.at,                 \
                  (reader)->program->list.count, (reader)->program->list.room, \
                  (reader)->diag);                                             \
    (reader)->program->list.at[(reader)->program->list.count++] = __VA_ARGS__; \
  } while (0)

// The model of an op that moves nothing.
static const gmem_op_model_t view = {.op = "view",
                                     .kind = GMEM_OP_RESHAPE,
                                     .destination_operand = GMEM_NO_OPERAND,
                                     .slice = {.operand = GMEM_NO_OPERAND},
                                     .insert = {.operand = GMEM_NO_OPERAND}};

// What the plan gives most ops.
static const gmem_proof_planned_t nothing = {.has_threads = true};

//===--- ops and values ---------------------------------------------------===//

static gmem_type_kind_t size_value(reader_t *reader, MlirValue value,
                                   uint32_t op, uint64_t *out_bytes) {
  const gmem_proof_program_t *program = reader->program;
  MlirType type = mlirValueGetType(value);
  if (op != GMEM_NO_INDEX &&
      gmem_plain_size(type, program->ops.at[op].own, &reader->sizes, out_bytes))
    return GMEM_TYPE_SIZED;
  return gmem_is_memref_type(type)
             ? gmem_memref_size(type, NULL, out_bytes)
             : gmem_value_size(program->models, value, NULL, out_bytes);
}

static gmem_status_t add_value(reader_t *reader, MlirValue value, uint32_t op,
                               uint32_t block, intptr_t number) {
  uint64_t bytes = 0;
  MlirType type = mlirValueGetType(value);
  gmem_type_kind_t kind = size_value(reader, value, op, &bytes);
  bool is_memref = gmem_is_memref_type(type);
  bool denotes =
      is_memref || gmem_is_handle_value(reader->program->models, value);
  reader->program->has_memrefs |= denotes;
  TRY_ADD(reader, values,
          (gmem_proof_value_t){
              .value = value,
              .bytes = {0, bytes},
              .op = op,
              .block = block,
              .function = (uint32_t)reader->program->functions.count - 1,
              .number = (uint32_t)number,
              .has_size = kind == GMEM_TYPE_SIZED,
              .is_sized = kind == GMEM_TYPE_SIZED && bytes && !is_memref,
              .is_local = op != GMEM_NO_INDEX &&
                          reader->program->ops.at[op].group != INT64_MIN,
              .is_memref = denotes});
  return GMEM_OK;
}

static gmem_status_t add_regions(reader_t *reader, MlirOperation op,
                                 uint32_t owner, uint32_t *out_first);

static gmem_status_t read_group(reader_t *reader, gmem_proof_op_t *op) {
  MlirAttribute group = gmem_proof_attribute(op, GMEM_ATTR_LAYER_GROUP);
  op->group = op->parent == GMEM_NO_INDEX
                  ? INT64_MIN
                  : reader->program->ops.at[op->parent].group;
  if (mlirAttributeIsNull(group))
    return GMEM_OK;
  if (mlirAttributeIsAUnit(group)) {
    op->is_opaque = true;
    return GMEM_OK;
  }
  int64_t number;
  if (!gmem_integer_get(group, &number) || number == INT64_MIN)
    return gmem_op_error(
        reader->diag, GMEM_ERR_CORRUPT, op->op,
        "gmem.layer_group must be a unit attribute or an integer");
  bool is_end = mlirOperationGetNumResults(op->op) == 0 &&
                mlirOperationIsNull(mlirOperationGetNextInBlock(op->op));
  if (!is_end)
    op->group = number;
  return GMEM_OK;
}

// Adds |mlir_op| if it is a weight inside of the opaque op that was added
// before: a weight has its bytes all the time, wherever it is.
static gmem_status_t add_if_weight(MlirOperation mlir_op, void *user) {
  reader_t *reader = user;
  gmem_proof_program_t *program = reader->program;
  uint32_t index = (uint32_t)program->ops.count;
  gmem_proof_op_t op = program->ops.at[reader->op];
  if (mlirOperationEqual(op.op, mlir_op))
    return GMEM_OK; // a weight that is marked as a layer group itself
  op.results =
      (gmem_proof_row_t){(uint32_t)program->values.count,
                         (uint32_t)mlirOperationGetNumResults(mlir_op)};
  op.parent = reader->op;
  op.op = mlir_op;
  op.own = gmem_own_attributes(mlir_op, &reader->seen);
  op.is_opaque = false;
  op.end = index + 1;
  GMEM_TRY(gmem_op_models_of_each(program->models, mlir_op, op.own,
                                  &reader->models_seen, reader->arena,
                                  &op.model, reader->diag));
  if (op.model->kind != GMEM_OP_WEIGHT)
    return GMEM_OK;
  program->own |= op.own;
  TRY_ADD(reader, ops, op);
  for (uint32_t i = 0; i < op.results.count; ++i)
    GMEM_TRY(add_value(reader, mlirOperationGetResult(mlir_op, i), index,
                       op.block, i));
  return GMEM_OK;
}

static gmem_status_t add_weights_inside(reader_t *reader, uint32_t index) {
  gmem_proof_op_t *op = &reader->program->ops.at[index];
  bool may_have_any = op->is_opaque && !op->starts_later &&
                      op->model->kind != GMEM_OP_SCALAR_BODY;
  reader->op = index;
  if (may_have_any)
    GMEM_TRY(gmem_walk(op->op, add_if_weight, reader));
  reader->program->ops.at[index].end = (uint32_t)reader->program->ops.count;
  return GMEM_OK;
}

static gmem_status_t add_op(reader_t *reader, MlirOperation mlir_op,
                            uint32_t parent, uint32_t block) {
  gmem_proof_program_t *program = reader->program;
  uint32_t index = (uint32_t)program->ops.count;
  bool is_function = gmem_is_function(mlir_op);
  gmem_proof_op_t op = {
      .op = mlir_op,
      .own = gmem_own_attributes(mlir_op, &reader->seen),
      .parent = parent,
      .block = block,
      .function = (uint32_t)program->functions.count - 1,
      .next = GMEM_NO_INDEX,
      .planned = &nothing,
      .results = {(uint32_t)program->values.count,
                  (uint32_t)mlirOperationGetNumResults(mlir_op)}};
  GMEM_TRY(gmem_op_models_of_each(program->models, mlir_op, op.own,
                                  &reader->models_seen, reader->arena,
                                  &op.model, reader->diag));
  if (gmem_proof_moves_nothing(program->models, op.model, mlir_op,
                               reader->arena))
    op.model = &view;
  op.is_opaque = op.model->kind == GMEM_OP_LAYER_GROUP ||
                 op.model->kind == GMEM_OP_SCALAR_BODY || is_function;
  GMEM_TRY(read_group(reader, &op));
  const gmem_proof_op_t *around =
      parent == GMEM_NO_INDEX ? NULL : &program->ops.at[parent];
  bool starts_later =
      is_function || gmem_may_run_on(program->models, op.model, mlir_op);
  op.is_parallel = op.model->kind == GMEM_OP_PARALLEL ||
                   (around && around->is_parallel) ||
                   (starts_later && gmem_proof_may_repeat(program, block));
  op.is_held = op.own >> GMEM_ATTR_HOLD & 1;
  op.starts_later = starts_later;
  op.is_deferred = starts_later || (around && around->is_deferred);
  op.flow = starts_later && !(around && around->is_deferred) ? GMEM_PROOF_LATER
                                                             : GMEM_PROOF_STEP;
  program->own |= op.own;
  program->has_parallel |= op.is_parallel;
  program->has_allocs |= op.model->kind == GMEM_OP_ALLOC;
  program->has_deferred |= op.is_deferred; // as all are that start what is
  TRY_ADD(reader, ops, op);
  for (intptr_t i = 0; i < op.results.count; ++i)
    GMEM_TRY(
        add_value(reader, mlirOperationGetResult(mlir_op, i), index, block, i));
  GMEM_TRY(add_weights_inside(reader, index));
  if (op.is_opaque || mlirOperationGetNumRegions(mlir_op) == 0)
    return GMEM_OK;
  uint32_t first;
  GMEM_TRY(add_regions(reader, mlir_op, index, &first));
  program->ops.at[index].end = (uint32_t)program->ops.count;
  program->ops.at[index].first_region = first;
  program->ops.at[index].region_count =
      (uint32_t)mlirOperationGetNumRegions(mlir_op);
  return GMEM_OK;
}

static gmem_status_t fill_block(reader_t *reader, uint32_t index,
                                uint32_t owner) {
  gmem_proof_program_t *program = reader->program;
  MlirBlock block = program->blocks.at[index].block;
  uint32_t last = GMEM_NO_INDEX;
  program->blocks.at[index].arguments =
      (gmem_proof_row_t){(uint32_t)program->values.count,
                         (uint32_t)mlirBlockGetNumArguments(block)};
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    GMEM_TRY(add_value(reader, mlirBlockGetArgument(block, i), GMEM_NO_INDEX,
                       index, i));
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    uint32_t added = (uint32_t)program->ops.count;
    GMEM_TRY(add_op(reader, op, owner, index));
    if (last == GMEM_NO_INDEX)
      program->blocks.at[index].first_op = added;
    else
      program->ops.at[last].next = added;
    program->blocks.at[index].last_op = last = added;
  }
  return GMEM_OK;
}

// Regions of one op, and blocks of one region, get consecutive numbers.
static gmem_status_t add_regions(reader_t *reader, MlirOperation op,
                                 uint32_t owner, uint32_t *out_first) {
  gmem_proof_program_t *program = reader->program;
  uint32_t first = *out_first = (uint32_t)program->regions.count;
  intptr_t count = mlirOperationGetNumRegions(op);
  for (intptr_t i = 0; i < count; ++i)
    TRY_ADD(reader, regions, (gmem_proof_region_t){.owner = owner});
  for (uint32_t r = first; r < first + count; ++r) {
    uint32_t block_count = 0, first_block = (uint32_t)program->blocks.count;
    for (MlirBlock block = mlirRegionGetFirstBlock(
             mlirOperationGetRegion(op, (intptr_t)(r - first)));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
      TRY_ADD(reader, blocks,
              (gmem_proof_block_t){.block = block,
                                   .region = r,
                                   .first_op = GMEM_NO_INDEX,
                                   .last_op = GMEM_NO_INDEX});
      ++block_count;
    }
    program->regions.at[r].first_block =
        block_count ? first_block : GMEM_NO_INDEX;
    program->regions.at[r].block_count = block_count;
    for (uint32_t b = 0; b < block_count; ++b)
      GMEM_TRY(fill_block(reader, first_block + b, owner));
  }
  return GMEM_OK;
}

static void note_paddings(gmem_proof_program_t *program, MlirOperation op) {
  intptr_t count = mlirBlockGetNumArguments(gmem_entry_block(op));
  for (intptr_t i = 0; i < count; ++i) {
    MlirAttribute all = gmem_entry_attributes(op, "arg_attrs", i);
    if (!mlirAttributeIsNull(all) &&
        !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
            all, gmem_attr_name(GMEM_ATTR_PADDING))))
      program->own |= UINT64_C(1) << GMEM_ATTR_PADDING;
  }
}

static gmem_status_t add_function(reader_t *reader, MlirOperation op) {
  gmem_proof_program_t *program = reader->program;
  note_paddings(program, op);
  uint32_t index = (uint32_t)program->functions.count, region;
  TRY_ADD(reader, functions,
          (gmem_proof_function_t){
              .op = op,
              .name = mlirStringAttrGetValue(gmem_op_attribute(op, "sym_name")),
              .first_op = (uint32_t)program->ops.count});
  GMEM_TRY(add_regions(reader, op, GMEM_NO_INDEX, &region));
  gmem_proof_function_t *function = &program->functions.at[index];
  function->region = region;
  function->end_op = (uint32_t)program->ops.count;
  function->end_block = (uint32_t)program->blocks.count;
  return GMEM_OK;
}

//===--- flat layer groups ------------------------------------------------===//

typedef struct member_s {
  uint32_t function, op;
  int64_t group;
} member_t;

static int compare_members(const void *left, const void *right) {
  const member_t *a = left, *b = right;
  if (a->function != b->function)
    return a->function < b->function ? -1 : 1;
  if (a->group != b->group)
    return a->group < b->group ? -1 : 1;
  return (a->op > b->op) - (a->op < b->op);
}

static gmem_status_t find_groups(reader_t *reader) {
  gmem_proof_program_t *program = reader->program;
  GMEM_LIST(member_t) members = {NULL, 0, 0};
  uint32_t count = (uint32_t)program->ops.count;
  GMEM_TRY_ALLOC(program->group_first, reader->arena, count, reader->diag);
  GMEM_TRY_ALLOC(program->group_next, reader->arena, count, reader->diag);
  for (uint32_t i = 0; i < count; ++i)
    program->group_first[i] = program->group_next[i] = GMEM_NO_INDEX;
  if (!(program->own >> GMEM_ATTR_LAYER_GROUP & 1))
    return GMEM_OK;
  for (uint32_t i = 0; i < count; ++i) {
    const gmem_proof_op_t *op = &program->ops.at[i];
    if (op->group != INT64_MIN &&
        (op->parent == GMEM_NO_INDEX ||
         program->ops.at[op->parent].group != op->group))
      GMEM_APPEND(reader->arena, &members,
                  (member_t){op->function, i, op->group});
  }
  GMEM_TRY(gmem_bump_status(reader->arena, reader->diag));
  const member_t *all = members.at;
  if (members.count)
    qsort(members.at, members.count, sizeof *all, compare_members);
  for (size_t i = 0; i < members.count; ++i) {
    bool is_next = i && all[i].function == all[i - 1].function &&
                   all[i].group == all[i - 1].group;
    program->group_first[all[i].op] =
        is_next ? program->group_first[all[i - 1].op] : all[i].op;
    if (is_next)
      program->group_next[all[i - 1].op] = all[i].op;
    gmem_proof_op_t *first = &program->ops.at[program->group_first[all[i].op]];
    first->is_scattered |= program->ops.at[all[i].op].block != first->block;
    first->is_mixed |=
        is_next && program->ops.at[all[i - 1].op].next != all[i].op;
  }
  return GMEM_OK;
}

//===--- operands and callees ---------------------------------------------===//

bool gmem_proof_is_unread(const gmem_proof_op_t *op, uint32_t operand) {
  // A shape that is known at run time only is read.
  bool is_shape =
      op->model->kind == GMEM_OP_RESHAPE && operand != 0 && op->results.count &&
      gmem_type_is_dynamic(mlirValueGetType(mlirOperationGetResult(op->op, 0)));
  return operand < op->operand_count && operand < 64 && !is_shape &&
         (op->model->unread >> operand & 1);
}

static void list_operands(reader_t *reader, MlirOperation op, bool captured) {
  const gmem_proof_op_t *whole = &reader->program->ops.at[reader->op];
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    uint32_t value = gmem_pointer_index_find(
        &reader->program->value_of, mlirOperationGetOperand(op, i).ptr);
    if (!captured || value != GMEM_NO_INDEX)
      GMEM_APPEND(reader->arena, &reader->list, value);
    if (value == GMEM_NO_INDEX)
      continue;
    // A use before the definition, by an op of the same block or inside of one.
    gmem_proof_value_t *used = &reader->program->values.at[value];
    used->is_repeated |= whole->is_parallel;
    if (reader->program->blocks.at[whole->block].is_reached &&
        (captured || !gmem_proof_is_unread(whole, (uint32_t)i)))
      used->is_local = used->is_local &&
                       whole->group == reader->program->ops.at[used->op].group;
    if (used->op == GMEM_NO_INDEX || used->op < reader->op)
      continue;
    const gmem_proof_op_t *at = whole;
    while (at->block != used->block && at->parent != GMEM_NO_INDEX)
      at = &reader->program->ops.at[at->parent];
    if (at->block == used->block)
      reader->program->regions
          .at[reader->program->blocks.at[used->block].region]
          .is_graph = true;
  }
}

static int compare_symbols(const void *left, const void *right) {
  return gmem_string_order(((const symbol_t *)left)->name,
                           ((const symbol_t *)right)->name);
}

static bool is_before(const void *symbol, const void *key) {
  return compare_symbols(symbol, key) < 0;
}

// Scopes that are no symbol tables may have several functions of one name.
static size_t first_of(const reader_t *reader, MlirStringRef name) {
  symbol_t key = {.name = name};
  return gmem_partition_point(&key, reader->symbols.at, reader->symbols.count,
                              sizeof key, is_before);
}

static void add_callee(MlirStringRef name, void *user) {
  reader_t *reader = user;
  gmem_proof_program_t *program = reader->program;
  const symbol_t *all = reader->symbols.at;
  for (size_t i = first_of(reader, name);
       i < reader->symbols.count && mlirStringRefEqual(all[i].name, name);
       ++i) {
    if (all[i].function == GMEM_NO_INDEX) {
      reader->names_table = true;
      continue;
    }
    ++program->functions.at[all[i].function].mentions;
    program->functions.at[all[i].function].caller = reader->op;
    GMEM_APPEND(reader->arena, &program->callees, all[i].function);
  }
}

// An op that waits for requests reads the memrefs that they access until then.
static gmem_status_t list_requests(reader_t *reader, MlirOperation op) {
  const gmem_proof_program_t *program = reader->program;
  const gmem_proof_op_t *current = &program->ops.at[reader->op];
  if (mlirOperationEqual(op, current->op) && current->model != &view &&
      !current->model->waits)
    return GMEM_OK;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirOperation starter;
    GMEM_TRY(gmem_request_of(program->models, op, i, reader->arena, &starter,
                             reader->diag));
    if (!mlirOperationIsNull(starter))
      list_operands(reader, starter, true);
  }
  return GMEM_OK;
}

static void take_callees(gmem_proof_program_t *program, size_t first) {
  for (size_t k = first; k < program->callees.count; ++k) {
    program->functions.at[program->callees.at[k]].is_taken = true;
    program->functions.at[program->callees.at[k]].may_run_any_time = true;
  }
}

// The op may return each callee from |first| on, or a token of it. A function
// that it returns runs where it is called, others beside other code.
static void return_callees(gmem_proof_program_t *program, MlirOperation op,
                           size_t first) {
  bool is_token = false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    is_token |= gmem_is_handle_type(program->models, type) &&
                !mlirTypeIsAFunction(type);
  }
  for (size_t k = first; k < program->callees.count; ++k) {
    program->functions.at[program->callees.at[k]].may_run_any_time = true;
    program->functions.at[program->callees.at[k]].is_concurrent |= is_token;
  }
}

// Notes that the current op runs code that it does not name. In parallel or
// deferred code, and in programs with streams, that may run beside other code.
static void note_unknown(reader_t *reader, MlirOperation call) {
  const gmem_proof_program_t *program = reader->program;
  gmem_proof_op_t *op = &program->ops.at[reader->op];
  op->runs_unknown = true;
  program->functions.at[op->function].runs_unknown = true;
  reader->runs_beside |= op->is_parallel || op->is_deferred ||
                         (program->own >> GMEM_ATTR_STREAM & 1);
  reader->gets_tokens |= gmem_yields_handle(program->models, call);
}

// Adds the functions that the op names, which may be inside of the current one.
// One that does not only call a function may return it.
static void add_callees(reader_t *reader, MlirOperation op,
                        gmem_plain_seen_t *plain) {
  gmem_proof_program_t *program = reader->program;
  size_t first = program->callees.count;
  reader->names_table = false;
  if (plain)
    gmem_for_each_symbol_of_each(op, plain, add_callee, reader);
  else
    gmem_for_each_symbol(op, add_callee, reader);
  size_t count = program->callees.count - first;
  bool is_call =
      gmem_op_is(op, "func.call") ||
      (count == 1 && !reader->names_table &&
       gmem_is_call_of(op,
                       program->functions.at[program->callees.at[first]].op));
  if ((count || reader->names_table) && !is_call)
    gmem_code_types_add(&reader->code_types, program->models, op);
  if (gmem_may_return_code(program->models, op)) {
    return_callees(program, op, first);
    if (!is_call)
      take_callees(program, first);
  }
  if (reader->names_table)
    note_unknown(reader, op);
  reader->uses_tables |= reader->names_table;
}

static gmem_status_t visit_nested(MlirOperation op, void *user) {
  reader_t *reader = user;
  add_callees(reader, op, NULL);
  if (mlirOperationEqual(op, reader->program->ops.at[reader->op].op))
    return GMEM_OK;
  list_operands(reader, op, true);
  return list_requests(reader, op);
}

static void find_memref_uses(reader_t *reader, gmem_proof_op_t *op) {
  const gmem_proof_program_t *program = reader->program;
  gmem_proof_memref_uses_t uses = {0, 0};
  for (uint32_t i = 0; i < op->operand_count && i < 64; ++i)
    if (reader->list.at[i] != GMEM_NO_INDEX &&
        program->values.at[reader->list.at[i]].is_memref) {
      if (gmem_op_only_reads(op->model, op->op, i))
        uses.only_read |= UINT64_C(1) << i;
      else if (gmem_op_overwrites(op->model, op->op, i))
        uses.replaced |= UINT64_C(1) << i;
    }
  if (uses.only_read | uses.replaced)
    op->memref_uses = gmem_bump_copy(reader->arena, &uses, 1, sizeof uses);
}

static gmem_status_t link_op(reader_t *reader, uint32_t index) {
  gmem_proof_program_t *program = reader->program;
  gmem_proof_op_t *op = &program->ops.at[index];
  reader->op = index;
  reader->list.count = 0;
  op->first_callee = (uint32_t)program->callees.count;
  op->operand_count = (uint32_t)mlirOperationGetNumOperands(op->op);
  list_operands(reader, op->op, false);
  GMEM_TRY(list_requests(reader, op->op));
  if (op->is_opaque)
    GMEM_TRY(gmem_walk(op->op, visit_nested, reader));
  else
    add_callees(reader, op->op, &reader->plain);
  op->callee_count = (uint32_t)program->callees.count - op->first_callee;
  op->read_count = (uint32_t)reader->list.count;
  GMEM_TRY(gmem_bump_status(reader->arena, reader->diag));
  find_memref_uses(reader, op);
  uint32_t *operands;
  GMEM_TRY_ALLOC(operands, reader->arena, reader->list.count, reader->diag);
  for (size_t i = 0; i < reader->list.count; ++i)
    operands[i] = reader->list.at[i];
  op->operands = operands;
  return gmem_bump_status(reader->arena, reader->diag);
}

//===--- lists and handles ------------------------------------------------===//

// A list or handle of |value| may be in use when it is made again: it, and what
// it is a view of, has no one place.
static void show(gmem_proof_program_t *program, uint32_t value) {
  while (value != GMEM_NO_INDEX) {
    gmem_proof_value_t *shown = &program->values.at[value];
    const gmem_proof_op_t *op =
        shown->op == GMEM_NO_INDEX ? NULL : &program->ops.at[shown->op];
    shown->is_repeated |=
        gmem_proof_may_repeat(program, shown->block) ||
        program->functions.at[shown->function].mentions != 0 ||
        program->functions.at[shown->function].may_run_any_time;
    value = op && op->model->kind == GMEM_OP_RESHAPE && op->operand_count
                ? op->operands[0]
                : GMEM_NO_INDEX;
  }
}

// Whether results of |op| may stand for what it uses.
static bool may_show(const gmem_proof_op_t *op) {
  gmem_op_kind_t kind = op->model->kind;
  return kind == GMEM_OP_UNKNOWN || kind == GMEM_OP_VIEW ||
         kind == GMEM_OP_RESHAPE;
}

// What a list, handle or memref stands for is used where that is. Those of
// lists come behind the lists.
static void find_shown(gmem_proof_program_t *program) {
  for (uint32_t i = (uint32_t)program->ops.count; i-- > 0;) {
    const gmem_proof_op_t *op = &program->ops.at[i];
    bool is_any = false, is_local = true;
    for (uint32_t r = op->results.first;
         r < op->results.first + op->results.count && may_show(op); ++r)
      if (program->values.at[r].is_memref) {
        is_any = true;
        is_local &= program->values.at[r].is_local;
      }
    for (uint32_t k = 0; k < op->read_count && is_any; ++k)
      if (op->operands[k] != GMEM_NO_INDEX) {
        program->values.at[op->operands[k]].is_local &= is_local;
        if (op->model->kind == GMEM_OP_UNKNOWN)
          show(program, op->operands[k]);
      }
  }
}

// Functions that tables name may run at any time if an op uses a table.
static void mark_tables(reader_t *reader) {
  gmem_proof_program_t *program = reader->program;
  size_t first = program->callees.count;
  for (size_t i = 0; i < reader->symbols.count && reader->uses_tables; ++i)
    if (reader->symbols.at[i].function == GMEM_NO_INDEX)
      gmem_for_each_symbol_in(reader->symbols.at[i].op, add_callee, reader);
  take_callees(program, first);
  for (size_t k = first; k < program->callees.count; ++k)
    program->functions.at[program->callees.at[k]].in_table = true;
  program->callees.count = first;
}

static void mark_named(MlirStringRef name, void *user) {
  reader_t *reader = user;
  const symbol_t *all = reader->symbols.at;
  for (size_t i = first_of(reader, name);
       i < reader->symbols.count && mlirStringRefEqual(all[i].name, name); ++i)
    if (all[i].function != GMEM_NO_INDEX)
      reader->program->functions.at[all[i].function].has_unknown_callers = true;
}

static gmem_status_t mark_all_named(MlirOperation op, void *user) {
  gmem_for_each_symbol(op, mark_named, user);
  return GMEM_OK;
}

// Finds the functions that others than ops of this scope may run. Calls have
// been found.
static gmem_status_t find_unknown_callers(reader_t *reader) {
  gmem_proof_program_t *program = reader->program;
  for (size_t i = 0; i < program->functions.count; ++i) {
    gmem_proof_function_t *function = &program->functions.at[i];
    function->has_unknown_callers =
        function->mentions == 0 || function->may_run_any_time ||
        function->has_other_calls || !gmem_is_private(function->op);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(program->scope); ++i)
    for (MlirOperation op = gmem_first_op(program->scope, i);
         !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
      if (gmem_is_function(op))
        gmem_for_each_symbol(op, mark_named, reader);
      else
        GMEM_TRY(gmem_walk(op, mark_all_named, reader));
  return GMEM_OK;
}

// Whether the op is, or is inside of, one of a flat layer group with other ops
// between its own.
static bool is_in_mixed_group(const gmem_proof_program_t *program,
                              const gmem_proof_op_t *op) {
  uint32_t index = (uint32_t)(op - program->ops.at);
  while (op->group != INT64_MIN &&
         program->group_first[index] == GMEM_NO_INDEX) {
    index = op->parent;
    op = &program->ops.at[index];
  }
  return op->group != INT64_MIN &&
         program->ops.at[program->group_first[index]].is_mixed;
}

// Whether what the op names may run later than at the op.
static bool may_run_later(const gmem_proof_program_t *program,
                          const gmem_proof_op_t *op) {
  return op->is_deferred || op->callee_count > 1 || op->region_count ||
         is_in_mixed_group(program, op);
}

// A call that returns a handle of work which its callee has started is deferred
// as that is: it goes on when the callee has returned.
static void defer_call(gmem_proof_program_t *program, gmem_proof_op_t *op,
                       bool *is_changed) {
  bool starts = op->is_deferred;
  for (uint32_t c = 0; c < op->callee_count && !starts; ++c)
    starts = program->functions.at[program->callees.at[op->first_callee + c]]
                 .starts_later &&
             op->region_count == 0 &&
             gmem_yields_handle(program->models, op->op);
  *is_changed |= starts && !program->functions.at[op->function].starts_later;
  program->functions.at[op->function].starts_later |= starts;
  if (!starts || op->is_deferred)
    return;
  *is_changed = op->is_deferred = program->has_deferred = true;
  op->flow = GMEM_PROOF_LATER;
  op->is_parallel |= gmem_proof_may_repeat(program, op->block);
  program->has_parallel |= op->is_parallel;
}

static void mark_callees(gmem_proof_program_t *program,
                         const gmem_proof_op_t *op, bool *is_changed) {
  if (!op->callee_count)
    return;
  gmem_proof_function_t *from = &program->functions.at[op->function];
  bool any_time = from->may_run_any_time || may_run_later(program, op);
  bool beside = from->is_concurrent || op->is_deferred;
  for (uint32_t c = 0; c < op->callee_count; ++c) {
    gmem_proof_function_t *to =
        &program->functions.at[program->callees.at[op->first_callee + c]];
    bool with_self = from->may_run_with_self || op->is_parallel ||
                     ((to->is_concurrent || beside) && to->mentions > 1);
    *is_changed |= (any_time && !to->may_run_any_time) ||
                   (beside && !to->is_concurrent) ||
                   (with_self && !to->may_run_with_self) ||
                   (from->is_taken && !to->is_taken);
    to->is_taken |= from->is_taken;
    to->may_run_any_time |= any_time;
    to->is_concurrent |= beside;
    to->may_run_with_self |= with_self;
  }
}

static gmem_status_t find_unknown(MlirOperation op, void *user) {
  reader_t *reader = user;
  if (gmem_takes_code(&reader->code_types, reader->program->models, op))
    note_unknown(reader, op);
  return GMEM_OK;
}

// What an op makes of a function may be one, too.
static gmem_status_t pass_code_on(MlirOperation op, void *user) {
  reader_t *reader = user;
  gmem_code_types_pass(&reader->code_types, reader->program->models, op);
  return GMEM_OK;
}

// Calls |visit| for all ops, also those inside of others. A return only passes
// on what it is given.
static gmem_status_t visit_ops(reader_t *reader, gmem_visit_fn visit) {
  gmem_proof_program_t *program = reader->program;
  for (uint32_t i = 0; i < program->ops.count; ++i) {
    const gmem_proof_op_t *op = &program->ops.at[i];
    bool is_return = op->parent == GMEM_NO_INDEX &&
                     program->blocks.at[op->block].last_op == i &&
                     mlirOperationGetNumSuccessors(op->op) == 0 &&
                     mlirOperationGetNumRegions(op->op) == 0;
    reader->op = i;
    if (op->is_opaque)
      GMEM_TRY(gmem_walk(op->op, visit, reader));
    else if (!is_return)
      GMEM_TRY(visit(op->op, reader));
  }
  return GMEM_OK;
}

// A function whose address is taken may run itself by a table or a value that
// it, or what it runs, uses, or run beside itself.
static void mark_unknown(reader_t *reader) {
  gmem_proof_program_t *program = reader->program;
  for (size_t i = 0; i < program->functions.count; ++i)
    reader->runs_beside |=
        (program->functions.at[i].runs_unknown &&
         (program->functions.at[i].is_concurrent ||
          program->functions.at[i].may_run_with_self)) ||
        (reader->gets_tokens && program->functions.at[i].is_taken &&
         program->functions.at[i].starts_later);
  for (size_t i = 0; i < program->functions.count; ++i) {
    gmem_proof_function_t *function = &program->functions.at[i];
    function->is_recursive |= function->is_taken && function->runs_unknown;
    function->may_run_with_self |= function->is_taken && reader->runs_beside;
  }
}

static gmem_status_t find_unknown_calls(reader_t *reader) {
  gmem_proof_program_t *program = reader->program;
  bool is_any = false;
  for (size_t i = 0; i < program->functions.count; ++i)
    is_any |= program->functions.at[i].may_run_any_time;
  if (!is_any)
    return GMEM_OK;
  for (size_t before = SIZE_MAX; before != reader->code_types.count;) {
    before = reader->code_types.count;
    GMEM_TRY(visit_ops(reader, pass_code_on));
  }
  GMEM_TRY(visit_ops(reader, find_unknown));
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (uint32_t i = (uint32_t)program->ops.count; i-- > 0;)
      for (uint32_t c = 0; c < program->ops.at[i].callee_count; ++c) {
        const gmem_proof_op_t *op = &program->ops.at[i];
        bool *runs = &program->functions.at[op->function].runs_unknown;
        bool callee =
            program->functions.at[program->callees.at[op->first_callee + c]]
                .runs_unknown;
        is_changed |= callee && !*runs;
        *runs |= callee;
      }
  }
  mark_unknown(reader);
  return GMEM_OK;
}

// Kahn's topological order of the call graph (CACM 5, 1962), or of its reverse:
// appends to |order| the functions of which all callees (callers) are in it.
static gmem_status_t sort_functions(reader_t *reader, bool callees_first,
                                    uint32_t *order, size_t *count) {
  gmem_proof_program_t *program = reader->program;
  gmem_csr_pairs_t pairs = {0};
  gmem_csr_t next;
  uint32_t *waits;
  size_t functions = program->functions.count, done = *count;
  GMEM_TRY_ALLOC(waits, reader->arena, functions, reader->diag);
  for (uint32_t i = 0; i < program->ops.count && program->callees.count; ++i)
    for (uint32_t c = 0; c < program->ops.at[i].callee_count; ++c) {
      uint32_t caller = program->ops.at[i].function;
      uint32_t callee =
          program->callees.at[program->ops.at[i].first_callee + c];
      uint32_t first = callees_first ? callee : caller;
      uint32_t second = callees_first ? caller : callee;
      if (program->functions.at[first].is_ordered)
        continue;
      ++waits[second];
      GMEM_APPEND(reader->arena, &pairs, (gmem_csr_pair_t){first, second});
    }
  GMEM_TRY(
      gmem_csr_build(&pairs, functions, reader->arena, &next, reader->diag));
  for (uint32_t i = 0; i < functions; ++i)
    if (!waits[i] && !program->functions.at[i].is_ordered)
      order[(*count)++] = i;
  for (size_t i = done; i < *count; ++i) {
    program->functions.at[order[i]].is_ordered = true;
    GMEM_CSR_EACH (to, &next, order[i])
      if (--waits[*to] == 0 && !program->functions.at[*to].is_ordered)
        order[(*count)++] = *to;
  }
  return GMEM_OK;
}

// Finds the functions that call themselves, an order with callees first, and
// what holds for callees, too.
static gmem_status_t classify_functions(reader_t *reader) {
  gmem_proof_program_t *program = reader->program;
  uint32_t *order, *upper;
  size_t count = 0, upper_count = 0, functions = program->functions.count;
  GMEM_TRY_ALLOC(order, reader->arena, functions, reader->diag);
  GMEM_TRY_ALLOC(upper, reader->arena, functions, reader->diag);
  GMEM_TRY(sort_functions(reader, true, order, &count));
  GMEM_TRY(sort_functions(reader, false, upper, &upper_count));
  for (uint32_t i = 0; i < functions; ++i)
    if (!program->functions.at[i].is_ordered) {
      program->functions.at[i].is_recursive = true;
      order[count++] = i;
    }
  while (upper_count)
    order[count++] = upper[--upper_count];
  assert(count == functions);
  program->order = order;
  for (bool is_changed = program->callees.count || program->has_deferred;
       is_changed;) {
    is_changed = false;
    for (uint32_t f = 0; f < functions; ++f) {
      const gmem_proof_function_t *function = &program->functions.at[order[f]];
      for (uint32_t i = function->first_op; i < function->end_op; ++i)
        defer_call(program, &program->ops.at[i], &is_changed);
    }
  }
  for (bool is_changed = program->callees.count != 0; is_changed;) {
    is_changed = false;
    for (uint32_t i = (uint32_t)program->ops.count; i-- > 0;)
      mark_callees(program, &program->ops.at[i], &is_changed);
  }
  return find_unknown_calls(reader);
}

//===--- control flow -----------------------------------------------------===//

// Whether the types of values [left, +count) and [right, +count) are equal.
static bool match(const gmem_proof_program_t *program, const uint32_t *left,
                  uint32_t left_count, gmem_proof_row_t right) {
  bool is_equal = left_count == right.count;
  for (uint32_t i = 0; i < right.count && is_equal; ++i)
    is_equal = left[i] != GMEM_NO_INDEX &&
               mlirTypeEqual(
                   mlirValueGetType(program->values.at[left[i]].value),
                   mlirValueGetType(program->values.at[right.first + i].value));
  return is_equal;
}

static bool match_rows(const gmem_proof_program_t *program,
                       gmem_proof_row_t left, gmem_proof_row_t right) {
  bool is_equal = left.count == right.count;
  for (uint32_t i = 0; i < right.count && is_equal; ++i)
    is_equal = mlirTypeEqual(
        mlirValueGetType(program->values.at[left.first + i].value),
        mlirValueGetType(program->values.at[right.first + i].value));
  return is_equal;
}

// The op without results, successors and regions that ends |block|, or NULL.
static const gmem_proof_op_t *end_of(const gmem_proof_program_t *program,
                                     const gmem_proof_block_t *block) {
  const gmem_proof_op_t *op =
      block->last_op == GMEM_NO_INDEX ? NULL : &program->ops.at[block->last_op];
  return op && op->results.count == 0 && op->region_count == 0 &&
                 mlirAttributeIsNull(gmem_op_attribute(op->op, "callee"))
             ? op
             : NULL;
}

static const gmem_proof_block_t *sole_block(const gmem_proof_program_t *program,
                                            const gmem_proof_op_t *op,
                                            uint32_t number) {
  if (number >= op->region_count)
    return NULL;
  const gmem_proof_region_t *region =
      &program->regions.at[op->first_region + number];
  if (region->block_count != 1 || region->is_graph)
    return NULL;
  const gmem_proof_block_t *block = &program->blocks.at[region->first_block];
  const gmem_proof_op_t *end = end_of(program, block);
  return end && mlirOperationGetNumSuccessors(end->op) == 0 ? block : NULL;
}

static bool matches_branch(const gmem_proof_program_t *program,
                           const gmem_proof_op_t *op) {
  for (uint32_t r = op->first_region; r < op->first_region + op->region_count;
       ++r) {
    const gmem_proof_region_t *region = &program->regions.at[r];
    if (region->is_graph || (!region->block_count && op->results.count))
      return false;
    if (!region->block_count)
      continue;
    gmem_proof_row_t arguments =
        program->blocks.at[region->first_block].arguments;
    if (arguments.count > op->operand_count ||
        !match(program, op->operands + op->operand_count - arguments.count,
               arguments.count, arguments))
      return false;
    for (uint32_t b = 0; b < region->block_count && op->results.count; ++b) {
      const gmem_proof_op_t *end =
          end_of(program, &program->blocks.at[region->first_block + b]);
      if (!end ||
          (mlirOperationGetNumSuccessors(end->op) == 0 &&
           !match(program, end->operands, end->operand_count, op->results)))
        return false;
    }
  }
  return true;
}

static bool matches_for(const gmem_proof_program_t *program,
                        const gmem_proof_op_t *op) {
  const gmem_proof_block_t *body = sole_block(program, op, 0);
  uint32_t count = op->results.count;
  if (!body || op->region_count != 1 || body->arguments.count < count ||
      op->operand_count < count)
    return false;
  const gmem_proof_op_t *end = &program->ops.at[body->last_op];
  gmem_proof_row_t carried = {
      body->arguments.first + body->arguments.count - count, count};
  return match(program, op->operands + op->operand_count - count, count,
               carried) &&
         match(program, end->operands, end->operand_count, carried) &&
         match_rows(program, carried, op->results);
}

static bool matches_while(const gmem_proof_program_t *program,
                          const gmem_proof_op_t *op) {
  const gmem_proof_block_t *before = sole_block(program, op, 0);
  const gmem_proof_block_t *after = sole_block(program, op, 1);
  if (!before || !after || op->region_count != 2)
    return false;
  const gmem_proof_op_t *test = &program->ops.at[before->last_op];
  const gmem_proof_op_t *yield = &program->ops.at[after->last_op];
  bool is_right =
      test->operand_count &&
      match(program, op->operands, op->operand_count, before->arguments) &&
      match(program, yield->operands, yield->operand_count, before->arguments);
  if (op->model->kind == GMEM_OP_LOOP)
    return is_right &&
           match_rows(program, before->arguments, after->arguments) &&
           match_rows(program, before->arguments, op->results);
  return is_right &&
         match(program, test->operands + 1, test->operand_count - 1,
               after->arguments) &&
         match_rows(program, after->arguments, op->results);
}

// Whether the op runs its only callee on its operands and returns its results.
static bool is_direct(const gmem_proof_program_t *program,
                      const gmem_proof_op_t *op) {
  if (op->callee_count != 1 || op->is_opaque || op->region_count ||
      op->group != INT64_MIN || op->model->kind == GMEM_OP_WEIGHT ||
      gmem_may_return_code(program->models, op->op))
    return false;
  const gmem_proof_function_t *function = gmem_proof_callee(program, op);
  if (gmem_proof_has_instances(function) ||
      !gmem_is_call_of(op->op, function->op))
    return false;
  const gmem_proof_region_t *body = &program->regions.at[function->region];
  gmem_proof_row_t arguments = gmem_proof_arguments(program, function->region);
  if (!match(program, op->operands, op->operand_count, arguments))
    return false;
  for (uint32_t b = 0; b < body->block_count; ++b) {
    const gmem_proof_op_t *end =
        gmem_proof_exit(program, body->first_block + b);
    if (end && !match(program, end->operands, end->operand_count, op->results))
      return false;
  }
  return true;
}

// Whether the op leaves its block. The last op of a region may be another one,
// where MLIR demands no terminator. The op around it has its flow.
static bool is_end(const gmem_proof_program_t *program,
                   const gmem_proof_op_t *op) {
  const gmem_proof_op_t *around =
      op->parent == GMEM_NO_INDEX ? NULL : &program->ops.at[op->parent];
  bool is_last =
      op->next == GMEM_NO_INDEX && !op->results.count && !op->region_count;
  return is_last && (!around || mlirOperationGetNumSuccessors(op->op) ||
                     around->flow > GMEM_PROOF_BRANCH ||
                     (around->flow == GMEM_PROOF_BRANCH &&
                      op->operand_count == around->results.count));
}

static gmem_proof_flow_t flow_of(const gmem_proof_program_t *program,
                                 const gmem_proof_op_t *op) {
  gmem_op_kind_t kind = op->group == INT64_MIN && !op->starts_later
                            ? op->model->kind
                            : GMEM_OP_UNKNOWN;
  if (op->flow == GMEM_PROOF_LATER)
    return op->flow;
  if (op->is_direct && !op->is_deferred &&
      !gmem_proof_callee(program, op)->may_run_any_time)
    return GMEM_PROOF_CALL;
  if (!op->region_count)
    return GMEM_PROOF_STEP;
  if (kind == GMEM_OP_BRANCH && matches_branch(program, op))
    return GMEM_PROOF_BRANCH;
  if (kind == GMEM_OP_FOR && matches_for(program, op))
    return GMEM_PROOF_FOR;
  if ((kind == GMEM_OP_WHILE || kind == GMEM_OP_LOOP) &&
      matches_while(program, op))
    return GMEM_PROOF_WHILE;
  return GMEM_PROOF_ANY;
}

//===--- the scope --------------------------------------------------------===//

// A block whose successors from |next| on have not been visited.
typedef struct visit_s {
  uint32_t block;
  intptr_t next;
} visit_t;

static intptr_t successors_of(const gmem_proof_program_t *program,
                              uint32_t block) {
  uint32_t last = program->blocks.at[block].last_op;
  return last == GMEM_NO_INDEX
             ? 0
             : mlirOperationGetNumSuccessors(program->ops.at[last].op);
}

// Visits the blocks of a region depth first.
static gmem_status_t sort_blocks(reader_t *reader,
                                 gmem_proof_region_t *region) {
  gmem_proof_program_t *program = reader->program;
  visit_t *stack;
  uint32_t *order, depth = 0, left = region->block_count;
  GMEM_TRY_ALLOC(stack, reader->arena, region->block_count, reader->diag);
  GMEM_TRY_ALLOC(order, reader->arena, region->block_count, reader->diag);
  stack[depth++] = (visit_t){region->first_block, 0};
  program->blocks.at[region->first_block].is_reached = true;
  while (depth) {
    visit_t *top = &stack[depth - 1];
    if (top->next == successors_of(program, top->block)) {
      order[--left] = top->block;
      program->blocks.at[top->block].position =
          left; // not 0, but for the first
      --depth;
      continue;
    }
    MlirOperation end =
        program->ops.at[program->blocks.at[top->block].last_op].op;
    uint32_t to = gmem_pointer_map_find(
        &program->block_of, mlirOperationGetSuccessor(end, top->next++).ptr);
    if (to == GMEM_NO_INDEX)
      continue;
    region->has_loop |= program->blocks.at[to].is_reached &&
                        program->blocks.at[to].position == 0;
    if (program->blocks.at[to].is_reached)
      continue;
    program->blocks.at[to].is_reached = true;
    stack[depth++] = (visit_t){to, 0};
  }
  region->order = order + left;
  region->reached = region->block_count - left;
  for (uint32_t i = 0; i < region->reached; ++i)
    program->blocks.at[region->order[i]].position = i;
  return GMEM_OK;
}

// Finds the blocks that are reached. Nested regions have greater numbers.
static gmem_status_t find_reached(reader_t *reader) {
  gmem_proof_program_t *program = reader->program;
  for (size_t r = 0; r < program->regions.count; ++r) {
    gmem_proof_region_t *region = &program->regions.at[r];
    bool is_reached =
        region->owner == GMEM_NO_INDEX ||
        program->blocks.at[program->ops.at[region->owner].block].is_reached;
    if (region->block_count && is_reached)
      GMEM_TRY(sort_blocks(reader, region));
  }
  return GMEM_OK;
}

static void note_symbol(MlirStringRef name, void *user) {
  (void)name;
  *(bool *)user = true;
}

static gmem_status_t add_symbol(reader_t *reader, MlirOperation op) {
  symbol_t symbol = {.function = GMEM_NO_INDEX, .op = op};
  bool leads_on = gmem_is_function(op);
  if (leads_on) {
    symbol.function = (uint32_t)reader->program->functions.count;
    GMEM_TRY(add_function(reader, op));
  } else
    gmem_for_each_symbol_in(op, note_symbol, &leads_on);
  if (leads_on &&
      gmem_string_get(gmem_op_attribute(op, "sym_name"), &symbol.name))
    GMEM_APPEND(reader->arena, &reader->symbols, symbol);
  return gmem_bump_status(reader->arena, reader->diag);
}

static gmem_status_t read_scope(reader_t *reader) {
  gmem_proof_program_t *program = reader->program;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(program->scope); ++i)
    for (MlirOperation op = gmem_first_op(program->scope, i);
         !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
      GMEM_TRY(add_symbol(reader, op));
  if (reader->symbols.count)
    qsort(reader->symbols.at, reader->symbols.count, sizeof(symbol_t),
          compare_symbols);
  GMEM_TRY(gmem_pointer_index_make(
      &program->value_of, program->values.at, program->values.count,
      sizeof *program->values.at, reader->arena, reader->diag));
  GMEM_TRY(gmem_pointer_map_make(&program->block_of, program->blocks.count,
                                 reader->arena, reader->diag));
  for (uint32_t i = 0; i < program->blocks.count; ++i)
    gmem_pointer_map_add(&program->block_of, program->blocks.at[i].block.ptr,
                         i);
  GMEM_TRY(find_reached(reader));
  for (uint32_t i = 0; i < program->ops.count; ++i)
    GMEM_TRY(link_op(reader, i));
  mark_tables(reader);
  find_shown(program);
  GMEM_TRY(find_groups(reader));
  GMEM_TRY(classify_functions(reader));
  for (uint32_t i = 0; i < program->ops.count; ++i) {
    gmem_proof_op_t *op = &program->ops.at[i];
    op->may_have_layouts = (program->own >> GMEM_ATTR_PADDING & 1) ||
                           (program->own >> GMEM_ATTR_STRIDES & 1);
    op->is_direct = is_direct(program, op);
    op->flow = flow_of(program, op);
    op->is_end = is_end(program, op);
    for (uint32_t c = 0; c < op->callee_count; ++c)
      program->functions.at[program->callees.at[op->first_callee + c]]
          .has_other_calls |= op->flow != GMEM_PROOF_CALL;
  }
  return find_unknown_callers(reader);
}

gmem_status_t gmem_proof_program_read(MlirOperation scope,
                                      const gmem_op_models_t *models,
                                      gmem_bump_t *arena,
                                      gmem_proof_program_t *out_program,
                                      gmem_diag_t *diag) {
  *out_program = (gmem_proof_program_t){.scope = scope, .models = models};
  reader_t reader = {.program = out_program, .arena = arena, .diag = diag};
  return read_scope(&reader);
}
