// proof_loops.c - see proof_walk.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_walk.h"

//===--- branches ---------------------------------------------------------===//

gmem_status_t gmem_walk_branch(gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  gmem_proof_state_t before, after;
  GMEM_TRY(gmem_walk_read_operands(walk, index, "reads"));
  GMEM_TRY(gmem_walk_scratch(walk, index));
  gmem_walk_forget_names(walk, op->results); // those of an earlier run
  for (uint32_t i = 0; i < op->results.count; ++i)
    gmem_proof_forget(&walk->store, &walk->state,
                      gmem_walk_bytes(walk, op->results.first + i),
                      op->results.first + i);
  gmem_proof_freeze(&walk->store);
  before = after = walk->state;
  for (uint32_t r = 0; r < op->region_count; ++r) {
    uint32_t entry = gmem_proof_entry(walk->program, op->first_region + r);
    if (entry == GMEM_NO_INDEX)
      continue;
    gmem_proof_row_t row = walk->program->blocks.at[entry].arguments;
    gmem_walk_move_t move = {GMEM_EDGE_REGION, r,
                             op->operands + op->operand_count - row.count, row};
    gmem_proof_freeze(&walk->store);
    walk->state = before;
    GMEM_TRY(gmem_walk_move(walk, index, &move));
    GMEM_TRY(walk->enter(walk, op->first_region + r));
    gmem_proof_join(&walk->store, &after, &walk->state);
  }
  walk->state = after;
  return gmem_walk_scratch(walk, index);
}

//===--- loops ------------------------------------------------------------===//

// Walks the regions of a loop once, from its head; |*out_exit| becomes the
// state in which it is left, |*out_passed| the values that are then its
// results.
static gmem_status_t walk_bodies(gmem_walk_t *walk, uint32_t index,
                                 const uint32_t *carried,
                                 const uint32_t **out_passed,
                                 gmem_proof_state_t *out_exit) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  const gmem_proof_program_t *program = walk->program;
  gmem_proof_freeze(&walk->store);
  *out_exit = walk->state;
  *out_passed = carried;
  GMEM_TRY(walk->enter(walk, op->first_region));
  if (op->flow == GMEM_PROOF_FOR)
    return GMEM_OK;
  const gmem_proof_block_t *before =
      &program->blocks.at[gmem_proof_entry(program, op->first_region)];
  const gmem_proof_block_t *after =
      &program->blocks.at[gmem_proof_entry(program, op->first_region + 1)];
  GMEM_TRY(gmem_walk_read(walk, before->last_op, "reads",
                          gmem_walk_op(walk, before->last_op)->operands[0]));
  if (op->model->kind != GMEM_OP_LOOP)
    *out_passed = gmem_walk_op(walk, before->last_op)->operands + 1;
  gmem_proof_freeze(&walk->store);
  *out_exit = walk->state;
  gmem_walk_move_t move = {GMEM_EDGE_NEXT, 1, *out_passed, after->arguments};
  GMEM_TRY(gmem_walk_move(walk, before->last_op, &move));
  return walk->enter(walk, op->first_region + 1);
}

static gmem_status_t walk_round(gmem_walk_t *walk, uint32_t index,
                                const uint32_t *carried,
                                const uint32_t **out_passed,
                                gmem_proof_state_t *out_exit) {
  GMEM_TRY(walk_bodies(walk, index, carried, out_passed, out_exit));
  gmem_proof_freeze(&walk->store);
  if (walk->state.is_reached)
    gmem_walk_lose_pinned(walk, index, out_exit);
  return GMEM_OK;
}

// The state at the head of a loop whose carried values are |row|. Sets the
// state at its exit, too, unless the last round remains to be checked.
static gmem_status_t begin_loop(gmem_walk_t *walk, uint32_t index,
                                gmem_proof_row_t row, const uint32_t *carried,
                                const uint32_t **out_passed,
                                gmem_proof_state_t *out_exit) {
  bool was_checked = walk->is_checked;
  gmem_proof_freeze(&walk->store);
  gmem_proof_state_t begin = walk->state;
  GMEM_TRY(gmem_walk_enter_loop(walk, index));
  gmem_walk_define_row(walk, row, NULL, index);
  gmem_walk_forget_names(walk, row);
  gmem_walk_keep_pinned(walk, index, &begin);
  // A carried memref is its initial value or the one that the previous
  // iteration yields. The latter is known only after a round: the initial value
  // may have no address.
  (void)gmem_walk_join_names(walk, &begin, row);
  bool is_changed = gmem_walk_has_names(walk, row) || !was_checked;
  walk->is_checked = false;
  gmem_status_t status = GMEM_OK;
  while (is_changed && status == GMEM_OK) {
    gmem_proof_freeze(&walk->store);
    gmem_proof_state_t head = walk->state;
    status = walk_round(walk, index, carried, out_passed, out_exit);
    gmem_proof_freeze(&walk->store);
    gmem_proof_state_t end = walk->state;
    walk->state = head;
    is_changed = end.is_reached && gmem_walk_join_names(walk, &end, row);
  }
  walk->is_checked = was_checked;
  return status;
}

gmem_status_t gmem_walk_loop(gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  gmem_proof_row_t row = gmem_proof_carried(walk->program, op);
  uint32_t *carried;
  const uint32_t *passed;
  GMEM_TRY_ALLOC(carried, walk->arena, row.count, walk->diag);
  for (uint32_t i = 0; i < row.count; ++i)
    carried[i] = row.first + i;
  for (uint32_t i = 0; i + row.count < op->operand_count; ++i)
    GMEM_TRY(gmem_walk_read(walk, index, "reads", op->operands[i]));
  GMEM_TRY(gmem_walk_scratch(walk, index));
  gmem_walk_list_writes(walk, index);
  GMEM_TRY(gmem_walk_make_writes(walk, index));
  gmem_walk_move_t move = {GMEM_EDGE_REGION, 0,
                           op->operands + op->operand_count - row.count, row};
  GMEM_TRY(gmem_walk_move(walk, index, &move));
  gmem_proof_state_t exit;
  GMEM_TRY(begin_loop(walk, index, row, carried, &passed, &exit));
  if (walk->is_checked)
    GMEM_TRY(walk_round(walk, index, carried, &passed, &exit));
  gmem_proof_freeze(&walk->store);
  walk->state = exit;
  move = (gmem_walk_move_t){GMEM_EDGE_RESULTS, 0, passed, op->results};
  GMEM_TRY(gmem_walk_move(walk, index, &move));
  return gmem_walk_scratch(walk, index);
}

//===--- regions in any order ---------------------------------------------===//

// Deferred code at |index| uses |value|, and may write its padding.
static void keep_used(gmem_walk_t *walk, uint32_t index, uint32_t value) {
  gmem_walk_pin(walk, value, "returns while deferred code uses");
  if (value == GMEM_NO_INDEX || !walk->is_checked ||
      gmem_walk_is_inside(walk, value, index))
    return;
  walk->now.writes.count = 0;
  gmem_walk_add_padding(walk, value);
  for (size_t i = 0; i < walk->now.writes.count; ++i)
    GMEM_APPEND(walk->arena, &walk->kept.hot,
                (gmem_walk_hot_t){.bytes = walk->now.writes.at[i].bytes,
                                  .op = index,
                                  .value = value,
                                  .is_padding = true});
}

void gmem_walk_keep_running(gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  for (uint32_t i = index; i < op->end; ++i) {
    const gmem_proof_op_t *inner = gmem_walk_op(walk, i);
    for (uint32_t k = 0; k < inner->read_count; ++k)
      if (!gmem_proof_is_unread(inner, k) ||
          (k < inner->operand_count &&
           gmem_op_model_writes(inner->model, inner->op, k)))
        keep_used(walk, index, inner->operands[k]);
  }
  uint32_t first = op->results.first + op->results.count;
  uint32_t end = op->end < walk->program->ops.count
                     ? gmem_walk_op(walk, op->end)->results.first
                     : (uint32_t)walk->program->values.count;
  for (uint32_t v = first; v < end && walk->is_checked; ++v) {
    const gmem_proof_value_t *value = gmem_walk_value(walk, v);
    bool is_inside =
        value->op != GMEM_NO_INDEX
            ? value->op > index && value->op < op->end
            : value->function == op->function && op->region_count != 0;
    gmem_proof_set_t sites = walk->memory.sites[v];
    bool is_own = sites.count == 1 && sites.at[0] == v; // not a view of another
    if (is_inside && is_own)
      GMEM_APPEND(walk->arena, &walk->kept.hot,
                  (gmem_walk_hot_t){.bytes = value->buffer, .op = index});
  }
  for (uint32_t i = index + 1; i < op->end; ++i)
    gmem_walk_hold(walk, i, index);
}

static gmem_status_t walk_any(gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  GMEM_TRY(gmem_walk_read_and_write(walk, index));
  gmem_walk_bind_to_any(walk, op->results);
  for (uint32_t r = 0; r < op->region_count; ++r) {
    gmem_proof_row_t row =
        gmem_proof_arguments(walk->program, op->first_region + r);
    walk->now.writes.count = 0; // of those of other regions, too
    gmem_walk_add_row(walk, row);
    GMEM_TRY(gmem_walk_make_writes(walk, index));
    gmem_walk_define_row(walk, row, NULL, index);
    gmem_walk_bind_to_any(walk, row);
  }
  // They are passed in any order, those of all regions.
  for (uint32_t r = 0; r < op->region_count; ++r)
    GMEM_TRY(gmem_walk_check_row(
        walk, index, "passes",
        gmem_proof_arguments(walk->program, op->first_region + r)));
  GMEM_TRY(gmem_walk_run_callees(walk, index));
  gmem_proof_freeze(&walk->store);
  gmem_proof_state_t begin = walk->state;
  GMEM_TRY(gmem_walk_enter_loop(walk, index));
  gmem_walk_keep_pinned(walk, index, &begin);
  gmem_proof_freeze(&walk->store);
  gmem_proof_state_t head = walk->state, exit = head;
  for (uint32_t r = 0; r < op->region_count; ++r) {
    gmem_proof_freeze(&walk->store);
    walk->state = head;
    GMEM_TRY(walk->enter(walk, op->first_region + r));
    gmem_proof_freeze(&walk->store);
    gmem_walk_lose_pinned(walk, index, &exit);
  }
  gmem_proof_freeze(&walk->store);
  walk->state = exit;
  GMEM_TRY(gmem_walk_read_operands(walk, index, "still reads"));
  GMEM_TRY(gmem_walk_lose_copied(walk, index));
  GMEM_TRY(gmem_walk_check_results(walk, index));
  if (op->flow == GMEM_PROOF_LATER)
    gmem_walk_keep_running(walk, index);
  return gmem_walk_scratch(walk, index);
}

// Whether the regions of op |index| run beside themselves, and no op around it
// does.
static bool is_parallel(const gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  return op->is_parallel && (op->parent == GMEM_NO_INDEX ||
                             !gmem_walk_op(walk, op->parent)->is_parallel);
}

// While parallel op |index| runs, all ops inside of it may at any time.
static void hold_inside(gmem_walk_t *walk, uint32_t index) {
  for (uint32_t i = index + 1; i < gmem_walk_op(walk, index)->end; ++i)
    gmem_walk_hold(walk, i, i);
}

static void release_inside(gmem_walk_t *walk, uint32_t index) {
  size_t kept = 0;
  for (size_t i = 0; i < walk->kept.hot.count; ++i) {
    const gmem_walk_hot_t *hot = &walk->kept.hot.at[i];
    if (hot->op <= index || hot->op >= gmem_walk_op(walk, index)->end ||
        hot->is_of_group || gmem_walk_op(walk, hot->op)->is_deferred)
      walk->kept.hot.at[kept++] = *hot;
  }
  walk->kept.hot.count = kept;
}

gmem_status_t gmem_walk_any(gmem_walk_t *walk, uint32_t index) {
  if (!is_parallel(walk, index))
    return walk_any(walk, index);
  hold_inside(walk, index);
  GMEM_TRY(walk_any(walk, index));
  release_inside(walk, index);
  return GMEM_OK;
}
