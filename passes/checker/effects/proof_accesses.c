// proof_accesses.c - see proof_accesses.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_accesses.h"

#include <assert.h>

#include "ir_reading.h"
#include "proof_branches.h"
#include "type_size.h"

static const gmem_proof_value_t *value_at(const gmem_proof_accesses_t *accesses,
                                          uint32_t value) {
  return gmem_proof_value_at(accesses->program, value);
}

static void add(gmem_proof_accesses_t *accesses,
                const gmem_proof_access_t *access) {
  GMEM_APPEND(accesses->arena, &accesses->list, *access);
}

bool gmem_proof_is_flow(const gmem_proof_op_t *op) {
  return op->flow >= GMEM_PROOF_BRANCH || op->is_end;
}

bool gmem_proof_is_at(const gmem_proof_program_t *program, uint32_t value,
                      uint64_t begin) {
  return value != GMEM_NO_INDEX && program->values.at[value].is_placed &&
         program->values.at[value].bytes.begin == begin;
}

bool gmem_proof_is_target(const gmem_proof_program_t *program, uint32_t value) {
  return gmem_proof_value_at(program, value)->is_placed &&
         !gmem_proof_value_at(program, value)->is_memref;
}

bool gmem_proof_is_copied(const gmem_proof_program_t *program, uint32_t from,
                          uint32_t to) {
  gmem_proof_range_t bytes = gmem_proof_value_at(program, to)->bytes;
  return gmem_proof_is_target(program, to) && bytes.begin < bytes.end &&
         from != GMEM_NO_INDEX && gmem_proof_value_at(program, from)->is_placed;
}

bool gmem_proof_is_passed(const gmem_proof_program_t *program,
                          const gmem_proof_memory_t *memory, uint32_t from,
                          uint32_t to) {
  return gmem_proof_is_target(program, to) &&
         !gmem_proof_is_copied(program, from, to) &&
         !gmem_proof_is_undefined(program, memory, from);
}

//===--- results ----------------------------------------------------------===//

static void add_row(gmem_proof_accesses_t *accesses, gmem_proof_row_t row) {
  for (uint32_t v = row.first; v < row.first + row.count; ++v)
    if (value_at(accesses, v)->is_placed && !value_at(accesses, v)->is_memref)
      add(accesses,
          &(gmem_proof_access_t){
              GMEM_PROOF_MAKES, v, GMEM_NO_INDEX, value_at(accesses, v)->bytes,
              gmem_proof_columns_of(accesses->program, value_at(accesses, v))});
}

static void add_piece(gmem_proof_accesses_t *accesses, uint32_t result,
                      uint64_t begin, uint64_t end) {
  if (begin < end)
    add(accesses, &(gmem_proof_access_t){.kind = GMEM_PROOF_COPIES,
                                         .value = result,
                                         .operand = GMEM_NO_INDEX,
                                         .bytes = {begin, end}});
}

// The result of a concatenation whose operands lie in rows of it, without those
// that are in their places already.
static void add_columns(gmem_proof_accesses_t *accesses,
                        const gmem_proof_op_t *op,
                        const gmem_proof_parts_t *parts) {
  uint32_t result = op->results.first;
  gmem_proof_range_t all = value_at(accesses, result)->bytes;
  for (uint32_t i = parts->first; i < parts->end; ++i) {
    const gmem_proof_rows_t *rows = &parts->rows[i - parts->first];
    uint64_t begin = all.begin + rows->offset;
    if (rows->size &&
        !(rows->is_laid_out_so &&
          gmem_proof_is_at(accesses->program, op->operands[i], begin)))
      add(accesses, &(gmem_proof_access_t){.kind = GMEM_PROOF_COPIES,
                                           .value = result,
                                           .operand = GMEM_NO_INDEX,
                                           .bytes = {begin, begin + rows->size},
                                           .columns = rows->columns});
  }
}

// The result of an op that puts operands together, without those that are in
// their places already. Of an empty tensor there is nothing to copy.
static void add_joined(gmem_proof_accesses_t *accesses,
                       const gmem_proof_op_t *op,
                       const gmem_proof_parts_t *parts) {
  uint32_t result = op->results.first;
  gmem_proof_range_t all = value_at(accesses, result)->bytes;
  uint32_t rest = gmem_proof_rest(op, parts);
  bool is_in_place =
      gmem_proof_is_at(accesses->program, rest, all.begin) ||
      gmem_proof_is_undefined(accesses->program, accesses->memory, rest);
  uint64_t at = all.begin;
  for (uint32_t i = parts->first; i < parts->end; ++i) {
    uint32_t part = op->operands[i];
    uint64_t offset = parts->offsets[i - parts->first];
    if (part == GMEM_NO_INDEX || offset == GMEM_PROOF_NO_PART)
      continue;
    gmem_proof_range_t bytes = value_at(accesses, part)->bytes;
    uint64_t begin = all.begin + offset, end = begin + bytes.end - bytes.begin;
    assert(end <= all.end);
    bool is_there = gmem_proof_is_at(accesses->program, part, begin);
    if (is_in_place && !is_there)
      add_piece(accesses, result, begin, end);
    else if (!is_in_place && is_there) {
      add_piece(accesses, result, at, begin);
      at = end;
    }
  }
  if (!is_in_place)
    add_piece(accesses, result, at, all.end);
}

bool gmem_proof_is_view(const gmem_proof_program_t *program,
                        const gmem_proof_memory_t *memory, uint32_t operand,
                        uint32_t result) {
  return operand != GMEM_NO_INDEX &&
         (program->values.at[operand].is_constant ||
          memory->of[operand].count) &&
         (program->values.at[result].is_placed ||
          !program->values.at[result].is_sized);
}

// Whether the results of the op are contents that it makes.
static bool makes_results(const gmem_proof_op_t *op) {
  switch (op->model->kind) {
  case GMEM_OP_EMPTY:
  case GMEM_OP_NONE:
  case GMEM_OP_INPUT:
  case GMEM_OP_ALLOC:
  case GMEM_OP_VIEW:
  case GMEM_OP_GLOBAL:
    return false;
  default:
    return op->flow < GMEM_PROOF_BRANCH && op->results.count;
  }
}

static void add_results(gmem_proof_accesses_t *accesses, uint32_t index) {
  const gmem_proof_program_t *program = accesses->program;
  const gmem_proof_op_t *op = gmem_proof_op_at(program, index);
  const gmem_proof_parts_t *parts = &accesses->contents->parts[index];
  if (!makes_results(op))
    return;
  uint32_t result = op->results.first;
  const gmem_proof_value_t *first = value_at(accesses, result);
  bool is_view =
      op->model->kind == GMEM_OP_RESHAPE && op->operand_count &&
      gmem_proof_is_view(program, accesses->memory, op->operands[0], result);
  if ((op->model->kind == GMEM_OP_WEIGHT && first->is_constant) || is_view)
    return;
  // What joins constants where they lie makes a value in their pool, which is
  // no constant.
  bool is_join =
      parts->shape != GMEM_PROOF_COMPUTES && parts->shape != GMEM_PROOF_SLICES;
  if (op->model->kind == GMEM_OP_RESHAPE || !first->is_placed ||
      parts->shape == GMEM_PROOF_COMPUTES || (is_join && first->is_constant))
    add_row(accesses, op->results);
  else if (parts->shape == GMEM_PROOF_JOINS && parts->rows)
    add_columns(accesses, op, parts);
  else if (parts->shape != GMEM_PROOF_SLICES)
    add_joined(accesses, op, parts);
  else if (op->operands[parts->first] == GMEM_NO_INDEX ||
           !gmem_proof_is_at(program, op->operands[parts->first],
                             first->bytes.begin - parts->offsets[0]))
    add(accesses, &(gmem_proof_access_t){
                      GMEM_PROOF_COPIES, result, GMEM_NO_INDEX, first->bytes,
                      gmem_proof_columns_of(accesses->program, first)});
}

// Arguments of blocks that the op writes itself, without a record of a copy.
static void add_arguments(gmem_proof_accesses_t *accesses,
                          const gmem_proof_op_t *op) {
  const gmem_proof_program_t *program = accesses->program;
  uint32_t first;
  bool is_for = op->flow == GMEM_PROOF_FOR;
  for (uint32_t r = 0; r < op->region_count; ++r) {
    gmem_proof_row_t row = gmem_proof_arguments(program, op->first_region + r);
    row.count -= is_for ? op->results.count : 0;
    if (is_for || op->flow < GMEM_PROOF_BRANCH)
      add_row(accesses, row);
  }
  for (intptr_t s = 0; s < mlirOperationGetNumSuccessors(op->op); ++s) {
    uint32_t to = gmem_proof_successor(program, op, (uint32_t)s);
    if (to != GMEM_NO_INDEX &&
        !gmem_proof_branch_operands(op, (uint32_t)s, &first))
      add_row(accesses, program->blocks.at[to].arguments);
  }
}

//===--- operands without a place -----------------------------------------===//

// The operands |from| get to a row.
static void add_passed(gmem_proof_accesses_t *accesses, const uint32_t *from,
                       gmem_proof_row_t to) {
  for (uint32_t i = 0; i < to.count; ++i)
    if (gmem_proof_is_passed(accesses->program, accesses->memory, from[i],
                             to.first + i))
      add(accesses, &(gmem_proof_access_t){
                        .kind = GMEM_PROOF_PASSES,
                        .value = to.first + i,
                        .operand = GMEM_NO_INDEX,
                        .bytes = value_at(accesses, to.first + i)->bytes});
}

// A row gets to another one.
static void add_row_passed(gmem_proof_accesses_t *accesses,
                           gmem_proof_row_t from, gmem_proof_row_t to) {
  for (uint32_t i = 0; i < to.count; ++i) {
    uint32_t value = from.first + i;
    add_passed(accesses, &value, (gmem_proof_row_t){to.first + i, 1});
  }
}

static void add_branch(gmem_proof_accesses_t *accesses,
                       const gmem_proof_op_t *op) {
  const gmem_proof_program_t *program = accesses->program;
  for (intptr_t s = 0; s < mlirOperationGetNumSuccessors(op->op); ++s) {
    uint32_t to = gmem_proof_successor(program, op, (uint32_t)s), first;
    if (to != GMEM_NO_INDEX &&
        gmem_proof_branch_operands(op, (uint32_t)s, &first))
      add_passed(accesses, op->operands + first,
                 program->blocks.at[to].arguments);
  }
}

// The last op of the first region of a loop that is no for.
static const gmem_proof_op_t *
condition_of(const gmem_proof_accesses_t *accesses, const gmem_proof_op_t *op) {
  const gmem_proof_program_t *program = accesses->program;
  uint32_t entry = gmem_proof_entry(program, op->first_region);
  return gmem_proof_op_at(program, program->blocks.at[entry].last_op);
}

static void add_entered(gmem_proof_accesses_t *accesses,
                        const gmem_proof_op_t *op) {
  const gmem_proof_program_t *program = accesses->program;
  const uint32_t *end = op->operands + op->operand_count;
  gmem_proof_row_t row = gmem_proof_carried(program, op);
  add_passed(accesses, end - row.count, row);
  if (op->flow == GMEM_PROOF_FOR || op->model->kind == GMEM_OP_LOOP)
    add_row_passed(accesses, row, op->results);
  else
    add_passed(accesses, condition_of(accesses, op)->operands + 1, op->results);
}

static void add_called(gmem_proof_accesses_t *accesses,
                       const gmem_proof_op_t *op) {
  const gmem_proof_program_t *program = accesses->program;
  const gmem_proof_region_t *body =
      &program->regions.at[gmem_proof_callee(program, op)->region];
  gmem_proof_row_t row =
      gmem_proof_arguments(program, gmem_proof_callee(program, op)->region);
  add_passed(accesses, op->operands, row);
  for (uint32_t b = 0; b < body->block_count; ++b) {
    const gmem_proof_op_t *end =
        gmem_proof_exit(program, body->first_block + b);
    if (end && !gmem_proof_copies_to_caller(end))
      add_passed(accesses, end->operands, op->results);
  }
}

static void add_returned(gmem_proof_accesses_t *accesses,
                         const gmem_proof_op_t *op) {
  const gmem_proof_program_t *program = accesses->program;
  const gmem_proof_function_t *function = &program->functions.at[op->function];
  if (!gmem_proof_copies_to_caller(op) || function->mentions != 1)
    return;
  gmem_proof_row_t results =
      gmem_proof_op_at(program, function->caller)->results;
  if (results.count <= op->operand_count)
    add_passed(accesses, op->operands, results);
}

// A terminator leaves its region.
static void add_left(gmem_proof_accesses_t *accesses,
                     const gmem_proof_op_t *op) {
  const gmem_proof_program_t *program = accesses->program;
  if (op->parent == GMEM_NO_INDEX) {
    add_returned(accesses, op);
    return;
  }
  const gmem_proof_op_t *around = gmem_proof_op_at(program, op->parent);
  uint32_t region = program->blocks.at[op->block].region;
  if (around->flow == GMEM_PROOF_BRANCH)
    add_passed(accesses, op->operands, around->results);
  else if (around->flow == GMEM_PROOF_FOR ||
           (around->flow == GMEM_PROOF_WHILE && region > around->first_region))
    add_passed(accesses, op->operands, gmem_proof_carried(program, around));
  else if (around->flow == GMEM_PROOF_WHILE &&
           around->model->kind == GMEM_OP_LOOP)
    add_row_passed(accesses, gmem_proof_carried(program, around),
                   gmem_proof_arguments(program, region + 1));
  else if (around->flow == GMEM_PROOF_WHILE)
    add_passed(accesses, op->operands + 1,
               gmem_proof_arguments(program, region + 1));
}

static void add_flow(gmem_proof_accesses_t *accesses,
                     const gmem_proof_op_t *op) {
  const gmem_proof_program_t *program = accesses->program;
  if (mlirOperationGetNumSuccessors(op->op))
    add_branch(accesses, op);
  else if (op->is_end)
    add_left(accesses, op);
  if (op->flow == GMEM_PROOF_FOR || op->flow == GMEM_PROOF_WHILE)
    add_entered(accesses, op);
  if (op->flow == GMEM_PROOF_CALL || op->is_direct)
    add_called(accesses, op);
  for (uint32_t r = 0; r < op->region_count && op->flow == GMEM_PROOF_BRANCH;
       ++r) {
    gmem_proof_row_t row = gmem_proof_arguments(program, op->first_region + r);
    add_passed(accesses, op->operands + op->operand_count - row.count, row);
  }
}

//===--- operands ---------------------------------------------------------===//

// Whether the op may write the memory of operand |number|.
static bool writes(const gmem_proof_accesses_t *accesses,
                   const gmem_proof_op_t *op, uint32_t number) {
  const gmem_proof_value_t *value = value_at(accesses, op->operands[number]);
  if (number < op->operand_count &&
      gmem_op_model_writes(op->model, op->op, number))
    return true;
  switch (op->model->kind) {
  case GMEM_OP_VIEW:
  case GMEM_OP_RESHAPE:
  case GMEM_OP_ALLOC:
  case GMEM_OP_GLOBAL:
  case GMEM_OP_NONE:
    return false;
  case GMEM_OP_DEALLOC:
    if (op->results.count == 0)
      return false;
    break;
  default:
    if (gmem_proof_is_flow(op))
      return false;
  }
  return gmem_is_memref_type(mlirValueGetType(value->value)) &&
         !gmem_proof_only_reads(op, number) &&
         (value->op == GMEM_NO_INDEX ||
          mlirAttributeIsNull(gmem_op_attribute(
              gmem_proof_op_at(accesses->program, value->op)->op,
              "read_only")));
}

static void add_operands(gmem_proof_accesses_t *accesses,
                         const gmem_proof_op_t *op) {
  // Control flow works on nothing itself, nor does an allocation.
  bool has_pads = accesses->program->has_room_around &&
                  !gmem_proof_is_flow(op) && op->model->kind != GMEM_OP_ALLOC;
  for (uint32_t i = 0; i < op->read_count; ++i) {
    gmem_proof_access_t access = {
        .kind = GMEM_PROOF_READS, .value = op->operands[i], .operand = i};
    if (access.value == GMEM_NO_INDEX)
      continue;
    if (writes(accesses, op, i))
      access.kind = GMEM_PROOF_MODIFIES;
    else if (gmem_proof_is_unread(op, i))
      continue;
    add(accesses, &access);
    access.kind = GMEM_PROOF_PADS;
    if (has_pads)
      add(accesses, &access);
  }
  for (uint32_t i = 0; i < op->results.count && has_pads; ++i)
    add(accesses, &(gmem_proof_access_t){.kind = GMEM_PROOF_PADS,
                                         .value = op->results.first + i,
                                         .operand = GMEM_NO_INDEX});
}

void gmem_proof_accesses_list(gmem_proof_accesses_t *accesses, uint32_t op) {
  const gmem_proof_op_t *entry = gmem_proof_op_at(accesses->program, op);
  if (accesses->is_listed && accesses->op == op)
    return;
  accesses->is_listed = true;
  accesses->op = op;
  accesses->list.count = 0;
  add_results(accesses, op);
  add_arguments(accesses, entry);
  add_operands(accesses, entry);
  for (uint32_t i = 0; i < entry->planned->workbuffer_count; ++i)
    if (entry->planned->workbuffers[i].begin <
        entry->planned->workbuffers[i].end)
      add(accesses,
          &(gmem_proof_access_t){.kind = GMEM_PROOF_SCRATCH,
                                 .value = GMEM_NO_INDEX,
                                 .operand = GMEM_NO_INDEX,
                                 .bytes = entry->planned->workbuffers[i]});
  add_flow(accesses, entry);
}
