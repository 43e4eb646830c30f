// hoist.c - see hoist.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "hoist.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "annotations.h"
#include "attribute_codec.h"
#include "attribute_names.h"
#include "ir_builder.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir_seam.h"
#include "scopes.h"
#include "vocabulary.h"

const char *const gmem_hoist_dialects[] = {"bufferization", "func", "memref",
                                           NULL};

// A value that becomes a constant.
typedef struct computed_s {
  MlirValue value;  // of the request
  const char *name; // of the global
  MlirType memref;
  MlirOperation global;
} computed_t;

typedef struct hoister_s {
  const gmem_hoisting_t *choice;
  const gmem_program_t *program;
  MlirContext context;
  MlirSymbolTable symbols;
  const char *base;       // name of the function that names what is new
  const char *name;       // of the new function
  MlirOperation function; // the new one
  MlirBlock body;
  const bool *is_left;       // by op: a constant that nothing else reads
  MlirOperation *clone_of;   // by op: in the new function, or null
  MlirValue *argument_of;    // by value that is an argument: the same
  MlirAttribute *attributes; // by argument of the new function
  int64_t numbers;           // of gmem.constant, so far
  GMEM_LIST(computed_t) computed;
  gmem_bump_t *arena;
  gmem_diag_t *diag;
} hoister_t;

//===--- names ------------------------------------------------------------===//

// BASE_WHAT, or with a number that makes it unique.
static const char *unique_name(const hoister_t *hoister, const char *what) {
  size_t room = strlen(hoister->base) + strlen(what) + 24;
  char *name = gmem_bump_alloc(hoister->arena, room, 1);
  if (!name)
    return NULL;
  snprintf(name, room, "%s_%s", hoister->base, what);
  for (unsigned i = 2; !mlirOperationIsNull(
           mlirSymbolTableLookup(hoister->symbols, gmem_string(name)));
       ++i)
    snprintf(name, room, "%s_%s_%u", hoister->base, what, i);
  return name;
}

// The first function with a hoisted op that nothing calls, or else the first
// with one.
static gmem_status_t choose_names(hoister_t *hoister) {
  const gmem_program_t *program = hoister->program;
  const gmem_calls_t *calls =
      &hoister->choice->derivation->analysis->facts.calls;
  uint32_t chosen = GMEM_NO_INDEX;
  for (uint32_t i = 0; i < program->op_count; ++i) {
    uint32_t function = program->ops[i].function;
    if (!hoister->choice->hoisted[i])
      continue;
    if (calls->callees[function].mentions == 0) {
      chosen = function;
      break;
    }
    if (chosen == GMEM_NO_INDEX)
      chosen = function;
  }
  assert(chosen != GMEM_NO_INDEX);
  MlirStringRef name = program->functions[chosen].name;
  hoister->base = gmem_bump_string(hoister->arena, name.data, name.length);
  if (!hoister->base)
    return gmem_out_of_memory(hoister->diag);
  hoister->name = unique_name(hoister, "init");
  return hoister->name ? GMEM_OK : gmem_out_of_memory(hoister->diag);
}

//===--- one constant in two places ---------------------------------------===//

// The largest gmem.constant in the scope.
static void count_numbers(hoister_t *hoister) {
  const gmem_program_t *program = hoister->program;
  int64_t number;
  for (uint32_t i = 0; i < program->value_count; ++i) {
    const gmem_value_t *value = &program->values[i];
    MlirAttribute stated =
        value->op != GMEM_NO_INDEX
            ? gmem_op_annotation(program->ops[value->op].op, GMEM_ATTR_CONSTANT)
            : gmem_argument_annotation(
                  program->functions[gmem_value_function(program, i)].op,
                  value->number, GMEM_ATTR_CONSTANT);
    if (!mlirAttributeIsNull(stated) && gmem_i64_get(stated, &number) &&
        number > hoister->numbers && number < INT64_MAX / 2)
      hoister->numbers = number;
  }
}

static MlirAttribute next_number(hoister_t *hoister) {
  return gmem_i64_attribute(hoister->context, ++hoister->numbers);
}

// The attributes of an argument that its copy has as well: those of a plan are
// left out.
static MlirAttribute filter(const hoister_t *hoister, MlirAttribute all,
                            MlirAttribute number) {
  intptr_t count =
      mlirAttributeIsNull(all) ? 0 : mlirDictionaryAttrGetNumElements(all);
  MlirNamedAttribute *kept =
      gmem_bump_alloc(hoister->arena, (size_t)count + 1, sizeof *kept);
  intptr_t size = 0;
  for (intptr_t i = 0; kept && i < count; ++i) {
    MlirNamedAttribute entry = mlirDictionaryAttrGetElement(all, i);
    MlirStringRef name = mlirIdentifierStr(entry.name);
    if (!gmem_is_plan_attribute(name) &&
        gmem_attribute_find(name) != GMEM_ATTR_CONSTANT)
      kept[size++] = entry;
  }
  if (!kept)
    return mlirAttributeGetNull(); // out of memory
  kept[size++] = gmem_named(gmem_vocabulary[GMEM_ATTR_CONSTANT].name, number);
  return mlirDictionaryAttrGet(hoister->context, size, kept);
}

// Sets the attributes of argument |number| of a function.
static void set_argument_attributes(const hoister_t *hoister,
                                    MlirOperation function, intptr_t number,
                                    MlirAttribute attributes) {
  MlirAttribute all = gmem_op_attribute(function, "arg_attrs");
  intptr_t count = mlirBlockGetNumArguments(gmem_entry_block(function));
  MlirAttribute *list =
      gmem_bump_alloc(hoister->arena, (size_t)count, sizeof *list);
  bool has_all = gmem_attribute_is(all, mlirAttributeIsAArray) &&
                 mlirArrayAttrGetNumElements(all) == count;
  for (intptr_t i = 0; list && i < count; ++i)
    list[i] = i == number ? attributes
              : has_all   ? mlirArrayAttrGetElement(all, i)
                          : mlirDictionaryAttrGet(hoister->context, 0, NULL);
  if (list && !mlirAttributeIsNull(attributes))
    mlirOperationSetAttributeByName(
        function, gmem_string("arg_attrs"),
        mlirArrayAttrGet(hoister->context, count, list));
}

// The argument of the new function for the constant argument |value|.
static MlirValue argument_for(hoister_t *hoister, MlirValue value) {
  uint32_t number = gmem_program_find(hoister->program, value);
  assert(number != GMEM_NO_INDEX);
  MlirValue *made = &hoister->argument_of[number];
  if (!mlirValueIsNull(*made))
    return *made;
  MlirOperation from =
      mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  intptr_t position = mlirBlockArgumentGetArgNumber(value);
  MlirAttribute attributes = filter(
      hoister, gmem_argument_attributes(from, position), next_number(hoister));
  set_argument_attributes(hoister, from, position, attributes);
  hoister->attributes[mlirBlockGetNumArguments(hoister->body)] = attributes;
  *made = mlirBlockAddArgument(hoister->body, mlirValueGetType(value),
                               mlirValueGetLocation(value));
  return *made;
}

//===--- clones -----------------------------------------------------------===//

static MlirOperation clone(hoister_t *hoister, MlirOperation op);

// The value that stands for |value| in the new function.
static MlirValue value_for(hoister_t *hoister, MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return argument_for(hoister, value);
  return mlirOperationGetResult(clone(hoister, mlirOpResultGetOwner(value)),
                                mlirOpResultGetResultNumber(value));
}

typedef struct remap_s {
  hoister_t *hoister;
  MlirOperation clone; // whose operands and captured values are replaced
} remap_t;

static bool is_within(MlirOperation inner, MlirOperation op) {
  while (!mlirOperationIsNull(inner) && !mlirOperationEqual(inner, op))
    inner = mlirOperationGetParentOperation(inner);
  return !mlirOperationIsNull(inner);
}

static gmem_status_t remap(MlirOperation op, void *user) {
  const remap_t *remap = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    MlirOperation owner =
        mlirValueIsAOpResult(value)
            ? mlirOpResultGetOwner(value)
            : mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    if (mlirOperationEqual(op, remap->clone) || !is_within(owner, remap->clone))
      mlirOperationSetOperand(op, i, value_for(remap->hoister, value));
  }
  return GMEM_OK;
}

static void drop_plan(MlirOperation op) {
  for (intptr_t i = mlirOperationGetNumDiscardableAttributes(op); i-- > 0;) {
    MlirStringRef name =
        mlirIdentifierStr(mlirOperationGetDiscardableAttribute(op, i).name);
    if (gmem_is_plan_attribute(name))
      mlirOperationRemoveDiscardableAttributeByName(op, name);
  }
}

// Whether only ops that are hoisted, or feed such ops, use the results.
static bool is_left_behind(const hoister_t *hoister, MlirOperation op) {
  const gmem_hoisting_t *choice = hoister->choice;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    for (MlirOpOperand use =
             mlirValueGetFirstUse(mlirOperationGetResult(op, i));
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      uint32_t user = gmem_derivation_outermost(choice->derivation,
                                                mlirOpOperandGetOwner(use));
      if (user == GMEM_NO_INDEX || !choice->leaves[user])
        return false;
    }
  return true;
}

// A constant that other ops read, too, is one with its clone.
static void number_constant(hoister_t *hoister, MlirOperation op,
                            MlirOperation made) {
  const gmem_program_t *program = hoister->program;
  uint32_t value = gmem_result_value(program, op, 0);
  MlirAttribute number = gmem_op_annotation(op, GMEM_ATTR_CONSTANT);
  if (mlirOperationGetNumResults(op) != 1 || value == GMEM_NO_INDEX ||
      !gmem_value_is_weight(program, value) ||
      gmem_defining_op(program, value)->has_global ||
      !mlirAttributeIsNull(number) ||
      hoister->is_left[gmem_defining_op(program, value) - program->ops])
    return;
  number = next_number(hoister);
  gmem_op_annotate(op, GMEM_ATTR_CONSTANT, number);
  gmem_op_annotate(made, GMEM_ATTR_CONSTANT, number);
}

// The clone of a constant or derived op, made before what is cloned next. What
// an op uses is cloned first; ops are cloned in program order, so this is no
// deep recursion.
static MlirOperation clone(hoister_t *hoister, MlirOperation op) {
  const gmem_derivation_t *derivation = hoister->choice->derivation;
  uint32_t number = gmem_pointer_map_find(&derivation->number, op.ptr);
  assert(number != GMEM_NO_INDEX);
  if (!mlirOperationIsNull(hoister->clone_of[number]))
    return hoister->clone_of[number];
  MlirOperation made = mlirOperationClone(op);
  remap_t walk = {hoister, made};
  drop_plan(made);
  if (derivation->origin[number] == GMEM_ORIGIN_CONSTANT)
    number_constant(hoister, op, made);
  hoister->clone_of[number] = made;
  (void)gmem_walk(made, remap, &walk);
  mlirBlockAppendOwnedOperation(hoister->body, made);
  return made;
}

//===--- the constants that are computed ----------------------------------===//

// Declares the constant, before the new function, and adds it to the list.
static gmem_status_t declare(hoister_t *hoister, computed_t *made,
                             MlirLocation location) {
  char what[40];
  snprintf(what, sizeof what, "constant_%u", (unsigned)hoister->computed.count);
  made->name = unique_name(hoister, what);
  GMEM_APPEND(hoister->arena, &hoister->computed, *made);
  GMEM_TRY(gmem_bump_status(hoister->arena, hoister->diag));
  gmem_builder_t at = gmem_build_before(hoister->function);
  at.location = location;
  hoister->computed.at[hoister->computed.count - 1].global = gmem_build(
      &at, "memref.global", NULL, 0,
      (gmem_named_t[]){
          {"sym_name", gmem_text_attribute(hoister->context, made->name)},
          {"sym_visibility", gmem_text_attribute(hoister->context, "private")},
          {"type", mlirTypeAttrGet(made->memref)},
          {"initial_value", mlirUnitAttrGet(hoister->context)},
          {gmem_vocabulary[GMEM_ATTR_INIT].name,
           gmem_text_attribute(hoister->context, hoister->name)},
          {NULL, {NULL}}});
  return GMEM_OK;
}

static MlirValue get_global(const hoister_t *hoister, const gmem_builder_t *at,
                            const computed_t *made) {
  return gmem_build_value(
      at, "memref.get_global", NULL, 0, made->memref,
      (gmem_named_t[]){
          {"name", gmem_symbol_attribute(hoister->context, made->name)},
          {NULL, {NULL}}});
}

// Whether an op that remains uses the value.
static bool is_needed(const hoister_t *hoister, MlirValue value) {
  const gmem_hoisting_t *choice = hoister->choice;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    uint32_t op = gmem_derivation_outermost(choice->derivation,
                                            mlirOpOperandGetOwner(use));
    if (op == GMEM_NO_INDEX || !choice->leaves[op])
      return true;
  }
  return false;
}

// Stores the results of the hoisted op |op| that requests need.
static gmem_status_t store(hoister_t *hoister, MlirOperation op) {
  MlirAttribute unit = mlirUnitAttrGet(hoister->context);
  gmem_builder_t end = {hoister->body, {NULL}, mlirOperationGetLocation(op)};
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    if (!is_needed(hoister, result))
      continue;
    computed_t made = {.value = result,
                       .memref =
                           gmem_constant_memref(mlirValueGetType(result))};
    assert(!mlirTypeIsNull(made.memref)); // or it would stay
    GMEM_TRY(declare(hoister, &made, end.location));
    MlirValue operands[] = {value_for(hoister, result),
                            get_global(hoister, &end, &made)};
    gmem_build(&end, "bufferization.materialize_in_destination", operands, 2,
               (gmem_named_t[]){
                   {"restrict", unit}, {"writable", unit}, {NULL, {NULL}}});
  }
  return GMEM_OK;
}

// Lets the ops that remain read a constant instead of the value.
static void replace_uses(const hoister_t *hoister, const computed_t *made) {
  const gmem_hoisting_t *choice = hoister->choice;
  MlirAttribute unit = mlirUnitAttrGet(hoister->context);
  gmem_builder_t here = gmem_build_before(mlirOpResultGetOwner(made->value));
  MlirValue global = get_global(hoister, &here, made);
  MlirValue tensor =
      gmem_build_value(&here, "bufferization.to_tensor", &global, 1,
                       mlirValueGetType(made->value),
                       (gmem_named_t[]){{"restrict", unit}, {NULL, {NULL}}});
  for (MlirOpOperand use = mlirValueGetFirstUse(made->value), next;
       !mlirOpOperandIsNull(use); use = next) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    uint32_t op = gmem_derivation_outermost(choice->derivation, user);
    next = mlirOpOperandGetNextUse(use);
    if (op == GMEM_NO_INDEX || !choice->leaves[op])
      mlirOperationSetOperand(user, mlirOpOperandGetOperandNumber(use), tensor);
  }
}

//===--- the function -----------------------------------------------------===//

// The place before the first function or global of the scope.
static MlirOperation first_symbol(const hoister_t *hoister) {
  MlirOperation op = hoister->program->functions[0].op;
  return mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
}

static void create_function(hoister_t *hoister) {
  gmem_builder_t at = gmem_build_before(first_symbol(hoister));
  at.location = mlirOperationGetLocation(hoister->program->functions[0].op);
  hoister->function = gmem_build_parts(
      &at,
      &(gmem_op_parts_t){
          .name = "func.func",
          .attributes =
              (gmem_named_t[]){
                  {"sym_name",
                   gmem_text_attribute(hoister->context, hoister->name)},
                  {"function_type", mlirTypeAttrGet(mlirFunctionTypeGet(
                                        hoister->context, 0, NULL, 0, NULL))},
                  {gmem_vocabulary[GMEM_ATTR_INIT].name,
                   mlirUnitAttrGet(hoister->context)},
                  {NULL, {NULL}}},
          .has_region = true});
  hoister->body = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(hoister->function, 0),
                             hoister->body);
}

// The return, and the arguments that turned out to be necessary.
static gmem_status_t finish_function(const hoister_t *hoister) {
  gmem_builder_t end = {
      hoister->body, {NULL}, mlirOperationGetLocation(hoister->function)};
  intptr_t count = mlirBlockGetNumArguments(hoister->body);
  MlirType *types;
  gmem_build(&end, "func.return", NULL, 0, NULL);
  if (count == 0)
    return GMEM_OK;
  GMEM_TRY_ALLOC(types, hoister->arena, (size_t)count, hoister->diag);
  for (intptr_t i = 0; i < count; ++i)
    types[i] = mlirValueGetType(mlirBlockGetArgument(hoister->body, i));
  mlirOperationSetAttributeByName(
      hoister->function, gmem_string("function_type"),
      mlirTypeAttrGet(
          mlirFunctionTypeGet(hoister->context, count, types, 0, NULL)));
  mlirOperationSetAttributeByName(
      hoister->function, gmem_string("arg_attrs"),
      mlirArrayAttrGet(hoister->context, count, hoister->attributes));
  return GMEM_OK;
}

static bool is_unused(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!mlirOpOperandIsNull(
            mlirValueGetFirstUse(mlirOperationGetResult(op, i))))
      return false;
  return true;
}

// Erases derived ops and constants that nothing uses any more.
static void erase_unused(const hoister_t *hoister) {
  const gmem_hoisting_t *choice = hoister->choice;
  const gmem_op_origin_t *origin = choice->derivation->origin;
  for (size_t i = hoister->program->op_count; i-- > 0;) {
    MlirOperation op = hoister->program->ops[i].op;
    bool was_cloned = !mlirOperationIsNull(hoister->clone_of[i]);
    if (was_cloned &&
        (origin[i] == GMEM_ORIGIN_DERIVED ||
         origin[i] == GMEM_ORIGIN_CONSTANT) &&
        is_unused(op))
      mlirOperationDestroy(op);
  }
}

// Before clones use constants, too.
static gmem_status_t find_left(hoister_t *hoister) {
  const gmem_program_t *program = hoister->program;
  bool *is_left;
  GMEM_TRY_ALLOC(is_left, hoister->arena, program->op_count, hoister->diag);
  hoister->is_left = is_left;
  for (uint32_t i = 0; i < program->op_count; ++i)
    is_left[i] =
        hoister->choice->derivation->origin[i] == GMEM_ORIGIN_CONSTANT &&
        is_left_behind(hoister, program->ops[i].op);
  return GMEM_OK;
}

//===--- values that are made from scalars --------------------------------===//

// The op in the block of |op| that is |user| or around it; null if there is
// none.
static MlirOperation in_block_of(MlirOperation op, MlirOperation user) {
  MlirBlock block = mlirOperationGetBlock(op);
  while (!mlirOperationIsNull(user) &&
         !mlirBlockEqual(mlirOperationGetBlock(user), block))
    user = mlirOperationGetParentOperation(user);
  return user;
}

// The first op in the block of op |index| that uses its results; null if there
// is none, if one is not numbered, or if one was moved, so that the numbers do
// not tell which is the first.
static MlirOperation first_user(const gmem_derivation_t *derivation,
                                const bool *is_moved, uint32_t index) {
  MlirOperation op = derivation->analysis->program.ops[index].op;
  uint32_t first = GMEM_NO_INDEX;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    for (MlirOpOperand use =
             mlirValueGetFirstUse(mlirOperationGetResult(op, i));
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = in_block_of(op, mlirOpOperandGetOwner(use));
      uint32_t number =
          mlirOperationIsNull(user)
              ? GMEM_NO_INDEX
              : gmem_pointer_map_find(&derivation->number, user.ptr);
      if (number == GMEM_NO_INDEX || number < index || is_moved[number])
        return (MlirOperation){NULL}; // number < index: a graph region
      first = number < first ? number : first;
    }
  return first == GMEM_NO_INDEX ? (MlirOperation){NULL}
                                : derivation->analysis->program.ops[first].op;
}

// Moves the ops that make values from scalars, which are not hoisted, to the
// first op in their block that uses them, so that these values are live no
// longer than necessary. Fails with OUT_OF_MEMORY, with nothing moved.
static gmem_status_t sink_generated(const gmem_hoisting_t *choice,
                                    gmem_bump_t *arena, gmem_diag_t *diag) {
  const gmem_derivation_t *derivation = choice->derivation;
  const gmem_program_t *program = &derivation->analysis->program;
  bool *is_moved;
  GMEM_TRY_ALLOC(is_moved, arena, program->op_count, diag);
  for (uint32_t i = (uint32_t)program->op_count; i-- > 0;) {
    MlirOperation op = program->ops[i].op, user;
    if (derivation->origin[i] != GMEM_ORIGIN_DERIVED ||
        !derivation->generates[i] || !derivation->is_movable[i] ||
        choice->leaves[i] || gmem_choice_bytes(derivation->analysis, i) == 0)
      continue;
    user = first_user(derivation, is_moved, i);
    if (mlirOperationIsNull(user) ||
        mlirOperationEqual(mlirOperationGetNextInBlock(op), user))
      continue;
    mlirOperationMoveBefore(op, user);
    is_moved[i] = true;
  }
  return GMEM_OK;
}

//===--- all of it --------------------------------------------------------===//

// Makes the new function and the constants, which nothing uses yet.
static gmem_status_t make_initialisation(hoister_t *hoister) {
  const gmem_hoisting_t *choice = hoister->choice;
  const gmem_program_t *program = hoister->program;
  GMEM_TRY_ALLOC(hoister->clone_of, hoister->arena, program->op_count,
                 hoister->diag);
  GMEM_TRY_ALLOC(hoister->argument_of, hoister->arena, program->value_count,
                 hoister->diag);
  GMEM_TRY_ALLOC(hoister->attributes, hoister->arena, program->value_count,
                 hoister->diag);
  GMEM_TRY(choose_names(hoister));
  GMEM_TRY(find_left(hoister));
  count_numbers(hoister);
  create_function(hoister);
  for (uint32_t i = 0; i < program->op_count; ++i) {
    if (choice->initialises[i] &&
        choice->derivation->origin[i] == GMEM_ORIGIN_DERIVED)
      (void)clone(hoister, program->ops[i].op);
    if (choice->hoisted[i])
      GMEM_TRY(store(hoister, program->ops[i].op));
  }
  GMEM_TRY(finish_function(hoister));
  return gmem_bump_status(hoister->arena, hoister->diag);
}

// Takes the new function and the constants away again.
static void drop_initialisation(const hoister_t *hoister) {
  if (!mlirOperationIsNull(hoister->function))
    mlirOperationDestroy(hoister->function);
  for (size_t i = 0; i < hoister->computed.count; ++i)
    if (!mlirOperationIsNull(hoister->computed.at[i].global))
      mlirOperationDestroy(hoister->computed.at[i].global);
}

gmem_status_t gmem_hoist(const gmem_hoisting_t *choice, gmem_bump_t *arena,
                         const char **out_name, gmem_diag_t *diag) {
  const gmem_program_t *program = &choice->derivation->analysis->program;
  hoister_t hoister = {.choice = choice,
                       .program = program,
                       .context = mlirOperationGetContext(program->scope),
                       .symbols = mlirSymbolTableCreate(program->scope),
                       .arena = arena,
                       .diag = diag};
  gmem_status_t status = make_initialisation(&hoister);
  if (!mlirSymbolTableIsNull(hoister.symbols))
    mlirSymbolTableDestroy(hoister.symbols);
  if (status == GMEM_OK)
    status = sink_generated(choice, arena, diag);
  if (status != GMEM_OK) {
    drop_initialisation(&hoister);
    return status;
  }
  // From here on nothing fails.
  for (size_t i = 0; i < hoister.computed.count; ++i)
    replace_uses(&hoister, &hoister.computed.at[i]);
  erase_unused(&hoister);
  *out_name = hoister.name;
  return GMEM_OK;
}
