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

typedef struct states_s {
  const gmem_program_facts_t *facts;
  const gmem_program_t *program;
  const gmem_live_value_t *live_values;
  gmem_alias_sets_t *sets;
  gmem_ranges_t taken, whole, ranges; // of the current state
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

static void extend(states_t *states, uint32_t function, intptr_t number,
                   uint32_t value) {
  const gmem_calls_t *calls = &states->facts->calls;
  const gmem_callee_t *callee = &calls->callees[function];
  uint32_t index = states->sets->of[value];
  gmem_alias_set_t *set = &states->sets->at[index];
  states->taken.count = states->whole.count = states->ranges.count = 0;
  for (uint32_t r = callee->first_return; r < callee->end_return; ++r)
    add_returned(states, function, calls->returns[r], number, index);
  gmem_ranges_normalise(&states->taken);
  gmem_ranges_add(&states->whole, 0,
                  gmem_call_contexts_length(states->facts->contexts));
  gmem_ranges_add_difference(&states->ranges, &states->whole, &states->taken);
  gmem_ranges_add_all(&states->ranges, set->ranges, set->range_count);
  gmem_ranges_normalise(&states->ranges);
  set->ranges = gmem_ranges_copy(&states->ranges);
  set->range_count = states->ranges.count;
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

static gmem_status_t extend_argument(states_t *states, uint32_t function,
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
  if (states->sets->of[value] != GMEM_NO_INDEX)
    extend(states, function, number, value);
  return GMEM_OK;
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
                     .taken.arena = arena,
                     .whole.arena = arena,
                     .ranges.arena = arena,
                     .diag = diag};
  for (uint32_t f = 0; f < program->function_count; ++f) {
    MlirOperation op = program->functions[f].op;
    intptr_t count = gmem_has_argument_attributes(op)
                         ? mlirBlockGetNumArguments(gmem_entry_block(op))
                         : 0;
    for (intptr_t i = 0; i < count; ++i)
      GMEM_TRY(extend_argument(&states, f, i));
  }
  return gmem_bump_status(arena, diag);
}
