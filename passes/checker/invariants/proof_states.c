// proof_states.c - see proof_states.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_states.h"

#include "annotations.h"
#include "attribute_codec.h"
#include "ir_reading.h"
#include "proof_messages.h"
#include "scopes.h"
#include "vocabulary.h"

typedef struct states_s {
  const gmem_proof_program_t *program;
  bool *runs_between; // by function: of the current state
  uint32_t *stack;    // functions to visit
  gmem_diag_t *diag;
} states_t;

//===--- attributes -------------------------------------------------------===//

// gmem.state of the argument, or null.
static MlirAttribute state_of(const gmem_proof_program_t *program,
                              uint32_t function, uint32_t number) {
  MlirAttribute all =
      gmem_argument_attributes(program->functions.at[function].op, number);
  return mlirAttributeIsNull(all) ? all
                                  : mlirDictionaryAttrGetElementByName(
                                        all, gmem_attr_name(GMEM_ATTR_STATE));
}

static bool is_state(const gmem_proof_program_t *program, uint32_t function,
                     uint32_t number) {
  return !mlirAttributeIsNull(state_of(program, function, number));
}

bool gmem_proof_is_followed(const gmem_proof_program_t *program,
                            uint32_t function, uint32_t number) {
  MlirOperation op = program->functions.at[function].op;
  MlirAttribute all = gmem_op_attribute(op, "res_attrs");
  intptr_t count = gmem_attribute_is(all, mlirAttributeIsAArray)
                       ? mlirArrayAttrGetNumElements(all)
                       : 0;
  for (intptr_t i = 0; i < count; ++i) {
    int64_t same = -1;
    MlirAttribute said =
        gmem_function_result_annotation(op, i, GMEM_ATTR_SAME_AS);
    if (!mlirAttributeIsNull(said) && gmem_i64_get(said, &same) &&
        same == (int64_t)number)
      return true;
  }
  return false;
}

// The name of the state that the argument shares with other functions, or
// empty.
static MlirStringRef shared_name(const gmem_proof_program_t *program,
                                 uint32_t function, uint32_t number) {
  MlirAttribute said = state_of(program, function, number);
  return gmem_attribute_is(said, mlirAttributeIsAString)
             ? mlirStringAttrGetValue(said)
             : gmem_string("");
}

// The argument of |other| that is the same state as argument |number| of
// |function|; GMEM_NO_INDEX if there is none.
static uint32_t shared_with(const gmem_proof_program_t *program,
                            uint32_t function, uint32_t number,
                            uint32_t other) {
  MlirStringRef name = shared_name(program, function, number);
  gmem_proof_row_t row =
      gmem_proof_arguments(program, program->functions.at[other].region);
  for (uint32_t i = 0; name.length && i < row.count; ++i)
    if (mlirStringRefEqual(shared_name(program, other, i), name))
      return row.first + i;
  return GMEM_NO_INDEX;
}

bool gmem_proof_is_kept(const gmem_proof_program_t *program, uint32_t function,
                        uint32_t number) {
  return is_state(program, function, number) &&
         !gmem_proof_is_followed(program, function, number);
}

//===--- functions that run between two runs ------------------------------===//

static void visit(states_t *states, uint32_t function, size_t *depth) {
  if (states->runs_between[function])
    return;
  states->runs_between[function] = true;
  states->stack[(*depth)++] = function;
}

// Marks the functions that are reached without a function of the state.
static void find_others(states_t *states, uint32_t function, uint32_t number) {
  const gmem_proof_program_t *program = states->program;
  size_t depth = 0;
  for (size_t i = 0; i < program->functions.count; ++i)
    states->runs_between[i] = false;
  for (uint32_t i = 0; i < program->functions.count; ++i) {
    const gmem_proof_function_t *entry = &program->functions.at[i];
    if (i != function && (entry->mentions == 0 || entry->may_run_any_time) &&
        shared_with(program, function, number, i) == GMEM_NO_INDEX)
      visit(states, i, &depth);
  }
  while (depth) {
    const gmem_proof_function_t *entry =
        &program->functions.at[states->stack[--depth]];
    for (uint32_t i = entry->first_op; i < entry->end_op; ++i) {
      const gmem_proof_op_t *op = &program->ops.at[i];
      for (uint32_t k = 0; k < op->callee_count; ++k)
        visit(states, program->callees.at[op->first_callee + k], &depth);
    }
  }
}

//===--- one state --------------------------------------------------------===//

static gmem_status_t report(const states_t *states, uint32_t state,
                            MlirLocation other, gmem_proof_range_t bytes) {
  const gmem_proof_value_t *value = &states->program->values.at[state];
  gmem_note_t notes[] = {gmem_proof_note(
      other, "this has %s", gmem_proof_bytes_text(states->program, bytes).at)};
  return gmem_error(
      states->diag, GMEM_ERR_OVERLAP, mlirValueGetLocation(value->value), notes,
      1, "the state has %s, which another function uses between two runs",
      gmem_proof_bytes_text(states->program, value->buffer).at);
}

// All functions that share a state have it at one place, as one argument.
static gmem_status_t check_shared(const states_t *states, uint32_t function,
                                  uint32_t number, uint32_t state) {
  const gmem_proof_program_t *program = states->program;
  gmem_proof_range_t own = program->values.at[state].buffer;
  uint32_t first = shared_with(program, function, number, function);
  if (first != GMEM_NO_INDEX && first != state)
    return gmem_error_at(
        states->diag, GMEM_ERR_CORRUPT,
        mlirValueGetLocation(program->values.at[state].value),
        "the state has the name of that in argument #%u of the function",
        program->values.at[first].number);
  for (uint32_t f = function + 1; f < program->functions.count; ++f) {
    uint32_t other = shared_with(program, function, number, f);
    if (other == GMEM_NO_INDEX)
      continue;
    const gmem_proof_value_t *value = &program->values.at[other];
    if (!value->is_placed || value->buffer.begin != own.begin ||
        value->buffer.end != own.end)
      return gmem_error_at(
          states->diag, GMEM_ERR_CORRUPT, mlirValueGetLocation(value->value),
          "the state is at another place than in another function, which has "
          "it in %s",
          gmem_proof_bytes_text(program, own).at);
  }
  return GMEM_OK;
}

static gmem_status_t check_state(states_t *states, uint32_t function,
                                 uint32_t number, uint32_t state) {
  const gmem_proof_program_t *program = states->program;
  gmem_proof_range_t bytes = program->values.at[state].buffer;
  if (program->functions.at[function].mentions)
    return gmem_op_error(states->diag, GMEM_ERR_CORRUPT,
                         program->functions.at[function].op,
                         "an argument of a function that others call has "
                         "gmem.state");
  GMEM_TRY(check_shared(states, function, number, state));
  find_others(states, function, number);
  for (uint32_t i = 0; i < program->values.count; ++i) {
    const gmem_proof_value_t *value = &program->values.at[i];
    if (value->is_placed && !value->is_constant &&
        states->runs_between[value->function] &&
        gmem_proof_do_meet(bytes, value->buffer))
      return report(states, state, mlirValueGetLocation(value->value),
                    value->buffer);
  }
  for (uint32_t i = 0; i < program->ops.count; ++i) {
    const gmem_proof_op_t *op = &program->ops.at[i];
    for (uint32_t k = 0; k < op->planned->workbuffer_count &&
                         states->runs_between[op->function];
         ++k)
      if (gmem_proof_do_meet(bytes, op->planned->workbuffers[k]))
        return report(states, state, mlirOperationGetLocation(op->op),
                      op->planned->workbuffers[k]);
  }
  return GMEM_OK;
}

gmem_status_t gmem_proof_states_check(const gmem_proof_program_t *program,
                                      gmem_bump_t *arena, gmem_diag_t *diag) {
  states_t states = {.program = program, .diag = diag};
  size_t count = program->functions.count;
  GMEM_TRY_ALLOC(states.runs_between, arena, count, diag);
  GMEM_TRY_ALLOC(states.stack, arena, count, diag);
  for (uint32_t f = 0; f < count; ++f) {
    gmem_proof_row_t row =
        gmem_proof_arguments(program, program->functions.at[f].region);
    for (uint32_t i = 0; i < row.count; ++i)
      if (program->values.at[row.first + i].is_placed &&
          is_state(program, f, i))
        GMEM_TRY(check_state(&states, f, i, row.first + i));
  }
  return GMEM_OK;
}
