// machine_data.c - ops that compute or move data, by what they do. The order
// inside of an op is the worst that its meaning allows: results are written
// while operands are still being read.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine_run.h"
#include "mlir-c/BuiltinTypes.h"

static const value_t *value_of(const machine_t *machine, uint32_t value) {
  return &machine->program->values[machine_seen(machine, value)];
}

// Whether |part| lies at byte |offset| of |whole|.
static bool is_part_of(const value_t *part, const value_t *whole,
                       uint64_t offset) {
  return part->pool != NONE && part->pool == whole->pool && !part->layout &&
         !whole->layout && part->offset == whole->offset + offset;
}

//===--- computing --------------------------------------------------------===//

// The operands that may be gone when the results are there: those that are not
// read, and those that the op writes over in an order that is theirs.
static uint64_t spent_operands(const machine_t *machine, const op_t *op) {
  uint64_t spent = op->does.unread;
  for (uint32_t i = 0; i < op->operand_count && i < 64; ++i) {
    if (op->operands[i] == NONE || op->result_count == 0)
      continue;
    const value_t *operand = value_of(machine, op->operands[i]);
    int64_t result =
        op->does.destination < 0 ? -1 : (int64_t)i - op->does.destination;
    for (uint32_t r = 0; r < op->result_count && r < ELEMENTWISE_RESULTS; ++r)
      if (op->does.elementwise[r] >> i & 1 &&
          is_same_place(operand,
                        &machine->program->values[op->first_result + r]))
        spent |= UINT64_C(1) << i;
    if (result >= 0 && result < op->result_count &&
        is_same_place(operand,
                      &machine->program->values[op->first_result + result]))
      spent |= UINT64_C(1) << i;
  }
  return spent;
}

// The value that |value| is under another shape.
static uint32_t origin_of(const program_t *program, uint32_t value) {
  for (;;) {
    uint32_t op = program->values[value].op;
    if (op == NONE || program->ops[op].does.does != DOES_VIEW ||
        program->ops[op].operand_count == 0 ||
        program->ops[op].operands[0] == NONE)
      return value;
    value = program->ops[op].operands[0];
  }
}

// Whether the value is there before the network runs, and so behind it.
static bool is_of_network(const machine_t *machine, uint32_t index) {
  const program_t *program = machine->program;
  const value_t *value = &program->values[index];
  const function_t *entry = &program->functions[machine->entry];
  if (index < entry->first_value || index >= entry->end_value)
    return false;
  return value->op == NONE
             ? program->regions[entry->region].blocks[0] == value->block
             : program->ops[value->op].does.does == DOES_INPUT;
}

void frame_learn_written(machine_t *machine, frame_t *frame, uint32_t value,
                         content_t content) {
  const program_t *program = machine->program;
  uint32_t origin = origin_of(program, value);
  for (uint32_t v = frame->function->first_value;
       v < frame->function->end_value; ++v)
    if (origin_of(program, v) == origin)
      frame_learn(machine, frame, v, content);
  *(uint32_t *)machine_push(&machine->arena, &frame->written,
                            &frame->written_count, &frame->written_room,
                            sizeof origin) = origin;
  if (is_of_network(machine, origin))
    *(uint32_t *)machine_push(&machine->arena, &frame->held, &frame->held_count,
                              &frame->held_room, sizeof origin) = origin;
}

static void run_write(machine_t *machine, frame_t *frame, uint32_t index,
                      uint32_t operand) {
  content_t made = machine_fresh(machine, origin_of(machine->program, operand));
  machine_write(machine, index, machine_seen(machine, operand), made);
  frame_learn_written(machine, frame, operand, made);
}

static void run_compute(machine_t *machine, frame_t *frame, uint32_t index) {
  const op_t *op = &machine->program->ops[index];
  machine_check_operands(machine, frame, index, "operand", op->does.unread);
  for (uint32_t i = 0; i < op->result_count; ++i) {
    content_t made = machine_fresh(machine, op->first_result + i);
    frame_learn(machine, frame, op->first_result + i, made);
    machine_write(machine, index, op->first_result + i, made);
  }
  for (uint32_t i = 0; i < op->operand_count && i < 64; ++i)
    if (op->does.writes >> i & 1 && op->operands[i] != NONE)
      run_write(machine, frame, index, op->operands[i]);
  for (size_t i = 0; i < op->callee_count; ++i)
    run_on_anything(machine, op->callees[i]);
  machine_check_operands(machine, frame, index, "while it writes, operand",
                         spent_operands(machine, op));
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (machine->program->values[op->first_result + i].pool != NONE)
      machine_check(machine, frame, index, "after it has written, its own",
                    op->first_result + i);
}

//===--- the same bytes ---------------------------------------------------===//

static bool is_handle(const machine_t *machine, uint32_t value) {
  const value_t *entry = &machine->program->values[value];
  return !entry->wants_place &&
         !mlirTypeIsARankedTensor(mlirValueGetType(entry->value));
}

static void run_view(machine_t *machine, frame_t *frame, uint32_t index) {
  const op_t *op = &machine->program->ops[index];
  if (op->operand_count == 0 || op->result_count == 0 ||
      op->operands[0] == NONE) {
    run_compute(machine, frame, index);
    return;
  }
  uint32_t operand = machine_seen(machine, op->operands[0]);
  const value_t *result = &machine->program->values[op->first_result];
  content_t content = frame_known(machine, frame, operand);
  frame_learn(machine, frame, op->first_result, content);
  if (result->pool == NONE) {
    // Who has the handle may look at the memory up to the function's end.
    if (is_handle(machine, op->first_result))
      *(uint32_t *)machine_push(&machine->arena, &frame->held,
                                &frame->held_count, &frame->held_room,
                                sizeof operand) = operand;
    return;
  }
  if (machine->program->values[operand].pool == NONE)
    machine_write(machine, index, op->first_result,
                  frame_known(machine, frame, op->first_result));
  machine_check(machine, frame, index, "as a view its", op->first_result);
}

static void run_slice(machine_t *machine, frame_t *frame, uint32_t index) {
  const op_t *op = &machine->program->ops[index];
  uint32_t part = op->operands[op->does.part];
  const value_t *whole = value_of(machine, part);
  const value_t *result = &machine->program->values[op->first_result];
  uint32_t seen = machine_seen(machine, part);
  machine_check_part(machine, frame, index, "operand", part, op->does.offset,
                     result->size);
  content_t content =
      content_cut(&machine->arena, frame_known(machine, frame, seen),
                  op->does.offset, result->size);
  frame_learn(machine, frame, op->first_result, content);
  if (is_part_of(result, whole, op->does.offset))
    return;
  machine_write(machine, index, op->first_result, content);
  machine_check_part(machine, frame, index, "while it copies, operand", part,
                     op->does.offset, result->size);
}

// A piece of the result of a join or an insert.
typedef struct piece_s {
  uint32_t value;
  uint64_t offset;   // in the result
  bool is_there;     // it lies there already
  content_t content; // what it should be
} piece_t;

static piece_t read_piece(machine_t *machine, frame_t *frame, uint32_t index,
                          uint32_t operand, uint64_t offset) {
  const op_t *op = &machine->program->ops[index];
  uint32_t value = machine_seen(machine, operand);
  machine_check(machine, frame, index, "operand", value);
  return (piece_t){value, offset,
                   is_part_of(value_of(machine, value),
                              &machine->program->values[op->first_result],
                              offset),
                   frame_known(machine, frame, value)};
}

// Writes |piece| to its part of the result, unless it is there.
static void write_piece(machine_t *machine, const op_t *op,
                        const piece_t *piece) {
  const value_t *result = &machine->program->values[op->first_result];
  if (result->pool != NONE && !piece->is_there)
    pool_write(&machine->program->pools[result->pool],
               result->offset + piece->offset, piece->content);
}

static void check_piece(machine_t *machine, frame_t *frame, uint32_t index,
                        const piece_t *piece) {
  if (!piece->is_there)
    machine_check(machine, frame, index, "while it copies, operand",
                  piece->value);
}

static void refuse_constant(machine_t *machine, uint32_t index) {
  const op_t *op = &machine->program->ops[index];
  const value_t *result = &machine->program->values[op->first_result];
  if (result->pool != NONE && machine->program->pools[result->pool].constant)
    machine_fail(machine, index, "makes its result in constant memory");
}

static void finish_result(machine_t *machine, frame_t *frame, uint32_t index,
                          content_t content) {
  const op_t *op = &machine->program->ops[index];
  frame_learn(machine, frame, op->first_result, content);
  if (machine->program->values[op->first_result].pool != NONE)
    machine_check(machine, frame, index, "after it has written, its own",
                  op->first_result);
}

static uint64_t round_up(uint64_t offset, uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

static void run_join(machine_t *machine, frame_t *frame, uint32_t index) {
  const op_t *op = &machine->program->ops[index];
  size_t first = (size_t)op->does.part, count = op->operand_count - first;
  piece_t *pieces = machine_alloc(&machine->arena, count, sizeof *pieces);
  uint64_t offset = 0;
  content_t content =
      content_of_tag(&machine->arena, TAG_ANY,
                     machine->program->values[op->first_result].size);
  refuse_constant(machine, index);
  for (size_t i = 0; i < count; ++i) {
    offset = round_up(offset, op->does.alignment);
    pieces[i] =
        read_piece(machine, frame, index, op->operands[first + i], offset);
    content =
        content_patch(&machine->arena, content, pieces[i].content, offset);
    offset += pieces[i].content.size;
  }
  for (size_t i = 0; i < count; ++i)
    write_piece(machine, op, &pieces[i]);
  for (size_t i = 0; i < count; ++i)
    check_piece(machine, frame, index, &pieces[i]);
  finish_result(machine, frame, index, content);
}

// The operand that is replaced in: only what stays of it is read.
static void check_rest(machine_t *machine, frame_t *frame, uint32_t index,
                       const char *what, const piece_t *piece) {
  const op_t *op = &machine->program->ops[index];
  uint32_t value = op->operands[op->does.destination];
  uint64_t size = value_of(machine, value)->size;
  uint64_t end = piece->offset + piece->content.size;
  machine_check_part(machine, frame, index, what, value, 0, piece->offset);
  if (end < size)
    machine_check_part(machine, frame, index, what, value, end, size - end);
}

static void run_insert(machine_t *machine, frame_t *frame, uint32_t index) {
  const op_t *op = &machine->program->ops[index];
  uint32_t destination =
      machine_seen(machine, op->operands[op->does.destination]);
  const value_t *result = &machine->program->values[op->first_result];
  bool in_place = is_same_place(&machine->program->values[destination], result);
  refuse_constant(machine, index);
  piece_t piece = read_piece(machine, frame, index, op->operands[op->does.part],
                             op->does.offset);
  check_rest(machine, frame, index, "destination", &piece);
  content_t old = frame_known(machine, frame, destination);
  uint64_t end = piece.offset + piece.content.size;
  if (!in_place && result->pool != NONE) {
    pool_t *pool = &machine->program->pools[result->pool];
    pool_write(pool, result->offset,
               content_cut(&machine->arena, old, 0, piece.offset));
    if (end < result->size)
      pool_write(pool, result->offset + end,
                 content_cut(&machine->arena, old, end, result->size - end));
  }
  write_piece(machine, op, &piece);
  check_piece(machine, frame, index, &piece);
  if (!in_place)
    check_rest(machine, frame, index, "while it copies, destination", &piece);
  finish_result(
      machine, frame, index,
      content_patch(&machine->arena, old, piece.content, piece.offset));
}

//===--- contents that are there ------------------------------------------===//

static void run_preloaded(machine_t *machine, frame_t *frame, uint32_t index) {
  const op_t *op = &machine->program->ops[index];
  for (uint32_t i = 0; i < op->result_count; ++i) {
    uint32_t value = op->first_result + i;
    const value_t *entry = &machine->program->values[value];
    if (entry->is_weight) {
      frame_learn(machine, frame, value, machine->preloaded[value]);
    } else if (op->does.does == DOES_WEIGHT) {
      content_t made = machine_fresh(machine, value);
      frame_learn(machine, frame, value, made);
      machine_write(machine, index, value, made);
    }
    if (entry->pool != NONE)
      machine_check(machine, frame, index, "as a constant or input its", value);
  }
}

// What an op works on it may touch around, too; not what it does not look at.
static void scribble_around(machine_t *machine, const op_t *op) {
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (!(i < 64 && op->does.unread >> i & 1))
      machine_scribble_all(machine, &op->operands[i], 1);
  machine_scribble_all(machine, op->captures, op->capture_count);
  for (uint32_t i = 0; i < op->result_count; ++i)
    machine_scribble(machine, op->first_result + i);
}

static void run_by_kind(machine_t *machine, frame_t *frame, uint32_t index) {
  switch (machine->program->ops[index].does.does) {
  case DOES_WEIGHT:
  case DOES_INPUT:
    run_preloaded(machine, frame, index);
    break;
  case DOES_VIEW:
    run_view(machine, frame, index);
    break;
  case DOES_SLICE:
    run_slice(machine, frame, index);
    break;
  case DOES_JOIN:
    run_join(machine, frame, index);
    break;
  case DOES_INSERT:
    run_insert(machine, frame, index);
    break;
  case DOES_EMPTY:
  case DOES_NOTHING:
    break; // nothing is known of the results, and nothing is asked of them
  default:
    run_compute(machine, frame, index);
  }
}

void run_data_op(machine_t *machine, frame_t *frame, uint32_t index) {
  const op_t *op = &machine->program->ops[index];
  bool is_idle = op->does.does == DOES_EMPTY || op->does.does == DOES_NOTHING;
  if (!is_idle)
    scribble_around(machine, op);
  run_by_kind(machine, frame, index);
  if (!is_idle)
    scribble_around(machine, op);
}
