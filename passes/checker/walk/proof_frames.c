// proof_frames.c - see proof_walk.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_walk.h"

#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"
#include "type_size.h"

// Calls in calls beyond this depth count as a whole.
enum { MOST_DEPTH = 128 };

// The memories that argument |number| denotes in the current frame.
static gmem_proof_set_t given_as(const gmem_walk_t *walk, uint32_t number) {
  return walk->frame.arguments ? walk->frame.arguments[number]
                               : (gmem_proof_set_t){0};
}

// Whether the current frame gives the site of |id|, if it is the name of one
// that an argument may point to.
static bool is_given(const gmem_walk_t *walk, uint32_t id) {
  const gmem_proof_memory_t *memory = &walk->memory;
  const gmem_proof_name_t *name = gmem_proof_name_at(memory, id);
  if (!name || name->argument == GMEM_NO_INDEX)
    return true;
  gmem_proof_set_t given = given_as(walk, name->argument);
  for (uint32_t i = 0; i < given.count; ++i)
    if (gmem_proof_site(memory, given.at[i]) == name->site)
      return true;
  return false;
}

static void know_row(gmem_walk_t *walk, gmem_proof_row_t row) {
  const gmem_proof_memory_t *memory = &walk->memory;
  for (uint32_t v = row.first; v < row.first + row.count; ++v)
    for (uint32_t i = 0; i < memory->sites[v].count; ++i)
      if (memory->sites[v].at[i] < GMEM_PROOF_ARGUMENT)
        walk->known_to[gmem_proof_site(memory, memory->sites[v].at[i])] =
            walk->footprints.function + 1;
}

void gmem_walk_find_known(gmem_walk_t *walk) {
  const gmem_proof_program_t *program = walk->program;
  const gmem_proof_function_t *function =
      &program->functions.at[walk->footprints.function];
  for (uint32_t b = gmem_proof_entry(program, function->region);
       b < function->end_block; ++b)
    know_row(walk, program->blocks.at[b].arguments);
  for (uint32_t i = function->first_op; i < function->end_op; ++i)
    know_row(walk, gmem_walk_op(walk, i)->results);
}

bool gmem_walk_is_known(const gmem_walk_t *walk, uint32_t id) {
  return id != GMEM_NO_INDEX &&
         walk->known_to[gmem_proof_site(&walk->memory, id)] ==
             walk->footprints.function + 1;
}

bool gmem_walk_is_elsewhere(const gmem_walk_t *walk, uint32_t written,
                            uint32_t intact) {
  return walk->frame.depth && !gmem_walk_is_known(walk, written) &&
         !gmem_walk_is_known(walk, intact);
}

void gmem_walk_list_ids(gmem_walk_t *walk, uint32_t value) {
  walk->now.ids.count = 0;
  if (value == GMEM_NO_INDEX)
    return;
  gmem_proof_set_t set = walk->memory.of[value];
  for (uint32_t i = 0; i < set.count; ++i) {
    if (set.at[i] < GMEM_PROOF_ARGUMENT) {
      if (is_given(walk, set.at[i]))
        GMEM_APPEND(walk->arena, &walk->now.ids, set.at[i]);
      continue;
    }
    gmem_proof_set_t given = given_as(walk, set.at[i] & ~GMEM_PROOF_ARGUMENT);
    for (uint32_t k = 0; k < given.count; ++k)
      GMEM_APPEND(walk->arena, &walk->now.ids, given.at[k]);
  }
}

// The bytes of a memref whose elements follow each other; 0 for others.
static uint64_t dense_bytes(const gmem_walk_t *walk, uint32_t value) {
  MlirType type = value == GMEM_NO_INDEX
                      ? (MlirType){NULL}
                      : mlirValueGetType(gmem_walk_value(walk, value)->value);
  uint64_t bytes = 0;
  if (!type.ptr || !mlirTypeIsAMemRef(type) ||
      !mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)) ||
      gmem_memref_size(type, NULL, &bytes) != GMEM_TYPE_SIZED)
    return 0;
  return bytes;
}

bool gmem_walk_is_whole(const gmem_walk_t *walk, uint32_t value) {
  uint64_t bytes = dense_bytes(walk, value);
  while (bytes && dense_bytes(walk, value) == bytes) {
    const gmem_proof_value_t *entry = gmem_walk_value(walk, value);
    if (entry->op == GMEM_NO_INDEX)
      return walk->frame.is_whole && walk->frame.is_whole[entry->number] &&
             entry->block ==
                 gmem_proof_entry(
                     walk->program,
                     walk->program->functions.at[walk->frame.function].region);
    const gmem_proof_op_t *op = gmem_walk_op(walk, entry->op);
    if (op->model->kind == GMEM_OP_ALLOC)
      return entry->is_placed;
    if (op->model->kind != GMEM_OP_VIEW || op->operand_count == 0)
      return false;
    value = op->operands[0];
  }
  return false;
}

bool gmem_walk_replaces(const gmem_walk_t *walk, const gmem_proof_op_t *op,
                        uint32_t number) {
  return number < op->operand_count && gmem_proof_replaces(op, number) &&
         op->flow == GMEM_PROOF_STEP && gmem_proof_runs_as_modelled(op) &&
         gmem_walk_is_whole(walk, op->operands[number]);
}

bool gmem_walk_gives_tracked(gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    if (op->operands[i] == GMEM_NO_INDEX ||
        !gmem_walk_value(walk, op->operands[i])->is_memref)
      continue;
    gmem_walk_list_ids(walk, op->operands[i]);
    for (size_t k = 0; k < walk->now.ids.count; ++k)
      if (gmem_walk_is_known(walk, walk->now.ids.at[k]) ||
          gmem_proof_loss(&walk->state, walk->now.ids.at[k]))
        return true;
  }
  return false;
}

bool gmem_walk_begin_inline(gmem_walk_t *walk, uint32_t index,
                            gmem_walk_frame_t *out_saved) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  const gmem_proof_function_t *callee = gmem_proof_callee(walk->program, op);
  size_t ops = callee->end_op - callee->first_op;
  if (walk->frame.depth >= MOST_DEPTH || ops > walk->calls.steps_left)
    return false;
  walk->calls.steps_left -= ops;
  gmem_proof_set_t *sets =
      gmem_bump_alloc(walk->arena, op->operand_count, sizeof *sets);
  bool *are_whole =
      gmem_bump_alloc(walk->arena, op->operand_count, sizeof *are_whole);
  for (uint32_t i = 0; sets && are_whole && i < op->operand_count; ++i) {
    are_whole[i] = gmem_walk_is_whole(walk, op->operands[i]);
    gmem_walk_list_ids(walk, op->operands[i]);
    uint32_t *copy =
        gmem_bump_alloc(walk->arena, walk->now.ids.count, sizeof *copy);
    for (size_t k = 0; copy && k < walk->now.ids.count; ++k)
      copy[k] = walk->now.ids.at[k];
    sets[i] =
        (gmem_proof_set_t){copy, copy ? (uint32_t)walk->now.ids.count : 0};
  }
  *out_saved = walk->frame;
  walk->frame =
      (gmem_walk_frame_t){sets,
                          are_whole,
                          (uint32_t)(callee - walk->program->functions.at),
                          walk->frame.depth + 1,
                          index,
                          ++walk->calls.runs,
                          out_saved};
  return true;
}
