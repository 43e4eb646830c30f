// program_build.c - builds the program: numbers the ops, values and functions
// of a scope.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program_build.h"

#include <assert.h>

#include "annotations.h"
#include "constant_globals.h"
#include "diagnostics.h"
#include "input_attributes.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir_seam.h"
#include "op_model_read.h"
#include "op_models.h"
#include "permutations.h"
#include "scope_memories.h"
#include "scopes.h"
#include "type_models.h"
#include "vocabulary.h"

typedef struct builder_s {
  gmem_program_t *program;
  MlirSymbolTable symbols; // of the scope, null if it has none
  const gmem_op_models_t *models;
  const gmem_model_options_t *options;
  gmem_bump_t *arena;
  gmem_diag_t *diag;
  bool has_weight_arguments;
  MlirOperation function; // that is being numbered
  uint32_t holder;        // whose body is searched for weights
  gmem_names_seen_t seen;
  gmem_models_seen_t models_seen;
  gmem_sizes_seen_t sizes;
  gmem_name_set_t callee;
  size_t function_room, region_room, block_room, op_room, value_room;
} builder_t;

typedef struct mutable_search_s {
  MlirSymbolTable symbols;
  bool found;
} mutable_search_t;

static void look_for_mutable(MlirStringRef name, void *user) {
  mutable_search_t *search = user;
  MlirOperation named = mlirSymbolTableLookup(search->symbols, name);
  search->found |= !mlirOperationIsNull(named) &&
                   !mlirAttributeIsNull(gmem_op_attribute(named, "is_mutable"));
}

// The kind of an op by its model, except that a weight op that loads a mutable
// variable is not a constant.
static gmem_op_kind_t kind_of(const builder_t *builder, MlirOperation op,
                              const gmem_op_model_t *model) {
  gmem_op_kind_t kind = model->kind;
  mutable_search_t search = {builder->symbols, false};
  if (kind == GMEM_OP_WEIGHT && !mlirSymbolTableIsNull(builder->symbols)) {
    gmem_for_each_symbol(op, look_for_mutable, &search);
    // The name of the variable may be at the op that makes its address.
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      MlirValue operand = mlirOperationGetOperand(op, i);
      if (mlirValueIsAOpResult(operand))
        gmem_for_each_symbol(mlirOpResultGetOwner(operand), look_for_mutable,
                             &search);
      else
        search.found |=
            gmem_is_handle_type(builder->models, mlirValueGetType(operand));
    }
  }
  return search.found ? GMEM_OP_UNKNOWN : kind;
}

// Whether the op has operands that are tensors or stand for tensors.
static bool takes_memory(const gmem_op_models_t *models, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    uint64_t ignored;
    if (gmem_is_handle_type(models, mlirValueGetType(operand)) ||
        gmem_value_size(models, operand, NULL, &ignored) != GMEM_TYPE_NO_MEMORY)
      return true;
  }
  return false;
}

// Whether a result of the op is a handle that may alias its operands: the
// result of a reshape, or of an op without a model, such as a list of tensors.
static bool is_handle(const gmem_op_models_t *models,
                      const gmem_program_op_t *op, MlirType type) {
  return op->kind == GMEM_OP_RESHAPE ||
         (op->kind == GMEM_OP_UNKNOWN && gmem_is_handle_type(models, type) &&
          takes_memory(models, op->op));
}

static bool is_allocated(const gmem_program_t *program, MlirType type,
                         uint32_t op) {
  return op != GMEM_NO_INDEX && program->ops[op].kind == GMEM_OP_ALLOC &&
         gmem_is_memref_type(type);
}

// The kind and size of a value. An allocation remains an unsized memref when
// its size is unknown.
static gmem_status_t size_value(builder_t *builder, gmem_value_t *entry) {
  MlirType type = mlirValueGetType(entry->value);
  gmem_type_bounds_t bounds = {NULL, builder->options->dynamic_bound};
  if (entry->op != GMEM_NO_INDEX &&
      gmem_plain_size(type, builder->program->ops[entry->op].own,
                      &builder->sizes, &entry->size)) {
    entry->type = GMEM_TYPE_SIZED;
    return GMEM_OK;
  }
  if (mlirTypeIsARankedTensor(type) ||
      (entry->is_memref_root && mlirTypeIsAMemRef(type)))
    GMEM_TRY(gmem_bounds_read(entry->value, bounds.others, builder->arena,
                              &bounds, builder->diag));
  entry->type =
      gmem_value_size(builder->models, entry->value, &bounds, &entry->size);
  if (entry->is_memref_root) {
    gmem_type_kind_t kind = gmem_memref_size(type, &bounds, &entry->size);
    if (kind == GMEM_TYPE_SIZED || kind == GMEM_TYPE_TOO_LARGE)
      entry->type = kind;
    entry->is_bound =
        kind == GMEM_TYPE_SIZED && !mlirShapedTypeHasStaticShape(type);
  } else if (gmem_type_is_dynamic(type)) {
    uint64_t ignored;
    entry->is_bound = entry->type == GMEM_TYPE_SIZED;
    bounds.others = 0;
    entry->is_unbounded =
        gmem_value_size(builder->models, entry->value, &bounds, &ignored) ==
        GMEM_TYPE_DYNAMIC;
  }
  return GMEM_OK;
}

// Marks a constant argument of the function.
static gmem_status_t mark_weight_argument(builder_t *builder,
                                          gmem_value_t *value) {
  MlirAttribute attributes =
      gmem_argument_attributes(builder->function, value->number);
  if (mlirAttributeIsNull(attributes))
    return GMEM_OK;
  MlirAttribute own = mlirDictionaryAttrGetElementByName(
      attributes, gmem_attr_name(GMEM_ATTR_WEIGHT));
  if (!mlirAttributeIsNull(own) && !mlirAttributeIsAUnit(own))
    return gmem_bad_annotation(mlirOperationGetLocation(builder->function),
                               GMEM_ATTR_WEIGHT, "a unit attribute",
                               builder->diag);
  value->weight_argument =
      !mlirAttributeIsNull(own) ||
      gmem_op_models_is_weight(builder->models, attributes);
  builder->has_weight_arguments |= value->weight_argument;
  return GMEM_OK;
}

static gmem_status_t add_value(builder_t *builder, MlirValue value,
                               uint32_t block, uint32_t op, uint32_t number) {
  gmem_program_t *program = builder->program;
  gmem_value_t entry = {.value = value,
                        .block = block,
                        .op = op,
                        .number = number,
                        .is_memref_root =
                            is_allocated(program, mlirValueGetType(value), op)};
  assert(block < program->block_count);
  GMEM_TRY(size_value(builder, &entry));
  if (entry.type == GMEM_TYPE_NO_MEMORY &&
      (op == GMEM_NO_INDEX ||
       !is_handle(builder->models, &program->ops[op], mlirValueGetType(value))))
    return GMEM_OK;
  if (entry.type == GMEM_TYPE_TOO_LARGE)
    return gmem_error(builder->diag, GMEM_ERR_OUT_OF_RANGE,
                      mlirValueGetLocation(value), NULL, 0,
                      "the size of this %s does not fit in 63 bits",
                      entry.is_memref_root ? "memref" : "tensor");
  if (op == GMEM_NO_INDEX && gmem_is_entry_block(program, block))
    GMEM_TRY(mark_weight_argument(builder, &entry));
  GMEM_TRY_GROW(builder->arena, program->values, program->value_count,
                builder->value_room, builder->diag);
  program->values[program->value_count++] = entry;
  return GMEM_OK;
}

// The flat group of an op: from its own attribute, or its parent's.
static gmem_status_t read_group(builder_t *builder, gmem_program_op_t *step) {
  MlirAttribute group = gmem_own_attribute(step, GMEM_ATTR_LAYER_GROUP);
  if (mlirAttributeIsNull(group))
    return GMEM_OK;
  if (mlirAttributeIsAUnit(group)) {
    step->opaque = true;
    return GMEM_OK;
  }
  if (!mlirAttributeIsAInteger(group) || mlirAttributeIsABool(group) ||
      !mlirTypeIsAInteger(mlirAttributeGetType(group)) ||
      mlirIntegerTypeGetWidth(mlirAttributeGetType(group)) > 64 ||
      mlirIntegerAttrGetValueInt(group) == GMEM_NO_GROUP)
    return gmem_bad_annotation(mlirOperationGetLocation(step->op),
                               GMEM_ATTR_LAYER_GROUP,
                               "a unit attribute or an integer", builder->diag);
  if (!gmem_ends_block(step->op))
    step->group = mlirIntegerAttrGetValueInt(group);
  return GMEM_OK;
}

// Sets the properties that follow from the op's model, its attributes and its
// enclosing ops.
static gmem_status_t classify(builder_t *builder, gmem_program_op_t *step) {
  bool is_function = gmem_is_function(step->op);
  if (step->own)
    GMEM_TRY(gmem_input_attributes_check(step->op, step->own, builder->diag));
  const gmem_program_op_t *parent = step->parent == GMEM_NO_INDEX
                                        ? NULL
                                        : &builder->program->ops[step->parent];
  step->group = parent ? parent->group : GMEM_NO_GROUP;
  step->opaque = step->kind == GMEM_OP_LAYER_GROUP ||
                 step->kind == GMEM_OP_SCALAR_BODY || is_function;
  bool starts_deferred =
      is_function || gmem_starts_deferred(builder->models, step);
  bool may_repeat = parent || builder->program->blocks[step->block].number != 0;
  step->deferred = starts_deferred || (parent && parent->deferred);
  // If it is started again, its previous execution may still be running.
  step->parallel = step->kind == GMEM_OP_PARALLEL ||
                   (parent && parent->parallel) ||
                   (starts_deferred && may_repeat);
  MlirAttribute hold = gmem_own_attribute(step, GMEM_ATTR_HOLD);
  step->hold = !mlirAttributeIsNull(hold);
  if (step->hold && !mlirAttributeIsAUnit(hold))
    return gmem_bad_annotation(mlirOperationGetLocation(step->op),
                               GMEM_ATTR_HOLD, "a unit attribute",
                               builder->diag);
  return read_group(builder, step);
}

static gmem_status_t add_region(builder_t *builder, MlirRegion region,
                                uint32_t owner, uint32_t number);

static gmem_status_t add_results(builder_t *builder, uint32_t index) {
  const gmem_program_op_t *step = &builder->program->ops[index];
  MlirOperation op = step->op;
  uint32_t block = step->block;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    GMEM_TRY(add_value(builder, mlirOperationGetResult(op, i), block, index,
                       (uint32_t)i));
  return GMEM_OK;
}

// Appends |step| and its results; |*out_index| is its number.
static gmem_status_t append_op(builder_t *builder,
                               const gmem_program_op_t *step,
                               uint32_t *out_index) {
  gmem_program_t *program = builder->program;
  *out_index = (uint32_t)program->op_count;
  assert(step->begin < step->end && step->end <= program->step_count);
  GMEM_TRY_GROW(builder->arena, program->ops, program->op_count,
                builder->op_room, builder->diag);
  program->own |= step->own;
  program->ops[program->op_count++] = *step;
  return add_results(builder, *out_index);
}

// Adds |op|, in the body of |builder->holder|, if it is a weight.
static gmem_status_t add_if_weight(MlirOperation op, void *user) {
  builder_t *builder = user;
  gmem_program_op_t step = builder->program->ops[builder->holder];
  if (mlirOperationEqual(op, step.op))
    return GMEM_OK;
  step.parent = builder->holder;
  step.op = op;
  step.own = gmem_own_attributes(op, &builder->seen);
  step.opaque = false;
  GMEM_TRY(gmem_op_models_of_each(builder->models, op, step.own,
                                  &builder->models_seen, builder->arena,
                                  &step.model, builder->diag));
  step.kind = kind_of(builder, op, step.model);
  uint32_t index;
  return step.kind == GMEM_OP_WEIGHT ? append_op(builder, &step, &index)
                                     : GMEM_OK;
}

// Weights inside a layer group are global nevertheless; they are listed at the
// group's step.
static gmem_status_t add_weights_inside(builder_t *builder, uint32_t holder) {
  const gmem_program_op_t *step = &builder->program->ops[holder];
  builder->holder = holder;
  assert(holder + 1 == builder->program->op_count); // it is the newest
  return step->opaque && step->kind != GMEM_OP_SCALAR_BODY && !step->deferred
             ? gmem_walk(step->op, add_if_weight, builder)
             : GMEM_OK;
}

// Whether the op names a function in its attribute "callee".
static bool names_callee(builder_t *builder, MlirOperation op) {
  return gmem_may_have_attributes(op, &builder->callee) &&
         gmem_attribute_is(gmem_op_attribute(op, "callee"),
                           mlirAttributeIsASymbolRef);
}

// Numbers |op| and the contents of its regions.
static gmem_status_t add_op(builder_t *builder, MlirOperation op,
                            uint32_t parent, uint32_t block) {
  gmem_program_t *program = builder->program;
  uint32_t index;
  const gmem_op_model_t *model;
  uint64_t own = gmem_own_attributes(op, &builder->seen);
  GMEM_TRY(gmem_op_models_of_each(builder->models, op, own,
                                  &builder->models_seen, builder->arena, &model,
                                  builder->diag));
  if (gmem_op_moves_nothing(model, op, builder->models, builder->arena))
    model = &gmem_view_model;
  if (program->step_count >= INT32_MAX / 2) // each takes two at most
    return gmem_op_error(builder->diag, GMEM_ERR_OUT_OF_RANGE, program->scope,
                         "too many ops");
  gmem_program_op_t step = {.op = op,
                            .model = model,
                            .kind = kind_of(builder, op, model),
                            .own = own,
                            .parent = parent,
                            .first_region = GMEM_NO_INDEX,
                            .block = block,
                            .function = (uint32_t)program->function_count,
                            .begin = (int32_t)program->step_count++};
  step.end = (int32_t)program->step_count;
  GMEM_TRY(classify(builder, &step));
  GMEM_TRY(append_op(builder, &step, &index));
  GMEM_TRY(add_weights_inside(builder, index));
  intptr_t regions = step.opaque ? 0 : mlirOperationGetNumRegions(op);
  for (intptr_t i = 0; i < regions; ++i)
    GMEM_TRY(
        add_region(builder, mlirOperationGetRegion(op, i), index, (uint32_t)i));
  if (regions || names_callee(builder, op))
    program->ops[index].end = (int32_t)++program->step_count;
  return GMEM_OK;
}

static gmem_status_t add_block(builder_t *builder, MlirBlock block,
                               uint32_t region, uint32_t number) {
  gmem_program_t *program = builder->program;
  uint32_t index = (uint32_t)program->block_count;
  assert(region < program->region_count);
  uint32_t owner = program->regions[region].owner;
  GMEM_TRY_GROW(builder->arena, program->blocks, program->block_count,
                builder->block_room, builder->diag);
  program->blocks[program->block_count++] =
      (gmem_block_t){.block = block,
                     .region = region,
                     .number = number,
                     .next = GMEM_NO_INDEX,
                     .first_op = GMEM_NO_INDEX,
                     .last_op = GMEM_NO_INDEX,
                     .begin = program->step_count};
  if (owner == GMEM_NO_INDEX && number == 0)
    --program->blocks[index].begin;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    GMEM_TRY(add_value(builder, mlirBlockGetArgument(block, i), index,
                       GMEM_NO_INDEX, (uint32_t)i));
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    program->blocks[index].last_op = (uint32_t)program->op_count;
    GMEM_TRY(add_op(builder, op, owner, index));
  }
  program->blocks[index].end = program->step_count;
  return GMEM_OK;
}

static gmem_status_t add_region(builder_t *builder, MlirRegion region,
                                uint32_t owner, uint32_t number) {
  gmem_program_t *program = builder->program;
  uint32_t index = (uint32_t)program->region_count;
  assert(owner == GMEM_NO_INDEX || owner < program->op_count);
  GMEM_TRY_GROW(builder->arena, program->regions, program->region_count,
                builder->region_room, builder->diag);
  // The step of the op, or of the function's arguments, was already counted.
  program->regions[program->region_count++] =
      (gmem_ir_region_t){.begin = program->step_count - 1,
                         .function = (uint32_t)program->function_count,
                         .owner = owner,
                         .number = number,
                         .next = GMEM_NO_INDEX,
                         .first_block = GMEM_NO_INDEX};
  if (owner != GMEM_NO_INDEX)
    program->regions[index].begin = program->ops[owner].begin;
  uint32_t block_number = 0;
  for (MlirBlock block = mlirRegionGetFirstBlock(region);
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    GMEM_TRY(add_block(builder, block, index, block_number++));
  program->regions[index].block_count = block_number;
  return GMEM_OK;
}

// Links the ops of each block, the blocks of each region and the regions of
// each op, in walk order. Regions end with their op: an earlier region of an op
// may run again after a later one, as in a loop with a condition and a body.
static void link_lists(gmem_program_t *program) {
  for (uint32_t i = (uint32_t)program->op_count; i-- > 0;) {
    uint32_t *first = &program->blocks[program->ops[i].block].first_op;
    program->ops[i].next = *first;
    *first = i;
  }
  for (uint32_t i = (uint32_t)program->block_count; i-- > 0;) {
    uint32_t *first = &program->regions[program->blocks[i].region].first_block;
    program->blocks[i].next = *first;
    *first = i;
  }
  for (uint32_t i = (uint32_t)program->region_count; i-- > 0;) {
    gmem_ir_region_t *region = &program->regions[i];
    region->end = program->functions[region->function].end;
    if (region->owner == GMEM_NO_INDEX)
      continue;
    gmem_program_op_t *owner = &program->ops[region->owner];
    assert(!owner->opaque);
    region->end = owner->end;
    region->next = owner->first_region;
    owner->first_region = i;
  }
}

static void unmark_callee(MlirStringRef name, void *user) {
  const builder_t *builder = user;
  const gmem_program_t *program = builder->program;
  MlirOperation callee = mlirSymbolTableLookup(builder->symbols, name);
  for (size_t i = 0; i < program->function_count; ++i) {
    const gmem_function_t *function = &program->functions[i];
    for (size_t k = function->first_value;
         mlirOperationEqual(function->op, callee) && k < function->end_value;
         ++k)
      program->values[k].weight_argument = false;
  }
}

static MlirWalkResult unmark_callees(MlirOperation op, void *user) {
  gmem_for_each_symbol(op, unmark_callee, user);
  return MlirWalkResultAdvance;
}

// An argument passed by a caller need not be a constant.
static void keep_uncalled_weights(builder_t *builder) {
  if (builder->has_weight_arguments && !mlirSymbolTableIsNull(builder->symbols))
    mlirOperationWalk(builder->program->scope, unmark_callees, builder,
                      MlirWalkPreOrder);
}

static void note_argument_layouts(gmem_program_t *program, MlirOperation op) {
  intptr_t count = mlirBlockGetNumArguments(gmem_entry_block(op));
  for (intptr_t i = 0; i < count; ++i)
    if (!mlirAttributeIsNull(
            gmem_argument_annotation(op, i, GMEM_ATTR_PADDING)))
      program->own |= UINT64_C(1) << GMEM_ATTR_PADDING;
}

static gmem_status_t add_function(builder_t *builder, MlirOperation op) {
  gmem_program_t *program = builder->program;
  MlirAttribute init = gmem_op_annotation(op, GMEM_ATTR_INIT);
  if (!mlirAttributeIsNull(init) && !mlirAttributeIsAUnit(init))
    return gmem_bad_annotation(mlirOperationGetLocation(op), GMEM_ATTR_INIT,
                               "a unit attribute", builder->diag);
  gmem_function_t function = {
      .op = op,
      .name = mlirStringAttrGetValue(gmem_op_attribute(op, "sym_name")),
      .begin = program->step_count++,
      .first_op = (uint32_t)program->op_count,
      .first_value = (uint32_t)program->value_count,
      .first_block = (uint32_t)program->block_count,
      .is_init = !mlirAttributeIsNull(init)};
  builder->function = op;
  note_argument_layouts(program, op);
  GMEM_TRY(
      add_region(builder, mlirOperationGetRegion(op, 0), GMEM_NO_INDEX, 0));
  function.end = program->step_count;
  function.end_op = (uint32_t)program->op_count;
  function.end_value = (uint32_t)program->value_count;
  function.end_block = (uint32_t)program->block_count;
  GMEM_TRY_GROW(builder->arena, program->functions, program->function_count,
                builder->function_room, builder->diag);
  program->functions[program->function_count++] = function;
  return GMEM_OK;
}

static gmem_status_t index_values(builder_t *builder) {
  gmem_program_t *program = builder->program;
  return gmem_pointer_index_make(&program->value_index, program->values,
                                 program->value_count, sizeof *program->values,
                                 builder->arena, builder->diag);
}

// A reshape creates no new bytes: without a bound of its own, its result has
// the size of its operand. One of another size, as where layouts round sizes up
// to tiles, is not a view, but copies.
static void size_reshapes(gmem_program_t *program) {
  for (uint32_t i = 0; i < program->value_count; ++i) {
    gmem_value_t *value = &program->values[i];
    if (value->op == GMEM_NO_INDEX || value->number != 0 ||
        program->ops[value->op].kind != GMEM_OP_RESHAPE)
      continue;
    gmem_program_op_t *op = &program->ops[value->op];
    uint32_t operand = gmem_operand_value(program, op->op, 0);
    if (operand == GMEM_NO_INDEX ||
        program->values[operand].type != GMEM_TYPE_SIZED)
      continue;
    const gmem_value_t *from = &program->values[operand];
    if (value->is_unbounded) {
      value->type = GMEM_TYPE_SIZED;
      value->size = from->size;
      value->is_bound = from->is_bound;
    } else if (value->type == GMEM_TYPE_SIZED && value->size != from->size) {
      op->kind = gmem_copy_model.kind;
      op->model = &gmem_copy_model;
    }
  }
}

static gmem_status_t add_functions(builder_t *builder) {
  MlirOperation scope = builder->program->scope;
  GMEM_TRY(gmem_function_attributes_check(scope, builder->diag));
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(scope); ++i)
    for (MlirOperation op = gmem_first_op(scope, i); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
      GMEM_TRY(gmem_function_attributes_check(op, builder->diag));
      if (gmem_is_function(op))
        GMEM_TRY(add_function(builder, op));
    }
  return GMEM_OK;
}

// The function that |op| calls, if the op returns a handle; else GMEM_NO_INDEX.
static uint32_t started_by(builder_t *builder, const gmem_program_op_t *op,
                           const gmem_pointer_map_t *functions) {
  if (op->deferred || !names_callee(builder, op->op) ||
      !gmem_yields_handle(builder->models, op->op))
    return GMEM_NO_INDEX;
  MlirOperation called = gmem_function_called(builder->symbols, op->op);
  return mlirOperationIsNull(called)
             ? GMEM_NO_INDEX
             : gmem_pointer_map_find(functions, called.ptr);
}

// A call that returns a handle of work which its callee has started is deferred
// as that is: it goes on when the callee has returned.
static gmem_status_t defer_calls(builder_t *builder) {
  gmem_program_t *program = builder->program;
  gmem_pointer_map_t functions;
  bool *starts, is_changed = false; // by function: some of its code is deferred
  GMEM_TRY_ALLOC(starts, builder->arena, program->function_count,
                 builder->diag);
  for (uint32_t i = 0; i < program->op_count; ++i)
    is_changed |= starts[program->ops[i].function] |= program->ops[i].deferred;
  if (!is_changed)
    return GMEM_OK;
  GMEM_TRY(gmem_pointer_map_make(&functions, program->function_count,
                                 builder->arena, builder->diag));
  for (uint32_t f = 0; f < program->function_count; ++f)
    gmem_pointer_map_add(&functions, program->functions[f].op.ptr, f);
  while (is_changed) {
    is_changed = false;
    // Forward and back: callees may stand before or behind their callers.
    for (size_t k = 0; k < 2 * program->op_count; ++k) {
      size_t last = 2 * program->op_count - 1;
      gmem_program_op_t *op =
          &program->ops[k < program->op_count ? k : last - k];
      uint32_t callee = started_by(builder, op, &functions);
      if (callee == GMEM_NO_INDEX || !starts[callee])
        continue;
      op->deferred = starts[op->function] = is_changed = true;
      op->parallel |=
          op->parent != GMEM_NO_INDEX || program->blocks[op->block].number != 0;
    }
  }
  return GMEM_OK;
}

static gmem_status_t add_scope(builder_t *builder) {
  GMEM_TRY(add_functions(builder));
  link_lists(builder->program);
  GMEM_TRY(defer_calls(builder));
  keep_uncalled_weights(builder);
  GMEM_TRY(index_values(builder));
  if (builder->options->memrefs)
    GMEM_TRY(gmem_constant_globals_find(builder->program, builder->symbols,
                                        builder->arena, builder->diag));
  GMEM_TRY(gmem_transforms_check(builder->program, builder->symbols,
                                 builder->arena, builder->diag));
  size_reshapes(builder->program);
  assert(gmem_program_check(builder->program));
  return GMEM_OK;
}

gmem_status_t
gmem_program_build(MlirOperation scope, const gmem_op_models_t *models,
                   const gmem_model_options_t *options, gmem_bump_t *arena,
                   gmem_program_t *out_program, gmem_diag_t *diag) {
  MlirIdentifier callee =
      mlirIdentifierGet(mlirOperationGetContext(scope), gmem_string("callee"));
  *out_program = (gmem_program_t){.scope = scope, .models = models};
  builder_t builder = {.program = out_program,
                       .symbols = mlirSymbolTableCreate(scope),
                       .models = models,
                       .options = options,
                       .arena = arena,
                       .diag = diag,
                       .callee = {.names = &callee, .count = 1}};
  gmem_status_t status = gmem_scope_memories_read(
      scope, arena, &out_program->memories, &out_program->memory_count, diag);
  if (status == GMEM_OK)
    status = add_scope(&builder);
  if (!mlirSymbolTableIsNull(builder.symbols))
    mlirSymbolTableDestroy(builder.symbols);
  return status;
}
