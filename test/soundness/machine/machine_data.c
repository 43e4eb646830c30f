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
    if (origin_of(program, v) == origin) {
      shown_t *shown = frame->shown[v - frame->function->first_value];
      frame_learn(machine, frame, v, content);
      frame->shown[v - frame->function->first_value] = shown;
      if (shown)
        shown->content = frame_known(machine, frame, v);
    }
  *(uint32_t *)machine_push(&machine->arena, &frame->written,
                            &frame->written_count, &frame->written_room,
                            sizeof origin) = origin;
  if (is_of_network(machine, origin))
    frame_hold(machine, frame, origin);
}

static void run_write(machine_t *machine, frame_t *frame, uint32_t index,
                      uint32_t operand) {
  content_t made = machine_fresh(machine, origin_of(machine->program, operand));
  machine_write(machine, index, machine_seen(machine, operand), made);
  frame_learn_written(machine, frame, operand, made);
}

// Whether operands or results have others between their elements, or padding.
static bool has_layouts(const machine_t *machine, const op_t *op) {
  bool has_any = false;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    has_any |= op->operands[i] != NONE &&
               (value_of(machine, op->operands[i])->strided ||
                value_of(machine, op->operands[i])->padded);
  for (uint32_t i = 0; i < op->result_count; ++i) {
    const value_t *result = &machine->program->values[op->first_result + i];
    has_any |= result->strided || result->padded;
  }
  return has_any;
}

static bool has_strides(const machine_t *machine, const op_t *op) {
  bool has_any = false;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    has_any |=
        op->operands[i] != NONE && value_of(machine, op->operands[i])->strided;
  for (size_t i = 0; i < op->capture_count; ++i)
    has_any |= value_of(machine, op->captures[i])->strided != NULL;
  for (uint32_t i = 0; i < op->result_count; ++i)
    has_any |= machine->program->values[op->first_result + i].strided != NULL;
  return has_any;
}

// An op that does not take strides finds none.
static void refuse_strides(machine_t *machine, uint32_t index) {
  const op_t *op = &machine->program->ops[index];
  if (!op->does.takes_strides && has_strides(machine, op))
    machine_fail(machine, index, "does not take strides");
}

static void run_compute(machine_t *machine, frame_t *frame, uint32_t index) {
  const op_t *op = &machine->program->ops[index];
  refuse_strides(machine, index);
  machine_check_operands(machine, frame, index, "operand", op->does.unread);
  for (uint32_t i = 0; i < op->result_count; ++i) {
    content_t made = machine_fresh(machine, op->first_result + i);
    frame_learn(machine, frame, op->first_result + i, made);
    machine_write(machine, index, op->first_result + i, made);
  }
  for (uint32_t i = 0; i < op->operand_count && i < 64; ++i)
    if (op->does.writes >> i & 1 && op->operands[i] != NONE)
      run_write(machine, frame, index, op->operands[i]);
  for (uint32_t i = 0; i < op->result_count && op->does.lists; ++i)
    if (!machine->program->values[op->first_result + i].wants_place)
      *frame_list(frame, op->first_result + i) =
          *machine_gather_anew(machine, frame, index);
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
  refuse_strides(machine, index);
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
      frame_hold(machine, frame, operand);
    return;
  }
  if (machine->program->values[operand].pool == NONE)
    machine_write(machine, index, op->first_result,
                  frame_known(machine, frame, op->first_result));
  machine_check(machine, frame, index, "as a view its", op->first_result);
}

static void refuse_constant(machine_t *machine, uint32_t index) {
  const op_t *op = &machine->program->ops[index];
  const value_t *result = &machine->program->values[op->first_result];
  if (result->size && result->pool != NONE &&
      machine->program->pools[result->pool].constant)
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

//===--- parts with gaps --------------------------------------------------===//

// Elements of a tensor that are a part of it: |shape| is that of the part, with
// the distances of the tensor; |first| is the byte of its first.
typedef struct gaps_s {
  uint32_t part, whole; // values
  shape_t shape;
  uint64_t first;
} gaps_t;

// The elements of |value| where its type has them.
static shape_t shape_of(const value_t *value) {
  MlirType type = mlirValueGetType(value->value);
  shape_t shape = {.rank = mlirShapedTypeGetRank(type)};
  int64_t count = 1;
  for (int64_t i = shape.rank; i-- > 0;) {
    shape.dims[i] = mlirShapedTypeGetDimSize(type, i);
    shape.at[i] = count;
    count *= shape.dims[i];
  }
  uint64_t bytes;
  type_bytes(type, &bytes);
  shape.element = bytes / (uint64_t)count;
  return value->padded ? *value->padded : shape;
}

// Box [begin, begin + size) of |whole|.
static gaps_t gaps_of(const machine_t *machine, uint32_t part, uint32_t whole,
                      const int64_t *begin, const int64_t *size) {
  gaps_t gaps = {part, whole, shape_of(&machine->program->values[whole]), 0};
  for (int64_t i = 0; i < gaps.shape.rank; ++i) {
    gaps.first += (uint64_t)(begin[i] * gaps.shape.at[i]) * gaps.shape.element;
    gaps.shape.dims[i] = size[i];
  }
  return gaps;
}

static uint64_t count_elements(const shape_t *shape) {
  uint64_t count = 1;
  for (int64_t i = 0; i < shape->rank; ++i)
    count *= (uint64_t)shape->dims[i];
  return count;
}

// Where element |number| of |value|, which may have strides, is in its pool.
static uint64_t place_of(const value_t *value, uint64_t number,
                         uint64_t element) {
  return value->offset + (value->strided  ? element_at(value->strided, number)
                          : value->padded ? element_at(value->padded, number)
                                          : number * element);
}

// Whether each element of the part is where the tensor has it.
static bool is_in_gaps(const machine_t *machine, const gaps_t *gaps) {
  const value_t *part = &machine->program->values[gaps->part];
  const value_t *whole = &machine->program->values[gaps->whole];
  if (part->pool == NONE || part->pool != whole->pool || whole->strided)
    return false;
  for (uint64_t i = 0; i < count_elements(&gaps->shape); ++i)
    if (place_of(part, i, gaps->shape.element) !=
        whole->offset + gaps->first + element_at(&gaps->shape, i))
      return false;
  return true;
}

static void check_gaps(machine_t *machine, frame_t *frame, uint32_t index,
                       const char *what, const gaps_t *gaps) {
  for (uint64_t i = 0; i < count_elements(&gaps->shape); ++i)
    machine_check_part(machine, frame, index, what, gaps->whole,
                       gaps->first + element_at(&gaps->shape, i),
                       gaps->shape.element);
}

static void run_gap_slice(machine_t *machine, frame_t *frame, uint32_t index) {
  const op_t *op = &machine->program->ops[index];
  uint32_t whole = machine_seen(machine, op->operands[op->does.part]);
  gaps_t gaps =
      gaps_of(machine, op->first_result, whole, op->does.begin, op->does.box);
  const value_t *result = &machine->program->values[op->first_result];
  if (machine->program->values[whole].strided || result->padded) {
    run_compute(machine, frame, index);
    return;
  }
  check_gaps(machine, frame, index, "operand", &gaps);
  content_t all = frame_known(machine, frame, whole);
  content_t content = content_of_tag(&machine->arena, TAG_ANY, result->size);
  for (uint64_t i = 0; i < count_elements(&gaps.shape); ++i)
    content = content_patch(&machine->arena, content,
                            content_cut(&machine->arena, all,
                                        gaps.first + element_at(&gaps.shape, i),
                                        gaps.shape.element),
                            i * gaps.shape.element);
  frame_learn(machine, frame, op->first_result, content);
  if (is_in_gaps(machine, &gaps))
    return;
  if (result->strided && !op->does.takes_strides)
    machine_fail(machine, index, "does not take strides");
  machine_write(machine, index, op->first_result, content);
  check_gaps(machine, frame, index, "while it copies, operand", &gaps);
}

bool machine_find_gaps(const machine_t *machine, const op_t *op,
                       uint32_t operand, bool *is_there) {
  int64_t begin[MAX_RANK] = {0}, size[MAX_RANK], at = 0;
  if (!op->does.has_box || op->operands[operand] == NONE)
    return false;
  uint32_t value = machine_seen(machine, op->operands[operand]);
  if (op->does.does == DOES_SLICE) {
    gaps_t slice =
        gaps_of(machine, op->first_result, value, op->does.begin, op->does.box);
    *is_there = is_in_gaps(machine, &slice);
    return op->does.part == (int32_t)operand;
  }
  for (uint32_t i = (uint32_t)op->does.part; i <= operand; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op->op, i));
    begin[op->does.axis] = at;
    at += mlirShapedTypeGetDimSize(type, op->does.axis);
    for (int64_t k = 0; k < mlirShapedTypeGetRank(type); ++k)
      size[k] = mlirShapedTypeGetDimSize(type, k);
  }
  gaps_t piece = gaps_of(machine, value, op->first_result, begin, size);
  *is_there = is_in_gaps(machine, &piece);
  return true;
}

// Puts the elements of |content|, a part, where |gaps| has them in |all|.
static content_t patch_gaps(machine_t *machine, content_t all,
                            const gaps_t *gaps, content_t content) {
  const value_t *part = &machine->program->values[gaps->part];
  for (uint64_t i = 0; i < count_elements(&gaps->shape); ++i) {
    uint64_t at =
        part->padded ? element_at(part->padded, i) : i * gaps->shape.element;
    all = content_patch(
        &machine->arena, all,
        content_cut(&machine->arena, content, at, gaps->shape.element),
        gaps->first + element_at(&gaps->shape, i));
  }
  return all;
}

// The pieces of a join with gaps, one by one.
static size_t list_gaps(machine_t *machine, frame_t *frame, uint32_t index,
                        gaps_t *gaps) {
  const op_t *op = &machine->program->ops[index];
  int64_t begin[MAX_RANK] = {0}, size[MAX_RANK], at = 0;
  size_t count = 0;
  for (uint32_t i = (uint32_t)op->does.part; i < op->operand_count; ++i) {
    uint32_t value = machine_seen(machine, op->operands[i]);
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op->op, i));
    machine_check(machine, frame, index, "operand", value);
    for (int64_t k = 0; k < mlirShapedTypeGetRank(type); ++k)
      size[k] = mlirShapedTypeGetDimSize(type, k);
    begin[op->does.axis] = at;
    at += size[op->does.axis];
    gaps[count] = gaps_of(machine, value, op->first_result, begin, size);
    bool is_there = is_in_gaps(machine, &gaps[count]);
    if (machine->program->values[value].strided && !is_there &&
        !op->does.takes_strides)
      machine_fail(machine, index, "does not take strides");
    ++count;
  }
  return count;
}

static void run_gap_join(machine_t *machine, frame_t *frame, uint32_t index) {
  const op_t *op = &machine->program->ops[index];
  const value_t *result = &machine->program->values[op->first_result];
  gaps_t *gaps =
      machine_alloc(&machine->arena, op->operand_count, sizeof *gaps);
  if (result->strided) {
    run_compute(machine, frame, index);
    return;
  }
  refuse_constant(machine, index);
  size_t count = list_gaps(machine, frame, index, gaps);
  content_t content = content_of_tag(&machine->arena, TAG_ANY, result->size);
  for (size_t i = 0; i < count; ++i)
    content = patch_gaps(machine, content, &gaps[i],
                         frame_known(machine, frame, gaps[i].part));
  for (size_t i = 0; i < count && result->pool != NONE; ++i)
    for (uint64_t k = 0;
         k < count_elements(&gaps[i].shape) && !is_in_gaps(machine, &gaps[i]);
         ++k) {
      uint64_t at = gaps[i].first + element_at(&gaps[i].shape, k);
      pool_write(
          &machine->program->pools[result->pool], result->offset + at,
          content_cut(&machine->arena, content, at, gaps[i].shape.element));
    }
  for (size_t i = 0; i < count; ++i)
    if (!is_in_gaps(machine, &gaps[i]))
      machine_check(machine, frame, index, "while it copies, operand",
                    gaps[i].part);
  finish_result(machine, frame, index, content);
}

//===--- parts in one piece -----------------------------------------------===//

static void run_slice(machine_t *machine, frame_t *frame, uint32_t index) {
  const op_t *op = &machine->program->ops[index];
  if (op->does.has_box && has_layouts(machine, op)) {
    run_gap_slice(machine, frame, index);
    return;
  }
  if (op->does.boxed || has_strides(machine, op)) {
    run_compute(machine, frame, index);
    return;
  }
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

static uint64_t round_up(uint64_t offset, uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

static void run_join(machine_t *machine, frame_t *frame, uint32_t index) {
  const op_t *op = &machine->program->ops[index];
  if (op->does.has_box && has_layouts(machine, op)) {
    run_gap_join(machine, frame, index);
    return;
  }
  if (op->does.boxed || has_strides(machine, op)) {
    run_compute(machine, frame, index);
    return;
  }
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

// Whether |value| is an empty tensor without memory, or a view of one: there is
// nothing in it that could be copied.
static bool is_new(const program_t *program, const value_t *value) {
  while (value->pool == NONE && value->op != NONE) {
    const op_t *op = &program->ops[value->op];
    if (op->does.does != DOES_VIEW || op->operand_count == 0 ||
        op->operands[0] == NONE)
      return op->does.does == DOES_EMPTY;
    value = &program->values[op->operands[0]];
  }
  return false;
}

static void run_insert(machine_t *machine, frame_t *frame, uint32_t index) {
  const op_t *op = &machine->program->ops[index];
  if (has_strides(machine, op)) {
    run_compute(machine, frame, index);
    return;
  }
  uint32_t destination =
      machine_seen(machine, op->operands[op->does.destination]);
  const value_t *result = &machine->program->values[op->first_result];
  const value_t *from = &machine->program->values[destination];
  bool in_place = is_new(machine->program, from) || is_same_place(from, result);
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
