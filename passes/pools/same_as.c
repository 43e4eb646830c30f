// same_as.c - see same_as.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "same_as.h"

#include <stdio.h>

#include "aliases.h"
#include "annotations.h"
#include "calls.h"
#include "diagnostics.h"
#include "happens_before.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

// One result of a function in the memory of one argument.
typedef struct tie_s {
  uint32_t function;
  intptr_t result, argument; // their numbers
  uint32_t returned, taken;  // values
} tie_t;

typedef struct tier_s {
  const gmem_liveness_t *liveness;
  const gmem_op_models_t *models;
  const gmem_model_options_t *options;
  gmem_bump_t *arena;
  gmem_buffer_constraint_t *sets;
  uint32_t *next; // by class: the next one at the same place, in a circle
  gmem_aliases_t writable; // what ops can write over what
  bool has_writable;
  gmem_aliases_t *aliases; // of the plan
  gmem_diag_t *diag;
} tier_t;

//===--- refusals ---------------------------------------------------------===//

static gmem_status_t refuse(const tier_t *tier, const tie_t *tie,
                            const gmem_note_t *notes, size_t note_count,
                            const char *why) {
  const gmem_function_t *function =
      &tier->liveness->program->functions[tie->function];
  return gmem_error(
      tier->diag, GMEM_ERR_INVALID_ARGUMENT,
      mlirOperationGetLocation(function->op), notes, note_count,
      "result #%td of @%.*s cannot be returned in the memory of argument "
      "#%td: %s",
      tie->result, (int)function->name.length, function->name.data,
      tie->argument, why);
}

static gmem_note_t note_at(MlirOperation op, const char *text) {
  gmem_note_t note = {.location = mlirOperationGetLocation(op)};
  snprintf(note.text, sizeof note.text, "%s", text);
  return note;
}

// The first op that makes a value of class |made| while |read| is live, or
// GMEM_NO_INDEX: then control flow or a call makes it.
static uint32_t find_writer(const tier_t *tier, uint32_t made, uint32_t read) {
  const gmem_program_t *program = tier->liveness->program;
  for (uint32_t i = 0; i < program->value_count; ++i) {
    uint32_t op = program->values[i].op;
    if (tier->liveness->set_of[i] == made && op != GMEM_NO_INDEX &&
        program->ops[op].kind != GMEM_OP_RESHAPE &&
        gmem_alias_set_is_live_at(tier->liveness, read, program->ops[op].begin))
      return op;
  }
  return GMEM_NO_INDEX;
}

// The last op from |from| on with an operand of the class, or GMEM_NO_INDEX.
static uint32_t find_last_reader(const tier_t *tier, uint32_t set,
                                 uint32_t from) {
  const gmem_program_t *program = tier->liveness->program;
  for (uint32_t i = (uint32_t)program->op_count; i-- > from;) {
    MlirOperation op = program->ops[i].op;
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k) {
      uint32_t value =
          gmem_program_find(program, mlirOperationGetOperand(op, k));
      if (value != GMEM_NO_INDEX && tier->liveness->set_of[value] == set &&
          program->ops[i].kind != GMEM_OP_RESHAPE)
        return i;
    }
  }
  return GMEM_NO_INDEX;
}

static MlirStringRef name_of(const tier_t *tier, uint32_t op) {
  return mlirIdentifierStr(
      mlirOperationGetName(tier->liveness->program->ops[op].op));
}

// The classes of result and argument meet where they must not: says at which
// ops.
static gmem_status_t refuse_meeting(const tier_t *tier, const tie_t *tie) {
  const gmem_program_t *program = tier->liveness->program;
  uint32_t taken = tier->liveness->set_of[tie->taken];
  uint32_t returned = tier->liveness->set_of[tie->returned];
  uint32_t writer = find_writer(tier, returned, taken);
  if (writer == GMEM_NO_INDEX)
    return refuse(tier, tie, NULL, 0, "both are live at one time");
  uint32_t reader = find_last_reader(tier, taken, writer);
  MlirStringRef written = name_of(tier, writer);
  MlirOperation ops[] = {
      program->ops[writer].op,
      program->ops[reader == GMEM_NO_INDEX ? writer : reader].op};
  gmem_note_t notes[] = {note_at(ops[0], "written here"),
                         note_at(ops[1], "read here")};
  char why[256];
  if (reader == writer) {
    snprintf(why, sizeof why,
             "'%.*s' reads the argument while it writes the result",
             (int)written.length, written.data);
    return refuse(tier, tie, notes, 1, why);
  }
  if (reader == GMEM_NO_INDEX) {
    snprintf(why, sizeof why,
             "the argument is kept while '%.*s' writes the result",
             (int)written.length, written.data);
    return refuse(tier, tie, notes, 1, why);
  }
  MlirStringRef read = name_of(tier, reader);
  snprintf(why, sizeof why,
           "the argument is still read by '%.*s' after '%.*s' writes the "
           "result",
           (int)read.length, read.data, (int)written.length, written.data);
  return refuse(tier, tie, notes, 2, why);
}

// Why the two can never be one memory, or NULL.
static const char *why_never(const tier_t *tier, const tie_t *tie) {
  const gmem_liveness_t *liveness = tier->liveness;
  const uint32_t values[] = {tie->returned, tie->taken};
  static const char *const constants[] = {"the result is a constant",
                                          "the argument is a constant"};
  static const char *const unplanned[] = {"the result has no planned memory",
                                          "the argument has no planned memory"};
  for (int i = 0; i < 2; ++i) {
    if (values[i] != GMEM_NO_INDEX &&
        liveness->live_values[values[i]].storage == GMEM_STORAGE_WEIGHT)
      return constants[i];
    if (values[i] == GMEM_NO_INDEX ||
        liveness->set_of[values[i]] == GMEM_NO_INDEX)
      return unplanned[i];
  }
  if (liveness->program->values[tie->returned].size !=
      liveness->program->values[tie->taken].size)
    return "they are of different sizes";
  return NULL;
}

//===--- what may be at one place -----------------------------------------===//

// What ops can write over what, whatever the plan is told to share by choice.
static gmem_status_t find_writable(tier_t *tier) {
  gmem_model_options_t options = *tier->options;
  options.sharing =
      GMEM_SHARE_INPLACE | GMEM_SHARE_DESTINATION | GMEM_SHARE_TRANSFER;
  if (tier->has_writable)
    return GMEM_OK;
  tier->has_writable = true;
  return gmem_aliases_find(tier->liveness, tier->models, &options, tier->arena,
                           &tier->writable, tier->diag);
}

// The alias by which an op, the only one at which both are live, can write one
// of the classes over the other; NULL when there is none.
static const gmem_alias_t *find_over(const tier_t *tier, uint32_t left,
                                     uint32_t right) {
  const uint32_t *set_of = tier->liveness->set_of;
  for (size_t i = 0; i < tier->writable.count; ++i) {
    const gmem_alias_t *alias = &tier->writable.aliases[i];
    uint32_t child = set_of[alias->child], parent = set_of[alias->parent];
    if (alias->offset == 0 && ((child == left && parent == right) ||
                               (child == right && parent == left)))
      return alias;
  }
  return NULL;
}

// The ops by which streams use two classes in no order, or NULL.
static const gmem_stream_pair_t *find_unordered(const tier_t *tier,
                                                uint32_t left, uint32_t right) {
  const gmem_happens_before_t *order = tier->liveness->order;
  return order ? gmem_stream_pair_of(order, left, right) : NULL;
}

static bool may_share(const tier_t *tier, uint32_t left, uint32_t right) {
  if (left == right)
    return true;
  return !find_unordered(tier, left, right) &&
         (!gmem_alias_sets_meet(tier->liveness, left, right) ||
          find_over(tier, left, right));
}

// Streams use result and argument at one time: says by which ops.
static gmem_status_t refuse_unordered(const tier_t *tier, const tie_t *tie,
                                      const gmem_stream_pair_t *pair) {
  const gmem_program_t *program = tier->liveness->program;
  uint32_t first = pair->use_of_low.op, second = pair->use_of_high.op;
  bool is_swapped = first > second;
  gmem_note_t notes[] = {
      note_at(program->ops[is_swapped ? second : first].op, "may still run"),
      note_at(program->ops[is_swapped ? first : second].op,
              "when this begins")};
  return refuse(tier, tie, notes, 2,
                "nothing orders the streams that use the two");
}

// What the op at which the two meet does there is said with the plan, also
// where nothing is to share by choice. Aliases stay in the order of their ops.
static gmem_status_t list_over(tier_t *tier, uint32_t left, uint32_t right) {
  gmem_aliases_t *list = tier->aliases;
  const gmem_alias_t *over = find_over(tier, left, right);
  if (!over || over->kind & tier->options->sharing ||
      !gmem_alias_sets_meet(tier->liveness, left, right))
    return GMEM_OK;
  if (!gmem_bump_grow(tier->arena, &list->aliases, list->count, &list->room,
                      sizeof *over))
    return gmem_out_of_memory(tier->diag);
  size_t at = list->count++;
  for (; at > 0 && list->aliases[at - 1].op > over->op; --at)
    list->aliases[at] = list->aliases[at - 1];
  list->aliases[at] = *over;
  return GMEM_OK;
}

// The two places become one, when each class at the one may share with each at
// the other.
static gmem_status_t join(tier_t *tier, const tie_t *tie) {
  uint32_t taken = tier->liveness->set_of[tie->taken];
  uint32_t returned = tier->liveness->set_of[tie->returned];
  const gmem_stream_pair_t *unordered = find_unordered(tier, taken, returned);
  if (unordered)
    return refuse_unordered(tier, tie, unordered);
  if (!may_share(tier, taken, returned))
    return tier->options->keep_inputs
               ? refuse(tier, tie, NULL, 0,
                        "keep-inputs keeps the argument intact")
               : refuse_meeting(tier, tie);
  if (gmem_offset_leader(tier->sets, taken) ==
      gmem_offset_leader(tier->sets, returned))
    return GMEM_OK;
  uint32_t left = taken;
  gmem_status_t status = GMEM_OK;
  do {
    uint32_t right = returned;
    do {
      if (!may_share(tier, left, right))
        return refuse(tier, tie, NULL, 0,
                      "another one that is to be there is live at the same "
                      "time");
      status = list_over(tier, left, right);
      right = tier->next[right];
    } while (right != returned && status == GMEM_OK);
    left = tier->next[left];
  } while (left != taken && status == GMEM_OK);
  if (status != GMEM_OK)
    return status;
  tier->sets[gmem_offset_leader(tier->sets, returned)].tied_to =
      gmem_offset_leader(tier->sets, taken);
  uint32_t after = tier->next[taken];
  tier->next[taken] = tier->next[returned];
  tier->next[returned] = after;
  return GMEM_OK;
}

//===--- what the functions ask for ---------------------------------------===//

// gmem.same_as of a result: the number of an argument, or -1.
static gmem_status_t read_number(const tier_t *tier, uint32_t function,
                                 intptr_t result, intptr_t *out) {
  const gmem_function_t *entry = &tier->liveness->program->functions[function];
  MlirAttribute number =
      gmem_function_result_annotation(entry->op, result, GMEM_ATTR_SAME_AS);
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(entry->op, 0));
  *out = -1;
  if (mlirAttributeIsNull(number))
    return GMEM_OK;
  if (mlirAttributeIsAInteger(number) &&
      mlirTypeEqual(mlirAttributeGetType(number),
                    mlirIntegerTypeGet(mlirAttributeGetContext(number), 64)))
    *out = mlirIntegerAttrGetValueInt(number);
  return *out >= 0 && *out < mlirBlockGetNumArguments(block)
             ? GMEM_OK
             : gmem_bad_annotation(mlirOperationGetLocation(entry->op),
                                   GMEM_ATTR_SAME_AS,
                                   "the number of an argument of the function, "
                                   "of type i64",
                                   tier->diag);
}

// Ties what op |index|, a return of the function, hands on as result |result|.
static gmem_status_t tie_returned(tier_t *tier, tie_t *tie, uint32_t index) {
  const gmem_program_t *program = tier->liveness->program;
  MlirOperation op = program->ops[index].op;
  tie->returned =
      tie->result < mlirOperationGetNumOperands(op)
          ? gmem_program_find(program, mlirOperationGetOperand(op, tie->result))
          : GMEM_NO_INDEX;
  const char *never = why_never(tier, tie);
  return never ? refuse(tier, tie, NULL, 0, never) : join(tier, tie);
}

static gmem_status_t tie_result(tier_t *tier, uint32_t function,
                                intptr_t result) {
  const gmem_program_t *program = tier->liveness->program;
  const gmem_function_t *entry = &program->functions[function];
  tie_t tie = {.function = function, .result = result};
  gmem_status_t status = read_number(tier, function, result, &tie.argument);
  if (status != GMEM_OK || tie.argument < 0)
    return status;
  tie.taken = gmem_program_find(
      program, mlirBlockGetArgument(mlirRegionGetFirstBlock(
                                        mlirOperationGetRegion(entry->op, 0)),
                                    tie.argument));
  status = find_writable(tier);
  for (uint32_t i = entry->first_op; i < entry->end_op && status == GMEM_OK;
       ++i)
    if (gmem_is_return(program, i))
      status = tie_returned(tier, &tie, i);
  return status;
}

static intptr_t result_count(MlirOperation function) {
  MlirAttribute all = gmem_op_attribute(function, "res_attrs");
  return !mlirAttributeIsNull(all) && mlirAttributeIsAArray(all)
             ? mlirArrayAttrGetNumElements(all)
             : 0;
}

gmem_status_t gmem_same_as_tie(const gmem_liveness_t *liveness,
                               const gmem_op_models_t *models,
                               const gmem_model_options_t *options,
                               gmem_bump_t *arena, gmem_aliases_t *aliases,
                               gmem_buffer_constraint_t *sets,
                               gmem_diag_t *diag) {
  tier_t tier = {
      .liveness = liveness,
      .models = models,
      .options = options,
      .arena = arena,
      .aliases = aliases,
      .sets = sets,
      .next = gmem_bump_alloc(arena, liveness->set_count, sizeof *tier.next),
      .diag = diag};
  if (!tier.next)
    return gmem_out_of_memory(diag);
  for (uint32_t i = 0; i < liveness->set_count; ++i)
    tier.next[i] = i;
  gmem_status_t status = GMEM_OK;
  for (uint32_t f = 0; f < liveness->program->function_count; ++f) {
    intptr_t count = result_count(liveness->program->functions[f].op);
    for (intptr_t i = 0; i < count && status == GMEM_OK; ++i)
      status = tie_result(&tier, f, i);
  }
  return status;
}
