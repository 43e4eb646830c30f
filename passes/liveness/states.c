// states.c - see states.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "states.h"

#include "annotations.h"
#include "attribute_codec.h"
#include "call_contexts.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "scopes.h"
#include "vocabulary.h"

typedef struct state_s {
  uint32_t function, value, set;
  intptr_t number;      // of the argument
  MlirStringRef shared; // name of the state that functions share, or empty
} state_t;

typedef struct states_s {
  const gmem_program_facts_t *facts;
  const gmem_program_t *program;
  const gmem_live_value_t *live_values;
  gmem_alias_sets_t *sets;
  gmem_bump_t *arena;
  GMEM_LIST(state_t) list;             // in the order of the program
  gmem_ranges_t taken, covered, other; // of the current state
  gmem_ranges_t whole, ranges;
  gmem_diag_t *diag;
} states_t;

// Adds the live ranges of what return |index| returns in the memory of argument
// |number|.
static void add_returned(states_t *states, uint32_t function, uint32_t index,
                         intptr_t number, uint32_t set) {
  MlirOperation op = states->program->ops[index].op;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    int64_t argument = -1;
    MlirAttribute same = gmem_function_result_annotation(
        states->program->functions[function].op, i, GMEM_ATTR_SAME_AS);
    uint32_t value = gmem_operand_value(states->program, op, i);
    if (mlirAttributeIsNull(same) || !gmem_i64_get(same, &argument) ||
        argument != number || value == GMEM_NO_INDEX ||
        states->sets->of[value] == GMEM_NO_INDEX ||
        states->sets->of[value] == set)
      continue;
    const gmem_alias_set_t *returned =
        &states->sets->at[states->sets->of[value]];
    gmem_ranges_add_all(&states->taken, returned->ranges,
                        returned->range_count);
  }
}

// Adds the live ranges of what is returned in the memory of the state.
static void add_all_returned(states_t *states, const state_t *state) {
  const gmem_calls_t *calls = &states->facts->calls;
  const gmem_callee_t *callee = &calls->callees[state->function];
  for (uint32_t r = callee->first_return; r < callee->end_return; ++r)
    add_returned(states, state->function, calls->returns[r], state->number,
                 state->set);
}

static bool is_shared(const state_t *state, const state_t *other) {
  return state == other || (state->shared.length > 0 &&
                            mlirStringRefEqual(state->shared, other->shared));
}

static void set_ranges(states_t *states, const state_t *state,
                       bool is_of_function) {
  const gmem_function_t *function =
      &states->program->functions[state->function];
  gmem_alias_set_t *set = &states->sets->at[state->set];
  states->whole.count = states->ranges.count = states->other.count = 0;
  if (is_of_function)
    gmem_contexts_add_range(states->facts->contexts, state->function,
                            function->begin, function->end, &states->whole);
  else
    gmem_ranges_add(&states->whole, 0,
                    gmem_call_contexts_length(states->facts->contexts));
  gmem_ranges_normalise(&states->whole);
  gmem_ranges_add_difference(&states->other, &states->whole, &states->taken);
  gmem_ranges_add_all(&states->other, set->ranges, set->range_count);
  gmem_ranges_normalise(&states->other);
  gmem_ranges_add_difference(&states->ranges, &states->other, &states->covered);
  gmem_ranges_normalise(&states->ranges);
  set->ranges = gmem_ranges_copy(&states->ranges);
  set->range_count = states->ranges.count;
  gmem_ranges_add_all(&states->covered, set->ranges, set->range_count);
  gmem_ranges_normalise(&states->covered);
}

// Extends the states of |first| and of the functions that share it: each while
// its function runs, |first| at all other times. They are at one offset, so
// that no two of them are live at once.
static void extend(states_t *states, size_t first) {
  const state_t *leader = &states->list.at[first];
  states->taken.count = states->covered.count = 0;
  for (size_t i = first; i < states->list.count; ++i)
    if (is_shared(leader, &states->list.at[i]))
      add_all_returned(states, &states->list.at[i]);
  gmem_ranges_normalise(&states->taken);
  for (size_t i = first + 1; i < states->list.count; ++i)
    if (is_shared(leader, &states->list.at[i]))
      set_ranges(states, &states->list.at[i], true);
  set_ranges(states, leader, false);
}

static bool is_first(const states_t *states, size_t index) {
  for (size_t i = 0; i < index; ++i)
    if (is_shared(&states->list.at[index], &states->list.at[i]))
      return false;
  return true;
}

// Why the argument cannot be a state, or NULL.
static const char *why_not(const states_t *states, uint32_t function,
                           uint32_t value) {
  if (states->facts->calls.callees[function].mentions)
    return "the program calls this function, so that its callers have the "
           "memory";
  if (states->program->functions[function].is_init)
    return "this function computes constants";
  if (states->live_values[value].storage == GMEM_STORAGE_WEIGHT)
    return "it is a constant";
  return NULL;
}

// No two arguments of one function are one state.
static gmem_status_t check_alone(const states_t *states, const state_t *state) {
  for (size_t i = 0; i + 1 < states->list.count; ++i)
    if (states->list.at[i].function == state->function &&
        is_shared(state, &states->list.at[i]))
      return gmem_error_at(
          states->diag, GMEM_ERR_INVALID_ARGUMENT,
          gmem_value_location(states->program, state->value),
          "arguments #%td and #%td of one function are the state '%.*s'",
          states->list.at[i].number, state->number, (int)state->shared.length,
          state->shared.data);
  return GMEM_OK;
}

static gmem_status_t list_argument(states_t *states, uint32_t function,
                                   intptr_t number) {
  const gmem_function_t *entry = &states->program->functions[function];
  MlirAttribute said =
      gmem_argument_annotation(entry->op, number, GMEM_ATTR_STATE);
  uint32_t value = gmem_program_find(
      states->program,
      mlirBlockGetArgument(gmem_entry_block(entry->op), number));
  if (mlirAttributeIsNull(said) || value == GMEM_NO_INDEX)
    return GMEM_OK;
  const char *why = why_not(states, function, value);
  if (why)
    return gmem_error_at(states->diag, GMEM_ERR_INVALID_ARGUMENT,
                         gmem_value_location(states->program, value),
                         "argument #%td of @%.*s cannot have gmem.state: %s",
                         number, (int)entry->name.length, entry->name.data,
                         why);
  const state_t state = {function, value, states->sets->of[value], number,
                         mlirAttributeIsAString(said)
                             ? mlirStringAttrGetValue(said)
                             : gmem_string("")};
  if (state.set != GMEM_NO_INDEX)
    GMEM_APPEND(states->arena, &states->list, state);
  return check_alone(states, &state);
}

gmem_status_t gmem_states_extend(const gmem_program_facts_t *facts,
                                 const gmem_live_value_t *live_values,
                                 gmem_bump_t *arena, gmem_alias_sets_t *sets,
                                 gmem_diag_t *diag) {
  const gmem_program_t *program = facts->program;
  states_t states = {.facts = facts,
                     .program = program,
                     .live_values = live_values,
                     .sets = sets,
                     .arena = arena,
                     .taken.arena = arena,
                     .covered.arena = arena,
                     .other.arena = arena,
                     .whole.arena = arena,
                     .ranges.arena = arena,
                     .diag = diag};
  for (uint32_t f = 0; f < program->function_count; ++f) {
    MlirOperation op = program->functions[f].op;
    intptr_t count = gmem_has_argument_attributes(op)
                         ? mlirBlockGetNumArguments(gmem_entry_block(op))
                         : 0;
    for (intptr_t i = 0; i < count; ++i)
      GMEM_TRY(list_argument(&states, f, i));
  }
  GMEM_TRY(gmem_bump_status(arena, diag));
  for (size_t i = 0; i < states.list.count; ++i)
    if (is_first(&states, i))
      extend(&states, i);
  return gmem_bump_status(arena, diag);
}
