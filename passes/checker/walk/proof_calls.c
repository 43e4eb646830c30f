// proof_calls.c - see proof_walk.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_walk.h"

#include "proof_messages.h"

//===--- operands that a callee modifies ----------------------------------===//

// An argument that is modified is the caller's operand (docs/op-models.md): the
// call modifies the operand if that is where the argument is. Else the callee
// modifies a copy, and the operand is out of date.

static bool is_direct(const gmem_proof_op_t *op) {
  return op->flow == GMEM_PROOF_CALL || op->is_direct;
}

// The memory of |operand| if it is where |argument| is, or GMEM_NO_INDEX.
static uint32_t find_in_place(gmem_walk_t *walk, uint32_t operand,
                              uint32_t argument) {
  gmem_proof_range_t bytes = gmem_walk_value(walk, argument)->bytes;
  gmem_walk_list_ids(walk, operand);
  if (walk->now.ids.count != 1)
    return GMEM_NO_INDEX;
  gmem_proof_range_t own = gmem_walk_bytes(walk, walk->now.ids.at[0]);
  return own.begin == bytes.begin && own.end == bytes.end
             ? walk->now.ids.at[0]
             : GMEM_NO_INDEX;
}

// Op |op| runs a function that modifies |argument|, its argument |number|.
static void list_change(gmem_walk_t *walk, const gmem_proof_op_t *op,
                        uint32_t number, uint32_t argument) {
  // Which operand of another op it is, is not known.
  uint32_t first = is_direct(op) ? number : 0;
  uint32_t end = is_direct(op) ? number + 1 : op->operand_count;
  for (uint32_t i = first; i < end; ++i) {
    uint32_t value = op->operands[i];
    if (value == GMEM_NO_INDEX || gmem_walk_value(walk, value)->is_memref)
      continue;
    uint32_t id = is_direct(op) ? find_in_place(walk, value, argument)
                                : GMEM_NO_INDEX;
    GMEM_APPEND(walk->arena, &walk->now.changes,
                (gmem_walk_change_t){argument, i, id});
  }
}

static void list_changes(gmem_walk_t *walk, const gmem_proof_op_t *op) {
  const gmem_proof_program_t *program = walk->program;
  walk->now.changes.count = 0;
  for (uint32_t c = 0; c < op->callee_count; ++c) {
    uint32_t callee = program->callees.at[op->first_callee + c];
    gmem_proof_row_t row =
        gmem_proof_arguments(program, program->functions.at[callee].region);
    for (uint32_t i = 0; i < row.count; ++i)
      if (walk->is_modified[row.first + i])
        list_change(walk, op, i, row.first + i);
  }
}

void gmem_walk_list_modified(gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  list_changes(walk, op);
  walk->now.writes.count = 0;
  for (size_t i = 0; i < walk->now.changes.count; ++i) {
    const gmem_walk_change_t *change = &walk->now.changes.at[i];
    bool is_to_copy = change->id == GMEM_NO_INDEX;
    uint32_t of = is_to_copy ? op->operands[change->operand] : change->argument;
    GMEM_APPEND(
        walk->arena, &walk->now.writes,
        (gmem_walk_write_t){.bytes = gmem_walk_value(walk, of)->bytes,
                            .id = change->id,
                            .from = GMEM_NO_INDEX,
                            .is_to_copy = is_to_copy});
  }
}

// Before op |index| passes its operands: those that its callee modifies.
static gmem_status_t modify_operands(gmem_walk_t *walk, uint32_t index) {
  list_changes(walk, gmem_walk_op(walk, index));
  for (size_t i = 0; i < walk->now.changes.count; ++i) {
    gmem_walk_change_t change = walk->now.changes.at[i];
    GMEM_TRY(gmem_walk_write(
        walk, index,
        &(gmem_walk_write_t){
            .bytes = gmem_walk_value(walk, change.argument)->bytes,
            .id = change.id,
            .from = GMEM_NO_INDEX}));
    gmem_walk_pin_inputs(walk,
                         gmem_walk_op(walk, index)->operands[change.operand]);
  }
  return GMEM_OK;
}

// Operand |operand| of op |index|, which passes a copy of it to a function that
// modifies that, is out of date.
static gmem_status_t lose_operand(gmem_walk_t *walk, uint32_t index,
                                  uint32_t operand) {
  uint32_t value = gmem_walk_op(walk, index)->operands[operand];
  if (gmem_walk_value(walk, value)->is_constant && walk->is_checked)
    return gmem_error_at(walk->diag, GMEM_ERR_OVERLAP,
                         gmem_walk_location(walk, index),
                         "%s passes operand #%u, a constant, to a function "
                         "that modifies it: what is changed from run to run is "
                         "an argument with gmem.state",
                         gmem_proof_op_text(walk->program, index).at, operand);
  gmem_walk_list_ids(walk, value);
  for (size_t i = 0; i < walk->now.ids.count; ++i) {
    uint32_t id = walk->now.ids.at[i];
    gmem_proof_range_t bytes = gmem_walk_bytes(walk, id);
    gmem_proof_entry_t entry = {bytes.begin, bytes.end, .id = id};
    if (gmem_proof_is_intact(&walk->state, bytes, id))
      gmem_proof_lose(&walk->store, &walk->state, &entry, GMEM_WALK_COPIED,
                      index);
    // Its function modifies an argument that is out of date when it returns.
    uint32_t site = gmem_proof_site(&walk->memory, id);
    if (gmem_proof_is_argument(walk->program, gmem_walk_value(walk, site)))
      gmem_walk_pin_input(walk, site);
  }
  return GMEM_OK;
}

gmem_status_t gmem_walk_lose_copied(gmem_walk_t *walk, uint32_t index) {
  list_changes(walk, gmem_walk_op(walk, index));
  for (size_t i = 0; i < walk->now.changes.count; ++i)
    if (walk->now.changes.at[i].id == GMEM_NO_INDEX)
      GMEM_TRY(lose_operand(walk, index, walk->now.changes.at[i].operand));
  return GMEM_OK;
}

// The argument of |callee|, by its number, that |end| returns as result
// |number|, as far as the plan has it where that is; or GMEM_NO_INDEX.
static uint32_t returned_argument(const gmem_walk_t *walk,
                                  const gmem_proof_function_t *callee,
                                  const gmem_proof_op_t *end, uint32_t number) {
  const gmem_proof_program_t *program = walk->program;
  uint32_t value = end->operands[number];
  if (value == GMEM_NO_INDEX || walk->memory.of[value].count != 1 ||
      walk->memory.of[value].at[0] >= program->values.count)
    return GMEM_NO_INDEX;
  const gmem_proof_value_t *origin = gmem_walk_value(
      walk, gmem_walk_origin(walk, walk->memory.of[value].at[0]));
  return gmem_proof_is_argument(program, origin) &&
                 &program->functions.at[origin->function] == callee
             ? origin->number
             : GMEM_NO_INDEX;
}

// Sets the origin of result |number| of |call| if |end| returns an argument that
// is where operand and result are.
static void find_origin(gmem_walk_t *walk, const gmem_proof_op_t *call,
                        const gmem_proof_op_t *end, uint32_t number) {
  const gmem_proof_function_t *callee = gmem_proof_callee(walk->program, call);
  uint32_t result = call->results.first + number;
  uint32_t argument = returned_argument(walk, callee, end, number);
  uint32_t id =
      argument == GMEM_NO_INDEX
          ? GMEM_NO_INDEX
          : find_in_place(walk, call->operands[argument],
                          gmem_proof_arguments(walk->program, callee->region)
                                  .first +
                              argument);
  if (id != GMEM_NO_INDEX && gmem_walk_value(walk, result)->is_placed &&
      gmem_proof_is_at(walk->program, result, gmem_walk_bytes(walk, id).begin))
    walk->origin[result] =
        gmem_walk_origin(walk, gmem_proof_site(&walk->memory, id)) + 1;
}

//===--- runs -------------------------------------------------------------===//

// How a callee is run: as a whole, by a walk, or as in an earlier one.
typedef enum run_e { RUN_WHOLE, RUN_WALKED, RUN_REPEATED } run_t;

static gmem_status_t run_inline(gmem_walk_t *walk, gmem_walk_frame_t saved) {
  size_t pins = walk->kept.pins.count, hot = walk->kept.hot.count;
  uint32_t position = walk->kept.position;
  gmem_status_t status = walk->enter(
      walk, walk->program->functions.at[walk->frame.function].region);
  walk->frame = saved;
  walk->kept.position = position;
  walk->kept.pins.count = pins;
  walk->kept.hot.count = hot;
  return status;
}

// The callee counts as a whole: what it is given is used from its begin to its
// end.
static gmem_status_t run_whole(gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  for (int round = 0; round < 2; ++round) {
    for (uint32_t i = 0; i < op->operand_count; ++i) {
      if (op->operands[i] == GMEM_NO_INDEX ||
          !gmem_walk_value(walk, op->operands[i])->is_memref)
        continue;
      gmem_walk_list_memory(walk, op->operands[i]);
      GMEM_TRY(gmem_walk_make_writes(walk, index));
      if (round)
        GMEM_TRY(gmem_walk_read(walk, index, "passes", op->operands[i]));
    }
    if (!round)
      GMEM_TRY(gmem_walk_run_callees(walk, index));
  }
  return GMEM_OK;
}

// The values that a callee returns have their contents when it has run.
static void define_returned(gmem_walk_t *walk, uint32_t index, uint32_t value) {
  gmem_proof_set_t set = walk->memory.of[value];
  for (uint32_t k = 0; k < set.count; ++k)
    if (set.at[k] < GMEM_PROOF_ARGUMENT)
      gmem_walk_define(walk, set.at[k], index);
}

// Takes over the results: each return may be the one that ran, and has its
// operands then, which are lost where another one has.
static gmem_status_t take_results(gmem_walk_t *walk, uint32_t index,
                                  run_t run) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  const gmem_proof_program_t *program = walk->program;
  const gmem_proof_region_t *body =
      &program->regions.at[gmem_proof_callee(walk->program, op)->region];
  for (uint32_t b = 0, number = 0; b < body->block_count; ++b) {
    const gmem_proof_op_t *end =
        gmem_proof_exit(program, body->first_block + b);
    if (!end)
      continue;
    bool at_return = gmem_proof_copies_to_caller(end);
    for (uint32_t i = 0; i < op->results.count; ++i) {
      uint32_t from = end->operands[i];
      find_origin(walk, op, end, i);
      if (at_return && gmem_walk_value(walk, op->results.first + i)->is_placed)
        gmem_walk_define(walk, op->results.first + i, index);
      else if (gmem_walk_value(walk, op->results.first + i)->is_memref) {
        if (run == RUN_WHOLE && op->flow == GMEM_PROOF_CALL)
          define_returned(walk, index, op->results.first + i);
      } else if (from != GMEM_NO_INDEX)
        define_returned(walk, index, from);
    }
    gmem_walk_move_t move = {GMEM_EDGE_RESULTS, number++, end->operands,
                             op->results};
    if (!at_return)
      GMEM_TRY(gmem_walk_move(walk, index, &move));
  }
  return GMEM_OK;
}

static gmem_status_t pass_operands(gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  gmem_proof_row_t arguments = gmem_proof_arguments(
      walk->program, gmem_proof_callee(walk->program, op)->region);
  gmem_walk_move_t move = {GMEM_EDGE_CALLEE, 0, op->operands, arguments};
  return gmem_walk_move(walk, index, &move);
}

gmem_status_t gmem_walk_run_apart(gmem_walk_t *walk, uint32_t index) {
  if (!gmem_walk_op(walk, index)->is_direct)
    return gmem_walk_run_callees(walk, index);
  GMEM_TRY(modify_operands(walk, index));
  GMEM_TRY(pass_operands(walk, index));
  GMEM_TRY(gmem_walk_run_callees(walk, index));
  return take_results(walk, index, RUN_WHOLE);
}

static gmem_status_t run_callee(gmem_walk_t *walk, uint32_t index,
                                run_t *out_run) {
  gmem_walk_frame_t saved;
  gmem_walk_effect_t *effect;
  bool is_made;
  *out_run = RUN_WHOLE;
  if (!gmem_walk_gives_tracked(walk, index))
    return run_whole(walk, index);
  GMEM_TRY(gmem_walk_repeat(walk, index, &effect, &is_made));
  if (is_made) {
    *out_run = RUN_REPEATED;
    return GMEM_OK;
  }
  if (!gmem_walk_begin_inline(walk, index, &saved))
    return run_whole(walk, index);
  *out_run = RUN_WALKED;
  GMEM_TRY(run_inline(walk, saved));
  if (effect)
    gmem_walk_end_effect(walk, index, effect);
  return GMEM_OK;
}

gmem_status_t gmem_walk_call(gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  run_t run;
  GMEM_TRY(gmem_walk_scratch(walk, index));
  GMEM_TRY(modify_operands(walk, index));
  GMEM_TRY(pass_operands(walk, index));
  gmem_walk_forget_names(walk, op->results);
  GMEM_TRY(run_callee(walk, index, &run));
  if (!walk->state.is_reached)
    return GMEM_OK; // it does not return
  GMEM_TRY(gmem_walk_lose_copied(walk, index));
  GMEM_TRY(take_results(walk, index, run));
  return gmem_walk_scratch(walk, index);
}
