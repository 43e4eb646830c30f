// proof_calls.c - see proof_walk.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_walk.h"

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

// Whether |value|, which a callee returns, may denote |site|.
static bool may_denote(const gmem_walk_t *walk, uint32_t value, uint32_t site) {
  gmem_proof_set_t sites = value == GMEM_NO_INDEX ? (gmem_proof_set_t){0}
                                                  : walk->memory.sites[value];
  uint32_t below = gmem_proof_count_below(sites, site);
  return (below < sites.count && sites.at[below] == site) ||
         gmem_proof_count_below(sites, GMEM_PROOF_ARGUMENT) < sites.count;
}

// A callee has returned |from| as |value|: that has its contents, but for what
// the copies of another return have lost.
static void define_returned(gmem_walk_t *walk, uint32_t index, uint32_t value,
                            uint32_t from) {
  gmem_proof_set_t set = walk->memory.of[value];
  for (uint32_t k = 0; k < set.count; ++k)
    if (set.at[k] < walk->memory.value_count ||
        (set.at[k] < GMEM_PROOF_ARGUMENT &&
         !gmem_proof_loss(&walk->state, set.at[k]) &&
         may_denote(walk, from, gmem_proof_site(&walk->memory, set.at[k]))))
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
  gmem_walk_find_origins(walk, index);
  for (uint32_t b = 0, number = 0; b < body->block_count; ++b) {
    const gmem_proof_op_t *end =
        gmem_proof_exit(program, body->first_block + b);
    if (!end)
      continue;
    bool at_return = gmem_proof_copies_to_caller(end);
    for (uint32_t i = 0; i < op->results.count; ++i) {
      uint32_t from = end->operands[i];
      if (at_return && gmem_walk_value(walk, op->results.first + i)->is_placed)
        gmem_walk_define(walk, op->results.first + i, index);
      else if (gmem_walk_value(walk, op->results.first + i)->is_memref) {
        if (run == RUN_WHOLE && op->flow == GMEM_PROOF_CALL)
          define_returned(walk, index, op->results.first + i, from);
      } else if (from != GMEM_NO_INDEX)
        define_returned(walk, index, from, from);
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
  GMEM_TRY(gmem_walk_modify_operands(walk, index));
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
  GMEM_TRY(gmem_walk_modify_operands(walk, index));
  GMEM_TRY(pass_operands(walk, index));
  gmem_walk_forget_names(walk, op->results);
  GMEM_TRY(run_callee(walk, index, &run));
  if (!walk->state.is_reached)
    return GMEM_OK; // it does not return
  GMEM_TRY(gmem_walk_lose_copied(walk, index));
  GMEM_TRY(take_results(walk, index, run));
  return gmem_walk_scratch(walk, index);
}
