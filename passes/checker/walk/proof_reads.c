// proof_reads.c - see proof_walk.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_walk.h"

#include <stdio.h>

#include "proof_messages.h"

// Names the value that the op writes over |lost|: " workbuffer #0", " result
// #1", of the caller " argument #0". Empty if it has one result and nothing
// else, or writes what a memref denotes.
static gmem_proof_text_t written_text(const gmem_walk_t *walk,
                                      const gmem_proof_value_t *lost,
                                      const gmem_proof_entry_t *loss) {
  const gmem_proof_program_t *program = walk->program;
  const gmem_proof_op_t *op =
      loss->by == GMEM_NO_INDEX ? NULL : gmem_walk_op(walk, loss->by);
  gmem_proof_row_t row =
      op ? op->results
         : gmem_proof_arguments(program,
                                program->functions.at[lost->function].region);
  uint32_t work_count = op ? op->planned->workbuffer_count : 0;
  gmem_proof_text_t text = {""};
  for (uint32_t i = row.count; i-- > 0 && (row.count > 1 || work_count);) {
    const gmem_proof_value_t *value = gmem_walk_value(walk, row.first + i);
    if (value != lost && value->is_placed && !value->is_memref &&
        gmem_proof_do_meet(value->bytes, loss->bytes))
      snprintf(text.at, sizeof text.at, " %s #%u", op ? "result" : "argument",
               value->number);
  }
  for (uint32_t i = work_count; i-- > 0;)
    if (gmem_proof_do_meet(op->planned->workbuffers[i], loss->bytes))
      snprintf(text.at, sizeof text.at, " workbuffer #%u", i);
  return text;
}

// Reports that op |op| does not find memory |id|, which has been lost.
static gmem_status_t report_loss(gmem_walk_t *walk, uint32_t op,
                                 const char *what, gmem_proof_entry_t loss) {
  const gmem_proof_value_t *lost = gmem_walk_named(walk, loss.id);
  loss.by = gmem_walk_find_writer(walk, &loss);
  gmem_proof_text_t value = gmem_proof_value_text(walk->program, lost);
  gmem_proof_text_t writer = gmem_proof_op_text(walk->program, loss.by);
  bool is_copied = loss.bytes.begin >= loss.bytes.end;
  gmem_note_t notes[2] = {
      gmem_proof_note(
          mlirValueGetLocation(lost->value), "%s has %s", value.at,
          gmem_proof_bytes_text(walk->program, gmem_walk_bytes(walk, loss.id))
              .at),
      gmem_proof_note(gmem_walk_location(walk, loss.by),
                      is_copied
                          ? "%s passes a copy to a function that modifies "
                            "it: inline the call, or return the tensor"
                          : "%s writes%s there",
                      writer.at, written_text(walk, lost, &loss).at)};
  if (is_copied)
    return gmem_error(
        walk->diag, GMEM_ERR_OVERLAP, gmem_walk_location(walk, op), notes, 2,
        "%s %s %s, but %s has modified a copy of it",
        gmem_proof_op_text(walk->program, op).at, what, value.at, writer.at);
  return gmem_error(walk->diag, GMEM_ERR_OVERLAP, gmem_walk_location(walk, op),
                    notes, 2, "%s %s %s, but %s has overwritten %s",
                    gmem_proof_op_text(walk->program, op).at, what, value.at,
                    writer.at,
                    gmem_proof_bytes_text(walk->program, loss.bytes).at);
}

// Whether the plan may leave |value|, a tensor, without memory.
static bool may_be_nowhere(const gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_program_t *program = walk->program;
  const gmem_proof_value_t *value = gmem_walk_value(walk, index);
  const gmem_proof_function_t *function =
      &program->functions.at[value->function];
  const gmem_proof_op_t *op =
      value->op == GMEM_NO_INDEX ? NULL : gmem_walk_op(walk, value->op);
  gmem_op_kind_t kind = op ? op->model->kind : GMEM_OP_UNKNOWN;
  if (value->is_memref || value->is_repeated)
    return true;
  if (kind == GMEM_OP_RESHAPE && op->operand_count &&
      op->operands[0] != GMEM_NO_INDEX)
    return may_be_nowhere(walk, op->operands[0]);
  bool is_parallel = op && op->is_parallel;
  for (uint32_t at = op ? op->parent : GMEM_NO_INDEX; at != GMEM_NO_INDEX;
       at = gmem_walk_op(walk, at)->parent)
    is_parallel |= gmem_walk_op(walk, at)->is_parallel;
  const gmem_proof_region_t *region =
      &program->regions.at[program->blocks.at[value->block].region];
  return !value->is_sized || value->is_local || kind == GMEM_OP_EMPTY ||
         kind == GMEM_OP_NONE || is_parallel ||
         (program->own >> GMEM_ATTR_STREAM & 1) ||
         gmem_proof_has_instances(function) || region->is_graph;
}

gmem_status_t gmem_walk_read(gmem_walk_t *walk, uint32_t op, const char *what,
                             uint32_t value) {
  if (!walk->is_checked || value == GMEM_NO_INDEX ||
      gmem_walk_value(walk, value)->is_constant)
    return GMEM_OK;
  gmem_walk_list_ids(walk, value);
  for (size_t i = 0; i < walk->now.ids.count; ++i) {
    const gmem_proof_entry_t *loss =
        gmem_proof_loss(&walk->state, walk->now.ids.at[i]);
    if (loss)
      return report_loss(walk, op, what, *loss);
  }
  if (walk->now.ids.count || may_be_nowhere(walk, value))
    return GMEM_OK;
  return gmem_error_at(
      walk->diag, GMEM_ERR_CORRUPT, gmem_walk_location(walk, op),
      "%s %s %s, which has no place in the plan",
      gmem_proof_op_text(walk->program, op).at, what,
      gmem_proof_value_text(walk->program, gmem_walk_value(walk, value)).at);
}

gmem_status_t gmem_walk_read_operands(gmem_walk_t *walk, uint32_t index,
                                      const char *what) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  for (uint32_t i = 0; i < op->read_count; ++i)
    if (!gmem_proof_is_unread(op, i) && !gmem_walk_replaces(walk, op, i))
      GMEM_TRY(gmem_walk_read(walk, index, what, op->operands[i]));
  return GMEM_OK;
}

gmem_status_t gmem_walk_check_row(gmem_walk_t *walk, uint32_t op,
                                  const char *what, gmem_proof_row_t row) {
  for (uint32_t v = row.first; v < row.first + row.count; ++v)
    if (gmem_proof_is_target(walk->program, v))
      GMEM_TRY(gmem_walk_read(walk, op, what, v));
  return GMEM_OK;
}

gmem_status_t gmem_walk_check_results(gmem_walk_t *walk, uint32_t op) {
  return gmem_walk_check_row(walk, op, "has made",
                             gmem_walk_op(walk, op)->results);
}

gmem_status_t gmem_walk_read_and_write(gmem_walk_t *walk, uint32_t index) {
  GMEM_TRY(gmem_walk_read_operands(walk, index, "reads"));
  GMEM_TRY(gmem_walk_scratch(walk, index));
  gmem_walk_list_writes(walk, index);
  GMEM_TRY(gmem_walk_make_writes(walk, index));
  gmem_walk_define_row(walk, gmem_walk_op(walk, index)->results, NULL, index);
  return GMEM_OK;
}
