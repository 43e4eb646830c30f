// same_as.c - see same_as.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "same_as.h"

#include <assert.h>
#include <stdio.h>

#include "aliases.h"
#include "annotations.h"
#include "attribute_codec.h"
#include "calls.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "scopes.h"

// A result of a function that must use the memory of an argument, or an
// argument that is the state of another function.
typedef struct tie_s {
  uint32_t function;
  intptr_t result, argument; // indices
  uint32_t returned, taken;  // values
  MlirStringRef state;       // name, or empty
} tie_t;

typedef struct builder_s {
  const gmem_placement_inputs_t *inputs;
  const gmem_liveness_t *liveness;
  gmem_bump_t *arena;
  gmem_buffer_constraint_t *sets;
  uint32_t *next;          // by alias set: circular list of the tied sets
  gmem_aliases_t writable; // all possible in-place writes
  bool has_writable;
  gmem_aliases_t *aliases; // of the plan
  gmem_diag_t *diag;
} builder_t;

//===--- errors -----------------------------------------------------------===//

static gmem_status_t report_error(const builder_t *builder, const tie_t *tie,
                                  const gmem_note_t *notes, size_t note_count,
                                  const char *why) {
  const gmem_function_t *function =
      &builder->liveness->program->functions[tie->function];
  if (tie->state.length)
    return gmem_error(builder->diag, GMEM_ERR_INVALID_ARGUMENT,
                      mlirOperationGetLocation(function->op), notes, note_count,
                      "argument #%td of @%.*s cannot be the state '%.*s': %s",
                      tie->argument, (int)function->name.length,
                      function->name.data, (int)tie->state.length,
                      tie->state.data, why);
  return gmem_error(
      builder->diag, GMEM_ERR_INVALID_ARGUMENT,
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

// The first op that defines a value of alias set |made| while |read| is live,
// or GMEM_NO_INDEX if control flow or a call defines it.
static uint32_t find_writer(const builder_t *builder, uint32_t made,
                            uint32_t read) {
  const gmem_program_t *program = builder->liveness->program;
  for (uint32_t i = 0; i < program->value_count; ++i) {
    uint32_t op = program->values[i].op;
    if (builder->liveness->set_of[i] == made && op != GMEM_NO_INDEX &&
        program->ops[op].kind != GMEM_OP_RESHAPE &&
        gmem_alias_set_is_live_at(builder->liveness, read,
                                  program->ops[op].begin))
      return op;
  }
  return GMEM_NO_INDEX;
}

// The last op at or after |from| with an operand of the alias set, or
// GMEM_NO_INDEX.
static uint32_t find_last_reader(const builder_t *builder, uint32_t set,
                                 uint32_t from) {
  const gmem_program_t *program = builder->liveness->program;
  for (uint32_t i = (uint32_t)program->op_count; i-- > from;) {
    MlirOperation op = program->ops[i].op;
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k) {
      uint32_t value =
          gmem_program_find(program, mlirOperationGetOperand(op, k));
      if (value != GMEM_NO_INDEX && builder->liveness->set_of[value] == set &&
          program->ops[i].kind != GMEM_OP_RESHAPE)
        return i;
    }
  }
  return GMEM_NO_INDEX;
}

static MlirStringRef name_of(MlirOperation op) {
  return mlirIdentifierStr(mlirOperationGetName(op));
}

// Reports the ops at which the result and the argument interfere.
static gmem_status_t report_interference(const builder_t *builder,
                                         const tie_t *tie) {
  const gmem_program_t *program = builder->liveness->program;
  uint32_t taken = builder->liveness->set_of[tie->taken];
  uint32_t returned = builder->liveness->set_of[tie->returned];
  uint32_t writer = find_writer(builder, returned, taken);
  if (writer == GMEM_NO_INDEX)
    return report_error(builder, tie, NULL, 0,
                        "both are live at the same time");
  uint32_t reader = find_last_reader(builder, taken, writer);
  bool is_later = reader != writer && reader != GMEM_NO_INDEX;
  MlirOperation last = program->ops[is_later ? reader : writer].op;
  MlirStringRef written = name_of(program->ops[writer].op);
  MlirStringRef read = name_of(last);
  gmem_note_t notes[] = {note_at(program->ops[writer].op, "written here"),
                         note_at(last, "read here")};
  char why[256];
  if (is_later)
    snprintf(why, sizeof why,
             "the argument is still read by '%.*s' after '%.*s' writes the "
             "result",
             (int)read.length, read.data, (int)written.length, written.data);
  else
    snprintf(why, sizeof why,
             reader == writer
                 ? "'%.*s' reads the argument while it writes the result"
                 : "the argument is still live when '%.*s' writes the result",
             (int)written.length, written.data);
  return report_error(builder, tie, notes, is_later ? 2 : 1, why);
}

// Why the two can never share memory, or NULL.
static const char *why_incompatible(const builder_t *builder,
                                    const tie_t *tie) {
  const gmem_liveness_t *liveness = builder->liveness;
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
    return "they have different sizes";
  return NULL;
}

//===--- interference -----------------------------------------------------===//

// Finds all possible in-place writes, whatever the option sharing is.
static gmem_status_t find_writable(builder_t *builder) {
  gmem_model_options_t options = *builder->inputs->options;
  options.sharing =
      GMEM_SHARE_INPLACE | GMEM_SHARE_DESTINATION | GMEM_SHARE_TRANSFER;
  if (builder->has_writable)
    return GMEM_OK;
  builder->has_writable = true;
  return gmem_aliases_find(builder->liveness, &options, builder->arena,
                           &builder->writable, builder->diag);
}

// The alias by which an op, the only one at which both alias sets are live, can
// write one of them over the other; NULL if there is none.
static const gmem_alias_t *find_over(const builder_t *builder, uint32_t left,
                                     uint32_t right) {
  const uint32_t *set_of = builder->liveness->set_of;
  for (size_t i = 0; i < builder->writable.count; ++i) {
    const gmem_alias_t *alias = &builder->writable.aliases[i];
    uint32_t child = set_of[alias->child], parent = set_of[alias->parent];
    if (alias->offset == 0 && ((child == left && parent == right) ||
                               (child == right && parent == left)))
      return alias;
  }
  return NULL;
}

static bool may_share(const builder_t *builder, uint32_t left, uint32_t right) {
  if (left == right)
    return true;
  return !gmem_stream_pair_of(&builder->liveness->order, left, right) &&
         (!gmem_alias_sets_meet(builder->liveness, left, right) ||
          find_over(builder, left, right));
}

// Reports the unordered ops of different streams that use result and argument.
static gmem_status_t report_unordered(const builder_t *builder,
                                      const tie_t *tie,
                                      const gmem_stream_pair_t *pair) {
  const gmem_program_t *program = builder->liveness->program;
  uint32_t low = pair->use_of_low.op, high = pair->use_of_high.op;
  gmem_note_t notes[] = {
      note_at(program->ops[low < high ? low : high].op, "may still run"),
      note_at(program->ops[low < high ? high : low].op, "when this begins")};
  return report_error(builder, tie, notes, 2,
                      "the streams that use them are not synchronised");
}

// Adds the in-place write at which the two interfere to the aliases of the
// plan, even if optional sharing is off. Aliases stay sorted by op.
static gmem_status_t list_over(builder_t *builder, uint32_t left,
                               uint32_t right) {
  gmem_aliases_t *list = builder->aliases;
  const gmem_alias_t *over = find_over(builder, left, right), *old;
  if (!over || over->kind & builder->inputs->options->sharing ||
      !gmem_alias_sets_meet(builder->liveness, left, right))
    return GMEM_OK;
  old = list->aliases;
  GMEM_TRY_ALLOC(list->aliases, builder->arena, list->count + 1, builder->diag);
  size_t at = 0;
  for (; at < list->count && old[at].op <= over->op; ++at)
    list->aliases[at] = old[at];
  assert(!at || old[at - 1].op <= over->op); // ordered by op
  list->aliases[at] = *over;
  for (; at < list->count; ++at)
    list->aliases[at + 1] = old[at];
  ++list->count;
  return GMEM_OK;
}

// Merges the two groups of tied alias sets if every set of one can share memory
// with every set of the other.
static gmem_status_t join(builder_t *builder, const tie_t *tie) {
  uint32_t taken = builder->liveness->set_of[tie->taken];
  uint32_t returned = builder->liveness->set_of[tie->returned];
  const gmem_stream_pair_t *unordered =
      gmem_stream_pair_of(&builder->liveness->order, taken, returned);
  if (unordered)
    return report_unordered(builder, tie, unordered);
  if (!may_share(builder, taken, returned) && tie->state.length)
    return report_error(builder, tie, NULL, 0,
                        "both are live at the same time");
  if (!may_share(builder, taken, returned))
    return builder->inputs->options->keep_inputs
               ? report_error(builder, tie, NULL, 0,
                              "the option keep-inputs preserves the argument")
               : report_interference(builder, tie);
  if (gmem_offset_leader(builder->sets, taken) ==
      gmem_offset_leader(builder->sets, returned))
    return GMEM_OK;
  uint32_t left = taken, right = returned;
  do {
    do {
      if (!may_share(builder, left, right))
        return report_error(
            builder, tie, NULL, 0,
            "another value in that memory is live at the same time");
      GMEM_TRY(list_over(builder, left, right));
      right = builder->next[right];
    } while (right != returned);
    left = builder->next[left];
  } while (left != taken);
  builder->sets[gmem_offset_leader(builder->sets, returned)].tied_to =
      gmem_offset_leader(builder->sets, taken);
  assert(gmem_offset_leader(builder->sets, taken) ==
         gmem_offset_leader(builder->sets, returned));
  uint32_t after = builder->next[taken];
  builder->next[taken] = builder->next[returned];
  builder->next[returned] = after;
  return GMEM_OK;
}

//===--- gmem.same_as -----------------------------------------------------===//

// Reads gmem.same_as of a result: the index of an argument, or -1.
static gmem_status_t read_number(const builder_t *builder, uint32_t function,
                                 intptr_t result, intptr_t *out) {
  MlirOperation op = builder->liveness->program->functions[function].op;
  MlirAttribute number =
      gmem_function_result_annotation(op, result, GMEM_ATTR_SAME_AS);
  int64_t found = -1;
  *out = -1;
  if (mlirAttributeIsNull(number))
    return GMEM_OK;
  if (!gmem_i64_get(number, &found) || found < 0 ||
      found >= mlirBlockGetNumArguments(gmem_entry_block(op)))
    return gmem_bad_annotation(mlirOperationGetLocation(op), GMEM_ATTR_SAME_AS,
                               "the number of an argument of the function, "
                               "of type i64",
                               builder->diag);
  *out = found;
  return GMEM_OK;
}

// Ties the operand of return op |index| for result |result| to the argument.
static gmem_status_t tie_returned(builder_t *builder, tie_t *tie,
                                  uint32_t index) {
  const gmem_program_t *program = builder->liveness->program;
  MlirOperation op = program->ops[index].op;
  tie->returned =
      tie->result < mlirOperationGetNumOperands(op)
          ? gmem_program_find(program, mlirOperationGetOperand(op, tie->result))
          : GMEM_NO_INDEX;
  const char *never = why_incompatible(builder, tie);
  return never ? report_error(builder, tie, NULL, 0, never)
               : join(builder, tie);
}

static gmem_status_t tie_result(builder_t *builder, uint32_t function,
                                intptr_t result) {
  const gmem_program_t *program = builder->liveness->program;
  const gmem_function_t *entry = &program->functions[function];
  tie_t tie = {.function = function, .result = result};
  GMEM_TRY(read_number(builder, function, result, &tie.argument));
  if (tie.argument < 0)
    return GMEM_OK;
  tie.taken = gmem_program_find(
      program, mlirBlockGetArgument(gmem_entry_block(entry->op), tie.argument));
  GMEM_TRY(find_writable(builder));
  for (uint32_t i = entry->first_op; i < entry->end_op; ++i)
    if (gmem_is_return(program, i))
      GMEM_TRY(tie_returned(builder, &tie, i));
  return GMEM_OK;
}

//===--- gmem.state -------------------------------------------------------===//

// The name of the state that argument |number| of the function shares with
// others; empty if it is none.
static MlirStringRef state_of(MlirOperation function, intptr_t number) {
  MlirAttribute said =
      gmem_argument_annotation(function, number, GMEM_ATTR_STATE);
  return gmem_attribute_is(said, mlirAttributeIsAString)
             ? mlirStringAttrGetValue(said)
             : gmem_string("");
}

static uint32_t argument_value(const gmem_program_t *program, uint32_t function,
                               intptr_t number) {
  MlirBlock entry = gmem_entry_block(program->functions[function].op);
  return gmem_program_find(program, mlirBlockGetArgument(entry, number));
}

static intptr_t argument_count(const gmem_program_t *program,
                               uint32_t function) {
  MlirOperation op = program->functions[function].op;
  return gmem_has_argument_attributes(op)
             ? mlirBlockGetNumArguments(gmem_entry_block(op))
             : 0;
}

// The first argument of an earlier function that is the same state;
// GMEM_NO_INDEX if there is none.
static uint32_t find_first(const gmem_program_t *program, const tie_t *tie) {
  for (uint32_t f = 0; f < tie->function; ++f)
    for (intptr_t i = 0; i < argument_count(program, f); ++i)
      if (mlirStringRefEqual(state_of(program->functions[f].op, i), tie->state))
        return argument_value(program, f, i);
  return GMEM_NO_INDEX;
}

static gmem_status_t tie_state(builder_t *builder, uint32_t function,
                               intptr_t number) {
  const gmem_program_t *program = builder->liveness->program;
  const uint32_t *set_of = builder->liveness->set_of;
  tie_t tie = {.function = function,
               .argument = number,
               .returned = argument_value(program, function, number),
               .state = state_of(program->functions[function].op, number)};
  if (!tie.state.length || tie.returned == GMEM_NO_INDEX)
    return GMEM_OK;
  tie.taken = find_first(program, &tie);
  if (tie.taken == GMEM_NO_INDEX)
    return GMEM_OK;
  if (program->values[tie.taken].size != program->values[tie.returned].size)
    return report_error(builder, &tie, NULL, 0, "they have different sizes");
  if (set_of[tie.taken] == GMEM_NO_INDEX ||
      set_of[tie.returned] == GMEM_NO_INDEX)
    return report_error(builder, &tie, NULL, 0, "it has no planned memory");
  GMEM_TRY(find_writable(builder));
  return join(builder, &tie);
}

static intptr_t result_count(MlirOperation function) {
  MlirAttribute all = gmem_op_attribute(function, "res_attrs");
  return !mlirAttributeIsNull(all) && mlirAttributeIsAArray(all)
             ? mlirArrayAttrGetNumElements(all)
             : 0;
}

gmem_status_t gmem_same_as_tie(const gmem_placement_inputs_t *inputs,
                               gmem_bump_t *arena, gmem_bump_t *scratch,
                               gmem_aliases_t *out_aliases,
                               gmem_buffer_constraint_t *sets,
                               gmem_diag_t *diag) {
  const gmem_program_t *program = inputs->liveness->program;
  builder_t builder = {.inputs = inputs,
                       .liveness = inputs->liveness,
                       .arena = arena,
                       .aliases = out_aliases,
                       .sets = sets,
                       .diag = diag};
  *out_aliases = *inputs->aliases;
  GMEM_TRY_ALLOC(builder.next, scratch, inputs->liveness->set_count, diag);
  for (uint32_t i = 0; i < inputs->liveness->set_count; ++i)
    builder.next[i] = i;
  for (uint32_t f = 0; f < program->function_count; ++f) {
    intptr_t count = result_count(program->functions[f].op);
    for (intptr_t i = 0; i < count; ++i)
      GMEM_TRY(tie_result(&builder, f, i));
    for (intptr_t i = 0; i < argument_count(program, f); ++i)
      GMEM_TRY(tie_state(&builder, f, i));
  }
  return GMEM_OK;
}
