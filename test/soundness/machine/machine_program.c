// machine_program.c - see machine_program.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine_program.h"

#include <string.h>

#include "machine_op_names.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#define PUSH(program, list)                                                    \
  machine_push((program)->arena, &(program)->list##s,                          \
               &(program)->list##_count, &(program)->list##_room,              \
               sizeof *(program)->list##s)

MlirAttribute attribute_of(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op,
                                         mlirStringRefCreateFromCString(name));
}

bool program_is_function(MlirOperation op) {
  MlirAttribute name = attribute_of(op, "sym_name");
  return !mlirAttributeIsNull(name) && mlirAttributeIsAString(name) &&
         !mlirAttributeIsNull(attribute_of(op, "function_type")) &&
         mlirOperationGetNumRegions(op) == 1 &&
         !mlirBlockIsNull(
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)));
}

//===--- values -----------------------------------------------------------===//

static size_t slot_of(const program_t *program, const void *key) {
  size_t slot = ((uintptr_t)key >> 3) * 0x9E3779B97F4A7C15u;
  slot = (slot >> 16) & (program->key_room - 1);
  while (program->keys[slot] && program->keys[slot] != key)
    slot = (slot + 1) & (program->key_room - 1);
  return slot;
}

uint32_t program_find(const program_t *program, MlirValue value) {
  if (!program->key_room)
    return NONE;
  size_t slot = slot_of(program, value.ptr);
  return program->keys[slot] ? program->key_values[slot] : NONE;
}

static void grow_keys(program_t *program) {
  const void **old_keys = program->keys;
  uint32_t *old_values = program->key_values;
  size_t old_room = program->key_room;
  program->key_room = old_room ? 2 * old_room : 1024;
  program->keys =
      machine_alloc(program->arena, program->key_room, sizeof *program->keys);
  program->key_values = machine_alloc(program->arena, program->key_room,
                                      sizeof *program->key_values);
  for (size_t i = 0; i < old_room; ++i) {
    if (!old_keys[i])
      continue;
    size_t slot = slot_of(program, old_keys[i]);
    program->keys[slot] = old_keys[i];
    program->key_values[slot] = old_values[i];
  }
}

static void add_value(program_t *program, MlirValue value, uint32_t block,
                      uint32_t op, uint32_t number) {
  uint32_t index = (uint32_t)program->value_count;
  value_t *entry = PUSH(program, value);
  *entry = (value_t){
      .value = value, .op = op, .number = number, .block = block, .pool = NONE};
  entry->wants_place = type_bytes(mlirValueGetType(value), &entry->size);
  if (2 * ++program->key_count > program->key_room)
    grow_keys(program);
  size_t slot = slot_of(program, value.ptr);
  program->keys[slot] = value.ptr;
  program->key_values[slot] = index;
}

//===--- ops --------------------------------------------------------------===//

static uint32_t add_region(program_t *program, MlirRegion region,
                           uint32_t parent, uint32_t function);

static bool has_unit(MlirOperation op, const char *name) {
  MlirAttribute attribute = attribute_of(op, name);
  return !mlirAttributeIsNull(attribute) && mlirAttributeIsAUnit(attribute);
}

// The flat layer group of |op| in |block|: its own, or that of the op around.
static uint32_t group_of(program_t *program, const op_t *op, uint32_t index) {
  MlirAttribute id = attribute_of(op->op, "gmem.layer_group");
  bool is_end = mlirOperationGetNumResults(op->op) == 0 &&
                mlirOperationIsNull(mlirOperationGetNextInBlock(op->op));
  if (mlirAttributeIsNull(id) || !mlirAttributeIsAInteger(id) || is_end)
    return op->parent == NONE ? NONE : program->ops[op->parent].group;
  int64_t wanted = mlirIntegerAttrGetValueInt(id);
  for (size_t i = program->group_count; i-- > 0;)
    if (program->groups[i].id == wanted &&
        program->groups[i].block == op->block) {
      program->groups[i].last_op = index;
      return (uint32_t)i;
    }
  *(group_t *)PUSH(program, group) = (group_t){wanted, op->block, index, index};
  return (uint32_t)program->group_count - 1;
}

static bool is_handle(MlirType type) {
  uint64_t bytes;
  return !type_bytes(type, &bytes) && !mlirTypeIsAInteger(type) &&
         !mlirTypeIsAFloat(type) && !mlirTypeIsAIndex(type) &&
         !mlirTypeIsANone(type) && !mlirTypeIsAVector(type) &&
         !mlirTypeIsAComplex(type) && !mlirTypeIsAShaped(type) &&
         !mlirTypeIsATuple(type);
}

// A token or a promise: what the op started may go on behind it.
static bool makes_handle(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (is_handle(mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

// The same, but for functions: an op that has one calls it.
static bool makes_token(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    if (is_handle(type) && !mlirTypeIsAFunction(type))
      return true;
  }
  return false;
}

typedef struct inside_walk_s {
  program_t *program;
  uint32_t holder; // op around
} inside_walk_t;

// Constants in an opaque body are global, as all others.
static MlirWalkResult add_constant(MlirOperation op, void *user) {
  inside_walk_t *walk = user;
  MlirAttribute pool = attribute_of(op, "gmem.pool");
  if (mlirOperationEqual(op, walk->program->ops[walk->holder].op) ||
      mlirAttributeIsNull(pool))
    return MlirWalkResultAdvance;
  uint32_t index = (uint32_t)walk->program->op_count;
  op_t entry = {.op = op,
                .parent = walk->holder,
                .block = walk->program->ops[walk->holder].block,
                .function = walk->program->ops[walk->holder].function,
                .group = NONE,
                .first_result = (uint32_t)walk->program->value_count,
                .result_count = (uint32_t)mlirOperationGetNumResults(op)};
  entry.does = semantics_of(walk->program, &entry);
  *(op_t *)PUSH(walk->program, op) = entry;
  for (uint32_t i = 0; i < entry.result_count; ++i)
    add_value(walk->program, mlirOperationGetResult(op, i), entry.block, index,
              i);
  return MlirWalkResultAdvance;
}

static uint32_t add_op(program_t *program, MlirOperation mlir_op,
                       uint32_t parent, uint32_t block, uint32_t function) {
  uint32_t index = (uint32_t)program->op_count;
  op_t op = {.op = mlir_op,
             .parent = parent,
             .block = block,
             .function = function,
             .first_result = (uint32_t)program->value_count,
             .result_count = (uint32_t)mlirOperationGetNumResults(mlir_op)};
  op.group = group_of(program, &op, index);
  op.hold = has_unit(mlir_op, "gmem.hold");
  op.does = semantics_of(program, &op);
  if (has_unit(mlir_op, "gmem.layer_group") || program_is_function(mlir_op)) {
    op.does.does = DOES_COMPUTE;
    op.does.opaque = true;
  }
  intptr_t regions = mlirOperationGetNumRegions(mlir_op);
  op.late = regions && (makes_handle(mlir_op) || program_is_function(mlir_op));
  *(op_t *)PUSH(program, op) = op;
  for (uint32_t i = 0; i < op.result_count; ++i)
    add_value(program, mlirOperationGetResult(mlir_op, i), block, index, i);
  if (op.does.opaque) {
    inside_walk_t walk = {program, index};
    mlirOperationWalk(mlir_op, add_constant, &walk, MlirWalkPreOrder);
    return index;
  }
  uint32_t *list = machine_alloc(program->arena, (size_t)regions, sizeof *list);
  for (intptr_t i = 0; i < regions; ++i)
    list[i] = add_region(program, mlirOperationGetRegion(mlir_op, i), index,
                         function);
  program->ops[index].regions = list;
  program->ops[index].region_count = (uint32_t)regions;
  return index;
}

static uint32_t add_block(program_t *program, MlirBlock mlir_block,
                          uint32_t region, uint32_t parent, uint32_t function) {
  uint32_t index = (uint32_t)program->block_count;
  block_t block = {.block = mlir_block,
                   .region = region,
                   .first_argument = (uint32_t)program->value_count,
                   .argument_count =
                       (uint32_t)mlirBlockGetNumArguments(mlir_block)};
  *(block_t *)PUSH(program, block) = block;
  for (uint32_t i = 0; i < block.argument_count; ++i)
    add_value(program, mlirBlockGetArgument(mlir_block, i), index, NONE, i);
  for (MlirOperation op = mlirBlockGetFirstOperation(mlir_block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    uint32_t added = add_op(program, op, parent, index, function);
    *(uint32_t *)machine_push(program->arena, &block.ops, &block.op_count,
                              &block.op_room, sizeof added) = added;
  }
  program->blocks[index] = block;
  return index;
}

static uint32_t add_region(program_t *program, MlirRegion mlir_region,
                           uint32_t parent, uint32_t function) {
  uint32_t index = (uint32_t)program->region_count;
  region_t region = {0};
  *(region_t *)PUSH(program, region) = region;
  for (MlirBlock block = mlirRegionGetFirstBlock(mlir_region);
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    uint32_t added = add_block(program, block, index, parent, function);
    *(uint32_t *)machine_push(program->arena, &region.blocks, &region.count,
                              &region.room, sizeof added) = added;
  }
  program->regions[index] = region;
  return index;
}

static void add_function(program_t *program, MlirOperation op) {
  uint32_t index = (uint32_t)program->function_count;
  function_t function = {
      .op = op,
      .name = mlirStringAttrGetValue(attribute_of(op, "sym_name")),
      .first_value = (uint32_t)program->value_count,
      .first_op = (uint32_t)program->op_count};
  PUSH(program, function);
  function.region =
      add_region(program, mlirOperationGetRegion(op, 0), NONE, index);
  function.end_value = (uint32_t)program->value_count;
  function.end_op = (uint32_t)program->op_count;
  program->functions[index] = function;
}

//===--- who names whom ---------------------------------------------------===//

typedef void (*symbol_fn)(MlirStringRef name, void *user);

// Calls |visit| for every symbol in |attribute|, which may nest.
static void visit_symbols(MlirAttribute attribute, symbol_fn visit,
                          void *user) {
  if (mlirAttributeIsAFlatSymbolRef(attribute))
    visit(mlirFlatSymbolRefAttrGetValue(attribute), user);
  if (mlirAttributeIsAArray(attribute))
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(attribute); ++i)
      visit_symbols(mlirArrayAttrGetElement(attribute, i), visit, user);
  if (mlirAttributeIsADictionary(attribute))
    for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(attribute); ++i)
      visit_symbols(mlirDictionaryAttrGetElement(attribute, i).attribute, visit,
                    user);
}

static void visit_symbols_of(MlirOperation op, symbol_fn visit, void *user) {
  visit_symbols(gmem_all_attributes(op), visit, user);
}

typedef struct symbol_walk_s {
  program_t *program;
  uint32_t op; // that names them, or NONE
} symbol_walk_t;

static void escape(MlirStringRef name, void *user) {
  symbol_walk_t *walk = user;
  for (size_t i = 0; i < walk->program->function_count; ++i)
    if (mlirStringRefEqual(walk->program->functions[i].name, name))
      walk->program->functions[i].escapes = true;
}

// An op of the scope that is no function but names some: a table.
static void escape_table(program_t *program, MlirStringRef name) {
  symbol_walk_t walk = {program, NONE};
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(program->scope); ++r) {
    MlirBlock block =
        mlirRegionGetFirstBlock(mlirOperationGetRegion(program->scope, r));
    for (MlirOperation op = mlirBlockIsNull(block)
                                ? (MlirOperation){NULL}
                                : mlirBlockGetFirstOperation(block);
         !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
      MlirAttribute own = attribute_of(op, "sym_name");
      if (!program_is_function(op) && !mlirAttributeIsNull(own) &&
          mlirAttributeIsAString(own) &&
          mlirStringRefEqual(mlirStringAttrGetValue(own), name))
        visit_symbols_of(op, escape, &walk);
    }
  }
}

// A load of a global that is mutable is no constant.
static void compute_if_mutable(MlirStringRef name, void *user) {
  symbol_walk_t *walk = user;
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(walk->program->scope, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirAttribute own = attribute_of(op, "sym_name");
    if (!mlirAttributeIsNull(own) && mlirAttributeIsAString(own) &&
        mlirStringRefEqual(mlirStringAttrGetValue(own), name) &&
        !mlirAttributeIsNull(attribute_of(op, "is_mutable")))
      walk->program->ops[walk->op].does.does = DOES_COMPUTE;
  }
}

static void add_callee(MlirStringRef name, void *user) {
  symbol_walk_t *walk = user;
  op_t *op = &walk->program->ops[walk->op];
  bool is_table = true;
  for (uint32_t i = 0; i < walk->program->function_count; ++i) {
    if (!mlirStringRefEqual(walk->program->functions[i].name, name))
      continue;
    walk->program->functions[i].called = true;
    *(uint32_t *)machine_push(walk->program->arena, &op->callees,
                              &op->callee_count, &op->callee_room,
                              sizeof(uint32_t)) = i;
    is_table = false;
  }
  if (is_table)
    escape_table(walk->program, name);
}

static MlirWalkResult add_callees(MlirOperation op, void *user) {
  visit_symbols_of(op, add_callee, user);
  return MlirWalkResultAdvance;
}

// What an opaque body reads from outside.
static MlirWalkResult add_captures(MlirOperation mlir_op, void *user) {
  inside_walk_t *walk = user;
  op_t *op = &walk->program->ops[walk->holder];
  if (mlirOperationEqual(mlir_op, op->op))
    return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(mlir_op); ++i) {
    uint32_t value =
        program_find(walk->program, mlirOperationGetOperand(mlir_op, i));
    // Not the constants of the body itself.
    if (value == NONE ||
        (walk->program->values[value].op != NONE &&
         walk->program->ops[walk->program->values[value].op].parent ==
             walk->holder))
      continue;
    *(uint32_t *)machine_push(walk->program->arena, &op->captures,
                              &op->capture_count, &op->capture_room,
                              sizeof value) = value;
  }
  return MlirWalkResultAdvance;
}

// Marks |value|, and what it is under another shape.
static void show(program_t *program, uint32_t value) {
  while (value != NONE) {
    program->values[value].is_shown = true;
    const op_t *op = program->values[value].op == NONE
                         ? NULL
                         : &program->ops[program->values[value].op];
    value = op && op->does.does == DOES_VIEW && op->operand_count
                ? op->operands[0]
                : NONE;
  }
}

static bool is_plain_call(MlirOperation op) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                            mlirStringRefCreateFromCString("func.call"));
}

// Whether the op may go on behind what it returns: not a call of a function
// that has nothing that does.
static bool goes_on(const program_t *program, const op_t *op) {
  const function_t *callee = &program->functions[op->callees[0]];
  if (!makes_handle(op->op))
    return false;
  for (uint32_t i = callee->first_op; i < callee->end_op; ++i)
    if (program->ops[i].late)
      return true;
  return !is_plain_call(op->op);
}

// Whether the op passes its operands to the one function it names as its
// callee, which returns its results.
static bool is_any_call(const program_t *program, const op_t *op) {
  MlirAttribute named = attribute_of(op->op, "callee");
  if (op->callee_count != 1 || mlirAttributeIsNull(named) ||
      !mlirAttributeIsASymbolRef(named) || mlirOperationGetNumRegions(op->op) ||
      goes_on(program, op))
    return false;
  const function_t *callee = &program->functions[op->callees[0]];
  MlirAttribute attribute = attribute_of(callee->op, "function_type");
  if (!mlirAttributeIsAType(attribute))
    return false;
  MlirType type = mlirTypeAttrGetValue(attribute);
  MlirBlock entry =
      program->blocks[program->regions[callee->region].blocks[0]].block;
  if (!mlirTypeIsAFunction(type) ||
      mlirFunctionTypeGetNumInputs(type) != (intptr_t)op->operand_count ||
      mlirBlockGetNumArguments(entry) != (intptr_t)op->operand_count ||
      mlirFunctionTypeGetNumResults(type) != (intptr_t)op->result_count)
    return false;
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i)
    if (!mlirTypeEqual(mlirFunctionTypeGetInput(type, i),
                       mlirValueGetType(mlirOperationGetOperand(op->op, i))))
      return false;
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(type); ++i)
    if (!mlirTypeEqual(mlirFunctionTypeGetResult(type, i),
                       mlirValueGetType(mlirOperationGetResult(op->op, i))))
      return false;
  return true;
}

// Operands, captured values and callees, when all values have numbers.
static void link_op(program_t *program, uint32_t index) {
  op_t *op = &program->ops[index];
  op->operand_count = (uint32_t)mlirOperationGetNumOperands(op->op);
  op->operands =
      machine_alloc(program->arena, op->operand_count, sizeof *op->operands);
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    op->operands[i] = program_find(program, mlirOperationGetOperand(op->op, i));
    const value_t *value =
        op->operands[i] == NONE ? NULL : &program->values[op->operands[i]];
    if (value && value->block == op->block && value->op != NONE &&
        value->op >= index)
      program->blocks[op->block].graph = true;
  }
  if (makes_handle(op->op))
    for (uint32_t i = 0; i < op->operand_count; ++i)
      show(program, op->operands[i]);
  if (op->does.does == DOES_WEIGHT)
    visit_symbols_of(op->op, compute_if_mutable,
                     &(symbol_walk_t){program, index});
  symbol_walk_t symbols = {program, index};
  inside_walk_t inside = {program, index};
  if (op->does.opaque) {
    mlirOperationWalk(op->op, add_callees, &symbols, MlirWalkPreOrder);
    mlirOperationWalk(op->op, add_captures, &inside, MlirWalkPreOrder);
  } else {
    add_callees(op->op, &symbols);
  }
  bool is_deferred = op->late;
  for (uint32_t at = op->parent; at != NONE; at = program->ops[at].parent)
    is_deferred |= program->ops[at].late;
  if (op->callee_count && !op->does.opaque && is_any_call(program, op))
    op->does.does = DOES_CALL;
  else if (op->callee_count && (is_deferred || makes_handle(op->op)))
    for (size_t i = 0; i < op->callee_count; ++i)
      program->functions[op->callees[i]].escapes = true;
}

//===--- blocks that control never comes to
//---------------------------------===//

static block_t *block_of(const program_t *program, const region_t *region,
                         MlirBlock wanted) {
  for (size_t i = 0; i < region->count; ++i)
    if (mlirBlockEqual(program->blocks[region->blocks[i]].block, wanted))
      return &program->blocks[region->blocks[i]];
  return NULL;
}

static void find_reached(program_t *program, const region_t *region) {
  bool changed = region->count != 0;
  if (changed)
    program->blocks[region->blocks[0]].reached = true;
  while (changed) {
    changed = false;
    for (size_t i = 0; i < region->count; ++i) {
      const block_t *block = &program->blocks[region->blocks[i]];
      if (!block->reached || block->op_count == 0)
        continue;
      MlirOperation last = program->ops[block->ops[block->op_count - 1]].op;
      for (intptr_t s = 0; s < mlirOperationGetNumSuccessors(last); ++s) {
        block_t *next =
            block_of(program, region, mlirOperationGetSuccessor(last, s));
        changed |= next && !next->reached;
        if (next)
          next->reached = true;
      }
    }
  }
}

// Whether |op| is in a block, at whatever depth, that never runs.
static bool never_runs(const program_t *program, MlirOperation op) {
  for (; !mlirOperationIsNull(op) && !program_is_function(op);
       op = mlirOperationGetParentOperation(op)) {
    MlirBlock block = mlirOperationGetBlock(op);
    if (mlirBlockIsNull(block) ||
        mlirBlockEqual(
            block, mlirRegionGetFirstBlock(mlirBlockGetParentRegion(block))))
      continue;
    for (size_t i = 0; i < program->block_count; ++i)
      if (mlirBlockEqual(program->blocks[i].block, block) &&
          !program->blocks[i].reached)
        return true;
  }
  return false;
}

//===--- functions without places ----------------------------------------===//

static bool is_parallel(MlirOperation op) {
  for (; !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op))
    if (is_named(NAMES_OPAQUE, mlirIdentifierStr(mlirOperationGetName(op))) ||
        !mlirAttributeIsNull(attribute_of(op, "gmem.stream")))
      return true;
  return false;
}

// Marks what |function| runs in |seen|; whether it comes back to itself.
static bool reach(const program_t *program, uint32_t function, bool *seen) {
  uint32_t *todo =
      machine_alloc(program->arena, program->op_count + 1, sizeof *todo);
  size_t count = 0;
  bool comes_back = false;
  todo[count++] = function;
  while (count) {
    const function_t *next = &program->functions[todo[--count]];
    for (uint32_t i = next->first_op; i < next->end_op; ++i)
      for (size_t c = 0; c < program->ops[i].callee_count; ++c) {
        uint32_t callee = program->ops[i].callees[c];
        comes_back |= callee == function;
        if (!seen[callee])
          todo[count++] = callee;
        seen[callee] = true;
      }
  }
  return comes_back;
}

// Whether |index| is, or is inside of, an op whose regions run on while it may
// come again: in a loop, or in blocks that are not the first.
static bool may_meet_itself(const program_t *program, uint32_t index) {
  for (uint32_t at = index; at != NONE; at = program->ops[at].parent) {
    const op_t *op = &program->ops[at];
    const region_t *region =
        &program->regions[program->blocks[op->block].region];
    if (op->late && (op->parent != NONE || region->blocks[0] != op->block))
      return true;
  }
  return false;
}

// Marks the functions that |op| runs.
static void mark_callees(program_t *program, const op_t *op, bool *seen) {
  for (size_t c = 0; c < op->callee_count; ++c) {
    memset(seen, 0, program->function_count);
    reach(program, op->callees[c], seen);
    seen[op->callees[c]] = true;
    for (uint32_t f = 0; f < program->function_count; ++f)
      program->functions[f].unplanned |= seen[f];
  }
}

// Where streams may still work on what is made again, values have no one place:
// in functions with streams and in those that call such.
static void find_streams(program_t *program, bool *seen) {
  bool *streams = machine_alloc(program->arena, program->function_count, 1);
  for (uint32_t i = 0; i < program->op_count; ++i)
    streams[program->ops[i].function] |=
        !mlirAttributeIsNull(attribute_of(program->ops[i].op, "gmem.stream"));
  for (uint32_t f = 0; f < program->function_count; ++f) {
    memset(seen, 0, program->function_count);
    reach(program, f, seen);
    seen[f] = true;
    for (uint32_t g = 0; g < program->function_count; ++g)
      program->functions[f].unplanned |= seen[g] && streams[g];
  }
}

// Functions that deferred code runs while others may run them, too: those that
// more than one op names.
static void find_concurrent(program_t *program, bool *seen) {
  uint32_t *names =
      machine_alloc(program->arena, program->function_count, sizeof *names);
  bool *beside = machine_alloc(program->arena, program->function_count, 1);
  for (uint32_t i = 0; i < program->op_count; ++i) {
    const op_t *op = &program->ops[i];
    bool is_late = op->late || makes_token(op->op);
    for (uint32_t at = op->parent; at != NONE; at = program->ops[at].parent)
      is_late |= program->ops[at].late;
    for (size_t c = 0; c < op->callee_count; ++c) {
      ++names[op->callees[c]];
      if (!is_late)
        continue;
      memset(seen, 0, program->function_count);
      reach(program, op->callees[c], seen);
      seen[op->callees[c]] = true;
      for (uint32_t f = 0; f < program->function_count; ++f)
        beside[f] |= seen[f];
    }
  }
  for (uint32_t f = 0; f < program->function_count; ++f) {
    if (!beside[f] || names[f] < 2)
      continue;
    memset(seen, 0, program->function_count);
    reach(program, f, seen);
    seen[f] = true;
    for (uint32_t g = 0; g < program->function_count; ++g)
      program->functions[g].unplanned |= seen[g];
  }
}

// Functions that call themselves, and those that run several times at once, in
// whole or in part: their values have no one place.
static void find_unplanned(program_t *program) {
  bool *seen = machine_alloc(program->arena, program->function_count, 1);
  for (uint32_t f = 0; f < program->function_count; ++f) {
    memset(seen, 0, program->function_count);
    program->functions[f].unplanned |= reach(program, f, seen);
  }
  find_concurrent(program, seen);
  for (uint32_t i = 0; i < program->op_count; ++i) {
    const op_t *op = &program->ops[i];
    bool meets_itself = may_meet_itself(program, i);
    program->functions[op->function].unplanned |= meets_itself;
    if (meets_itself || (op->callee_count && is_parallel(op->op)))
      mark_callees(program, op, seen);
  }
  find_streams(program, seen);
}

//===--- values that stay inside a layer group ----------------------------===//

// The flat group of |op|: that of the block in which |home| is.
static bool is_in_group(const program_t *program, MlirOperation user,
                        uint32_t group) {
  for (; !mlirOperationIsNull(user) && !program_is_function(user);
       user = mlirOperationGetParentOperation(user)) {
    MlirAttribute id = attribute_of(user, "gmem.layer_group");
    bool is_end = mlirOperationGetNumResults(user) == 0 &&
                  mlirOperationIsNull(mlirOperationGetNextInBlock(user));
    if (!is_end && !mlirAttributeIsNull(id) && mlirAttributeIsAInteger(id))
      return mlirIntegerAttrGetValueInt(id) == program->groups[group].id;
  }
  return false;
}

// An op that hands on its operands does not look at them: if they are nowhere,
// it hands on garbage.
static bool hands_on(const op_t *op) {
  return op->does.does == DOES_JUMP || op->does.does == DOES_END ||
         (op->does.does >= DOES_CALL && op->does.does != DOES_ANYTHING);
}

// |op| looks at |index|: if it is in another layer group, that has a place.
static void note_use(program_t *program, const op_t *op, uint32_t index) {
  value_t *value = index == NONE ? NULL : &program->values[index];
  if (!value || !value->may_be_local)
    return;
  value->may_be_local =
      is_in_group(program, op->op, program->ops[value->op].group) ||
      never_runs(program, op->op);
}

static void find_local_values(program_t *program) {
  for (size_t i = 0; i < program->value_count; ++i) {
    value_t *value = &program->values[i];
    const op_t *op = value->op == NONE ? NULL : &program->ops[value->op];
    value->may_be_local = op && op->group != NONE && !op->hold;
  }
  for (size_t i = 0; i < program->op_count; ++i) {
    const op_t *op = &program->ops[i];
    for (uint32_t o = 0; o < op->operand_count; ++o)
      if (!hands_on(op) && !(o < 64 && op->does.unread >> o & 1))
        note_use(program, op, op->operands[o]);
    for (size_t c = 0; c < op->capture_count; ++c)
      note_use(program, op, op->captures[c]);
  }
}

const char *program_read(program_t *program, MlirOperation scope,
                         machine_arena_t *arena) {
  *program = (program_t){.arena = arena, .scope = scope, .wrong_value = NONE};
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(scope); ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(scope, r));
    if (mlirBlockIsNull(block))
      continue;
    for (MlirOperation op = mlirBlockGetFirstOperation(block);
         !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
      if (program_is_function(op))
        add_function(program, op);
  }
  for (uint32_t i = 0; i < program->op_count; ++i)
    link_op(program, i);
  for (size_t i = 0; i < program->region_count; ++i)
    find_reached(program, &program->regions[i]);
  find_local_values(program);
  find_unplanned(program);
  const char *wrong = places_read(program);
  return wrong ? wrong : copies_read(program);
}
