// machine_flow.c - functions, blocks and ops that run regions. Which way they
// go is chance; what they hand on gets there by the copies that are recorded.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <string.h>

#include "machine_run.h"
#include "mlir-c/BuiltinAttributes.h"

enum { MOST_CALLS = 300, MOST_DEPTH = 40, MOST_JUMPS = 12, MOST_ROUNDS = 3 };

static void run_op(machine_t *machine, frame_t *frame, uint32_t index);

static const op_t *op_at(const machine_t *machine, uint32_t index) {
  return &machine->program->ops[index];
}

// A row of values on their way.
typedef struct parcels_s {
  parcel_t *at;
  size_t count;
} parcels_t;

//===--- what is handed on ----------------------------------------------===//

static parcels_t new_parcels(machine_t *machine, size_t count) {
  return (parcels_t){machine_alloc(&machine->arena, count, sizeof(parcel_t)),
                     count};
}

// What |count| operands of |op| from |first| on should be; they are read.
static parcels_t operands_of(machine_t *machine, frame_t *frame, uint32_t index,
                             size_t first, size_t count) {
  const op_t *op = op_at(machine, index);
  parcels_t read = new_parcels(machine, count);
  for (size_t i = 0; i < count; ++i) {
    uint32_t value = op->operands[first + i];
    if (value == NONE)
      continue;
    read.at[i] = machine_take(machine, frame, index, value);
  }
  return read;
}

// Contents of which nothing is known but for whom they are.
static parcels_t anything_for(machine_t *machine, uint32_t first,
                              size_t count) {
  parcels_t made = new_parcels(machine, count);
  for (uint32_t i = 0; i < count; ++i) {
    content_t content = machine->program->values[first + i].is_weight
                            ? machine->preloaded[first + i]
                            : machine_fresh(machine, first + i);
    made.at[i] = (parcel_t){.meant = content, .found = content};
  }
  return made;
}

// Control flow that nobody knows: values get where they should by themselves.
static const hop_t unknown = {.op = NONE};

static bool has_places(const program_t *program, const function_t *function) {
  for (uint32_t v = function->first_value; v < function->end_value; ++v)
    if (program->values[v].pool != NONE && !program->values[v].is_weight)
      return true;
  return false;
}

// Whether the copies of |hop| are recorded: not where an op runs its regions
// when or as it likes, and not of functions whose values have no places.
static bool is_recorded(const machine_t *machine, const hop_t *hop) {
  if (hop->op == NONE || !machine->program->has_copies)
    return false;
  const op_t *op = op_at(machine, hop->op);
  if (hop->edge == EDGE_SUCCESSOR)
    return true;
  if (op->does.does == DOES_CALL &&
      !has_places(machine->program,
                  &machine->program->functions[op->callees[0]]))
    return false;
  if (hop->edge == EDGE_NEXT || hop->edge == EDGE_PARENT)
    op = op_at(machine, op->parent);
  return op->group == NONE && !op->late;
}

// Hands the last of |parcels| to the |count| values from |first| on. Where
// there are too few, the first values get anything.
static void hand_to(machine_t *machine, frame_t *frame, uint32_t op,
                    uint32_t first, size_t count, parcels_t parcels,
                    hop_t hop) {
  parcels_t made = anything_for(machine, first, count);
  uint32_t *values = machine_alloc(&machine->arena, count, sizeof *values);
  for (size_t i = 0; i < count; ++i) {
    values[i] = first + (uint32_t)i;
    if (op != NONE && op >= frame->function->first_op &&
        op < frame->function->end_op &&
        !machine->program->values[values[i]].wants_place)
      made.at[i].list = frame->loose[op - frame->function->first_op];
    if (count - i <= parcels.count)
      made.at[i] = parcels.at[parcels.count - (count - i)];
  }
  machine_end_holds(machine, frame, op, first, count);
  bool is_known = is_recorded(machine, &hop);
  if (is_known)
    machine_copy(machine, &hop);
  machine_hand_over(machine, frame, op, values, made.at, count, is_known);
}

static const block_t *entry_of(const machine_t *machine, uint32_t region) {
  const region_t *entry = &machine->program->regions[region];
  return entry->count ? &machine->program->blocks[entry->blocks[0]] : NULL;
}

static void hand_to_region(machine_t *machine, frame_t *frame, uint32_t op,
                           uint32_t region, parcels_t parcels, hop_t hop) {
  const block_t *entry = entry_of(machine, region);
  if (entry)
    hand_to(machine, frame, op, entry->first_argument, entry->argument_count,
            parcels, hop);
}

static void hand_to_results(machine_t *machine, frame_t *frame, uint32_t index,
                            parcels_t parcels, hop_t hop) {
  const op_t *op = op_at(machine, index);
  hand_to(machine, frame, index, op->first_result, op->result_count, parcels,
          hop);
}

//===--- layer groups of flat ops -----------------------------------------===//

static bool is_copy_in_place(const machine_t *machine, const op_t *op) {
  bool is_copy = op->does.does == DOES_VIEW || op->does.does == DOES_SLICE ||
                 op->does.does == DOES_JOIN || op->does.does == DOES_INSERT;
  for (uint32_t i = 0; is_copy && i < op->operand_count; ++i)
    if (op->operands[i] != NONE &&
        is_overlapping(
            &machine->program->values[machine_seen(machine, op->operands[i])],
            &machine->program->values[op->first_result]))
      return true;
  return false;
}

// The group may write its results from its first op on.
static void open_group(machine_t *machine, const group_t *group,
                       uint32_t number) {
  for (uint32_t i = group->first_op; i <= group->last_op; ++i) {
    const op_t *op = op_at(machine, i);
    if (op->group != number || is_copy_in_place(machine, op) ||
        op->does.does == DOES_WEIGHT)
      continue;
    for (uint32_t r = 0; r < op->result_count; ++r)
      machine_write(machine, i, op->first_result + r,
                    machine_garbage(machine, op->first_result + r));
  }
}

// It may read its operands until its last: those that are not of a region
// inside of it.
static void close_group(machine_t *machine, frame_t *frame,
                        const group_t *group, uint32_t number) {
  const program_t *program = machine->program;
  uint32_t first = program->ops[group->first_op].first_result;
  for (uint32_t i = group->first_op; i <= group->last_op; ++i) {
    const op_t *op = op_at(machine, i);
    if (op->group != number)
      continue;
    for (uint32_t o = 0; o < op->operand_count + op->capture_count; ++o) {
      uint32_t value = o < op->operand_count
                           ? op->operands[o]
                           : op->captures[o - op->operand_count];
      if (value == NONE || (o < 64 && op->does.unread >> o & 1) ||
          (program->values[value].block != group->block && value >= first))
        continue;
      machine_check(machine, frame, i, "up to the group's end, operand", value);
    }
  }
}

//===--- what runs at any time --------------------------------------------===//

static parcels_t run_region(machine_t *machine, frame_t *frame, uint32_t region,
                            bool reads_end, uint32_t *end);

static void gather(machine_t *machine, frame_t *frame, uint32_t index,
                   parcels_t parcels) {
  machine_gather_parcels(machine, frame, index, parcels.at, parcels.count);
}

static void run_late(machine_t *machine, frame_t *frame, uint32_t index) {
  const op_t *op = op_at(machine, index);
  uint32_t end;
  for (uint32_t i = 0; i < op->region_count; ++i) {
    hand_to_region(machine, frame, index, op->regions[i], (parcels_t){0},
                   unknown);
    if (entry_of(machine, op->regions[i]))
      gather(machine, frame, index,
             run_region(machine, frame, op->regions[i], true, &end));
  }
  machine_check_operands(machine, frame, index, "late, operand",
                         op->does.unread);
}

// Whether the results of the op are tensors: a list stands for what one run of
// the callee has made.
static bool has_tensors_only(const program_t *program, const op_t *op) {
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (!program->values[op->first_result + i].wants_place)
      return false;
  return true;
}

// A layer group calls its functions when it likes, also between other ops.
static void run_group_calls(machine_t *machine, const frame_t *frame) {
  const program_t *program = machine->program;
  const group_t *group = &program->groups[frame->group - 1];
  for (uint32_t i = group->first_op; i <= group->last_op; ++i)
    for (size_t c = 0; c < program->ops[i].callee_count; ++c)
      if (program->ops[i].group == frame->group - 1 &&
          has_tensors_only(program, &program->ops[i]) &&
          !machine->active[program->ops[i].callees[c]] &&
          machine_choose(machine, 4) == 0)
        run_on_anything(machine, program->ops[i].callees[c]);
}

// Nor does it wait for their turn to write the paddings of its operands that
// are made.
static void scribble_for_group(machine_t *machine, const frame_t *frame,
                               uint32_t index) {
  const program_t *program = machine->program;
  const group_t *group = &program->groups[frame->group - 1];
  for (uint32_t i = group->first_op; i <= group->last_op; ++i) {
    const op_t *op = &program->ops[i];
    if (op->group != frame->group - 1 || op->block != group->block)
      continue;
    for (uint32_t o = 0; o < op->operand_count; ++o) {
      uint32_t value = op->operands[o];
      uint32_t maker = value == NONE ? NONE : program->values[value].op;
      if (value != NONE && (maker == NONE || maker < index) &&
          machine_choose(machine, 2))
        machine_scribble(machine, value);
    }
  }
}

// Between two ops, before |index|, what is under way may go on.
static void run_background(machine_t *machine, frame_t *frame, uint32_t index) {
  const program_t *program = machine->program;
  if (machine->in_background)
    return;
  machine->in_background = true;
  if (frame->group) {
    run_group_calls(machine, frame);
    scribble_for_group(machine, frame, index);
  }
  if (frame->late_count && machine_choose(machine, 3) == 0)
    run_late(machine, frame,
             frame->late[machine_choose(machine, (uint32_t)frame->late_count)]);
  for (uint32_t i = 0; i < program->function_count; ++i)
    if (program->functions[i].escapes && !machine->active[i] &&
        machine_choose(machine, 8) == 0)
      run_on_anything(machine, i);
  machine->in_background = false;
}

//===--- blocks -----------------------------------------------------------===//

// Its workbuffers are the op's from its begin to its end, whatever runs inside.
// What is late is done some time, by threads that share nothing.
static void run_with_workbuffers(machine_t *machine, frame_t *frame,
                                 uint32_t index) {
  const op_t *op = op_at(machine, index);
  uint64_t first_tag;
  machine_fill_workbuffers(machine, index, &first_tag);
  run_op(machine, frame, index);
  if (op->late)
    return;
  bool runs_others = op->region_count || op->callee_count;
  if (runs_others)
    machine_check_workbuffers(machine, index, first_tag);
  machine_fill_workbuffers(machine, index, &first_tag);
}

// Op |index| begins to make its results, again if it has run before.
static void end_holds(machine_t *machine, frame_t *frame, uint32_t index) {
  const op_t *op = op_at(machine, index);
  machine_end_holds(machine, frame, index, op->first_result, op->result_count);
}

static void begin_group(machine_t *machine, frame_t *frame,
                        const group_t *group, uint32_t number) {
  for (uint32_t i = group->first_op; i <= group->last_op; ++i)
    if (op_at(machine, i)->group == number)
      end_holds(machine, frame, i);
  open_group(machine, group, number);
  frame->group = number + 1;
}

static void run_one(machine_t *machine, frame_t *frame, uint32_t index) {
  const program_t *program = machine->program;
  const op_t *op = &program->ops[index];
  if (++machine->steps > machine->step_limit)
    machine_give_up(machine);
  run_background(machine, frame, index);
  const group_t *group =
      op->group == NONE || program->groups[op->group].block != op->block
          ? NULL
          : &program->groups[op->group];
  if (group && group->first_op == index)
    begin_group(machine, frame, group, op->group);
  end_holds(machine, frame, index);
  run_with_workbuffers(machine, frame, index);
  for (uint32_t i = 0; op->hold && i < op->result_count; ++i)
    frame_hold(machine, frame, op->first_result + i);
  if (group && group->last_op == index) {
    close_group(machine, frame, group, op->group);
    frame->group = 0;
  }
}

// Whether an operand of |index|, or one inside of it, is made by an op of
// |block| that has not run.
static bool is_waiting(const machine_t *machine, uint32_t index,
                       const block_t *block, const bool *done) {
  const program_t *program = machine->program;
  for (uint32_t i = index; i < program->op_count; ++i) {
    const op_t *op = &program->ops[i];
    uint32_t at = i;
    while (at != NONE && at != index)
      at = program->ops[at].parent;
    if (at != index)
      break; // behind it and all that it holds
    for (uint32_t o = 0; o < op->operand_count + op->capture_count; ++o) {
      uint32_t value = o < op->operand_count
                           ? op->operands[o]
                           : op->captures[o - op->operand_count];
      uint32_t maker = value == NONE ? NONE : program->values[value].op;
      if (maker == NONE || maker == index ||
          &program->blocks[program->ops[maker].block] != block)
        continue;
      for (size_t k = 0; k < block->op_count; ++k)
        if (block->ops[k] == maker && !done[k])
          return true;
    }
  }
  return false;
}

// A graph: ops run when their operands are there, in any order; what depends on
// itself comes last, in the order of the text.
static void run_graph(machine_t *machine, frame_t *frame,
                      const block_t *block) {
  bool *done = machine_alloc(&machine->arena, block->op_count, sizeof *done);
  for (size_t left = block->op_count; left; --left) {
    size_t chosen = block->op_count, ready = 0;
    for (size_t k = 0; k < block->op_count; ++k)
      if (!done[k] && !is_waiting(machine, block->ops[k], block, done) &&
          machine_choose(machine, (uint32_t)++ready) == 0)
        chosen = k;
    for (size_t k = 0; chosen == block->op_count; ++k)
      if (!done[k])
        chosen = k;
    done[chosen] = true;
    if (op_at(machine, block->ops[chosen])->does.does != DOES_END)
      run_one(machine, frame, block->ops[chosen]);
  }
}

// The number of the op that ends |block|, after all others have run.
static uint32_t run_block(machine_t *machine, frame_t *frame,
                          const block_t *block) {
  if (block->graph)
    run_graph(machine, frame, block);
  for (size_t i = 0; i < block->op_count && !block->graph; ++i) {
    does_t does = op_at(machine, block->ops[i])->does.does;
    if (does != DOES_END && does != DOES_JUMP)
      run_one(machine, frame, block->ops[i]);
  }
  if (block->op_count == 0)
    return NONE;
  uint32_t last = block->ops[block->op_count - 1];
  does_t does = op_at(machine, last)->does.does;
  return does == DOES_END || does == DOES_JUMP ? last : NONE;
}

static int64_t segment(MlirAttribute sizes, intptr_t i) {
  if (mlirAttributeIsNull(sizes) || !mlirAttributeIsADenseI32Array(sizes) ||
      i >= mlirDenseArrayGetNumElements(sizes))
    return -1;
  return mlirDenseI32ArrayGetElement(sizes, i);
}

// Which operands a branch of cf hands to successor |chosen|; count -1 when that
// is not known.
static void branch_operands(const op_t *op, uint32_t chosen, int64_t *first,
                            int64_t *count) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op->op));
  MlirAttribute sizes = attribute_of(op->op, "operandSegmentSizes");
  MlirAttribute cases = attribute_of(op->op, "case_operand_segments");
  *first = 0;
  *count = -1;
  if (mlirStringRefEqual(name, mlirStringRefCreateFromCString("cf.br"))) {
    *count = op->operand_count;
    return;
  }
  if (mlirStringRefEqual(name, mlirStringRefCreateFromCString("cf.cond_br")))
    cases = sizes;
  else if (!mlirStringRefEqual(name,
                               mlirStringRefCreateFromCString("cf.switch")))
    return;
  *first = segment(sizes, 0); // the condition
  *count = segment(sizes, 1);
  if (chosen == 0)
    return;
  *first += *count;
  if (cases.ptr == sizes.ptr) {
    *count = segment(sizes, 2);
    return;
  }
  for (uint32_t i = 0; i + 1 < chosen; ++i)
    *first += segment(cases, i);
  *count = segment(cases, (intptr_t)chosen - 1);
}

static const block_t *find_block(const machine_t *machine, MlirBlock block) {
  for (size_t i = 0; i < machine->program->block_count; ++i)
    if (mlirBlockEqual(machine->program->blocks[i].block, block))
      return &machine->program->blocks[i];
  return NULL;
}

static const block_t *jump(machine_t *machine, frame_t *frame, uint32_t index) {
  const op_t *op = op_at(machine, index);
  for (size_t i = 0; i < op->callee_count; ++i)
    run_on_anything(machine, op->callees[i]);
  uint32_t chosen =
      machine_choose(machine, (uint32_t)mlirOperationGetNumSuccessors(op->op));
  const block_t *next =
      find_block(machine, mlirOperationGetSuccessor(op->op, chosen));
  int64_t first, count;
  branch_operands(op, chosen, &first, &count);
  parcels_t parcels = {0};
  if (count < 0) {
    machine_check_operands(machine, frame, index, "operand", op->does.unread);
    machine_gather_anew(machine, frame, index);
  } else {
    parcels = operands_of(machine, frame, index, (size_t)first, (size_t)count);
  }
  hand_to(machine, frame, index, next->first_argument, next->argument_count,
          parcels,
          count < 0 ? unknown : (hop_t){index, EDGE_SUCCESSOR, chosen});
  return next;
}

// Runs |region|, whose first block has its arguments; what its end hands out.
// |reads_end|: the end itself looks at that. |*end| is the end, or NONE.
static parcels_t run_region(machine_t *machine, frame_t *frame, uint32_t region,
                            bool reads_end, uint32_t *end) {
  const block_t *block = entry_of(machine, region);
  for (int jumps = 0;; ++jumps) {
    *end = run_block(machine, frame, block);
    if (*end == NONE)
      return (parcels_t){0};
    const op_t *op = op_at(machine, *end);
    if (op->does.does == DOES_END)
      break;
    if (jumps == MOST_JUMPS)
      machine_give_up(machine);
    block = jump(machine, frame, *end);
  }
  const op_t *op = op_at(machine, *end);
  if (reads_end)
    machine_check_operands(machine, frame, *end, "operand", 0);
  for (size_t i = 0; i < op->callee_count; ++i)
    run_on_anything(machine, op->callees[i]);
  return operands_of(machine, frame, *end, 0, op->operand_count);
}

//===--- functions --------------------------------------------------------===//

// Network inputs are in memory before the function starts.
static void fill_inputs(machine_t *machine, frame_t *frame) {
  for (uint32_t i = frame->function->first_op; i < frame->function->end_op;
       ++i) {
    const op_t *op = op_at(machine, i);
    for (uint32_t r = 0; op->does.does == DOES_INPUT && r < op->result_count;
         ++r) {
      frame_learn(machine, frame, op->first_result + r,
                  machine_fresh(machine, op->first_result + r));
      machine_write(machine, i, op->first_result + r,
                    frame_known(machine, frame, op->first_result + r));
    }
  }
}

static void check_kept(machine_t *machine, frame_t *frame, uint32_t end) {
  const block_t *entry = entry_of(machine, frame->function->region);
  for (uint32_t i = 0; i < entry->argument_count; ++i)
    if (machine->program->values[entry->first_argument + i].pool != NONE)
      machine_check(machine, frame, end, "kept input",
                    entry->first_argument + i);
  for (uint32_t i = frame->function->first_op; i < frame->function->end_op;
       ++i) {
    const op_t *op = op_at(machine, i);
    for (uint32_t r = 0; op->does.does == DOES_INPUT && r < op->result_count;
         ++r)
      machine_check(machine, frame, end, "kept input", op->first_result + r);
  }
}

// gmem.same_as: the result is returned in the memory of an argument.
static void check_same_as(machine_t *machine, const frame_t *frame,
                          uint32_t end) {
  MlirAttribute all = attribute_of(frame->function->op, "res_attrs");
  const block_t *entry = entry_of(machine, frame->function->region);
  const op_t *op = op_at(machine, end);
  if (mlirAttributeIsNull(all) || !mlirAttributeIsAArray(all))
    return;
  for (intptr_t i = 0;
       i < mlirArrayAttrGetNumElements(all) && i < op->operand_count; ++i) {
    MlirAttribute same = mlirDictionaryAttrGetElementByName(
        mlirArrayAttrGetElement(all, i),
        mlirStringRefCreateFromCString("gmem.same_as"));
    if (mlirAttributeIsNull(same) || !mlirAttributeIsAInteger(same))
      continue;
    uint32_t argument =
        entry->first_argument + (uint32_t)mlirIntegerAttrGetValueInt(same);
    const value_t *returned =
        &machine->program->values[machine_seen(machine, op->operands[i])];
    if (!is_same_place(returned, &machine->program->values[argument]))
      machine_fail(machine, end,
                   "returns result #%d elsewhere than "
                   "gmem.same_as says",
                   (int)i);
  }
}

static void finish_function(machine_t *machine, frame_t *frame, uint32_t end) {
  const program_t *program = machine->program;
  if (end == NONE && program->ops)
    end = frame->function->first_op;
  bool was_in_background = machine->in_background;
  machine->in_background = true;
  for (size_t i = 0; i < frame->late_count; ++i)
    if (machine_choose(machine, 2))
      run_late(machine, frame, frame->late[i]);
  machine->in_background = was_in_background;
  machine_check_held(machine, frame, end);
  bool is_entry = &program->functions[machine->entry] == frame->function;
  if (is_entry && program->keep_inputs)
    check_kept(machine, frame, end);
  if (is_entry)
    machine_check_states(machine, frame, end);
  if (is_entry && op_at(machine, end)->does.does == DOES_END)
    check_same_as(machine, frame, end);
}

// An argument is the caller's operand: what the callee has changed is new for
// the caller, who does not find it if the argument is a copy.
static void learn_from_callee(machine_t *machine, frame_t *caller,
                              const op_t *call, const frame_t *callee) {
  uint32_t first = entry_of(machine, callee->function->region)->first_argument;
  for (size_t i = 0; i < callee->written_count; ++i) {
    uint32_t argument = callee->written[i];
    uint32_t number = argument - first;
    if (argument < first || number >= call->operand_count ||
        call->operands[number] == NONE)
      continue;
    frame_learn_written(machine, caller,
                        machine_seen(machine, call->operands[number]),
                        frame_known(machine, callee, argument));
  }
}

// |caller| is NULL and |call| NONE when nobody knows who calls it. |*end| is
// the return, or NONE.
static parcels_t run_body(machine_t *machine, uint32_t number, parcels_t given,
                          frame_t *caller, uint32_t call, uint32_t *end) {
  const function_t *function = &machine->program->functions[number];
  // A function that runs twice at once has no one place: no verdict on that.
  bool is_twice = machine->in_background && machine->active[number];
  if (++machine->calls > MOST_CALLS || machine->active[number] == MOST_DEPTH ||
      is_twice)
    machine_give_up(machine);
  ++machine->active[number];
  size_t values = function->end_value - function->first_value;
  frame_t frame = {
      .function = function,
      .known = machine_alloc(&machine->arena, values, sizeof(content_t)),
      .is_known = machine_alloc(&machine->arena, values, sizeof(bool)),
      .shown = machine_alloc(&machine->arena, values, sizeof(shown_t *)),
      .lists = machine_alloc(&machine->arena, values, sizeof(list_t)),
      .loose =
          machine_alloc(&machine->arena, function->end_op - function->first_op,
                        sizeof(list_t))};
  const block_t *entry = entry_of(machine, function->region);
  hand_to(machine, &frame, NONE, entry->first_argument, entry->argument_count,
          given, caller ? (hop_t){call, EDGE_CALLEE, 0} : unknown);
  fill_inputs(machine, &frame);
  for (uint32_t i = 0; !caller && i < entry->argument_count; ++i)
    machine_scribble(machine, entry->first_argument + i);
  parcels_t results =
      run_region(machine, &frame, function->region, !caller, end);
  // What was late comes before the results are read for good.
  finish_function(machine, &frame, *end);
  if (*end != NONE && !caller) {
    const op_t *last = op_at(machine, *end);
    machine_scribble_all(machine, last->operands, last->operand_count);
    machine_check_operands(machine, &frame, *end, "returned", 0);
  }
  if (caller)
    learn_from_callee(machine, caller, op_at(machine, call), &frame);
  --machine->active[number];
  return results;
}

// Who calls it looks at all that it returns.
void run_on_anything(machine_t *machine, uint32_t function) {
  uint32_t end;
  run_body(machine, function, (parcels_t){0}, NULL, NONE, &end);
}

//===--- ops with regions -------------------------------------------------===//

// The number of the return |end| among those of its function.
static uint64_t return_number(const machine_t *machine, uint32_t end) {
  const program_t *program = machine->program;
  const function_t *function = &program->functions[program->ops[end].function];
  uint64_t number = 0;
  for (uint32_t i = function->first_op; i < end; ++i) {
    const block_t *block = &program->blocks[program->ops[i].block];
    number += program->ops[i].parent == NONE &&
              block->ops[block->op_count - 1] == i &&
              mlirOperationGetNumSuccessors(program->ops[i].op) == 0;
  }
  return number;
}

static void run_call(machine_t *machine, frame_t *frame, uint32_t index) {
  const op_t *op = op_at(machine, index);
  uint32_t end;
  parcels_t given = operands_of(machine, frame, index, 0, op->operand_count);
  parcels_t results =
      run_body(machine, op->callees[0], given, frame, index, &end);
  // Either the return has the copies, or the call.
  if (end != NONE && machine->program->has_copies)
    machine_copy(machine, &(hop_t){end, EDGE_CALLER, 0});
  hand_to_results(
      machine, frame, index, results,
      end == NONE ? unknown
                  : (hop_t){index, EDGE_RESULTS, return_number(machine, end)});
}

static void run_choose(machine_t *machine, frame_t *frame, uint32_t index) {
  const op_t *op = op_at(machine, index);
  machine_check_operands(machine, frame, index, "operand", op->does.unread);
  parcels_t given = operands_of(machine, frame, index, 0, op->operand_count);
  uint32_t chosen = machine_choose(machine, op->region_count);
  uint32_t region = op->regions[chosen], end;
  if (!entry_of(machine, region))
    return;
  hand_to_region(machine, frame, index, region, given,
                 (hop_t){index, EDGE_REGION, chosen});
  parcels_t results = run_region(machine, frame, region, false, &end);
  hand_to_results(machine, frame, index, results, (hop_t){end, EDGE_PARENT, 0});
}

static parcels_t last_of(parcels_t parcels, size_t count) {
  if (count > parcels.count)
    return parcels;
  return (parcels_t){parcels.at + (parcels.count - count), count};
}

// What the arguments of the first block of |region| should be.
static parcels_t arguments_of(machine_t *machine, frame_t *frame,
                              uint32_t index, uint32_t region) {
  const block_t *entry = entry_of(machine, region);
  parcels_t read = new_parcels(machine, entry->argument_count);
  for (uint32_t i = 0; i < entry->argument_count; ++i) {
    read.at[i] = machine_take(machine, frame, index, entry->first_argument + i);
  }
  return read;
}

static void run_for(machine_t *machine, frame_t *frame, uint32_t index) {
  const op_t *op = op_at(machine, index);
  parcels_t carried =
      last_of(operands_of(machine, frame, index, 0, op->operand_count),
              op->result_count);
  uint32_t rounds = machine_choose(machine, MOST_ROUNDS + 1), end;
  hop_t hop = {index, EDGE_REGION, 0};
  for (uint32_t i = 0; i < rounds; ++i) {
    hand_to_region(machine, frame, index, op->regions[0], carried, hop);
    carried = run_region(machine, frame, op->regions[0], false, &end);
    hop = (hop_t){end, EDGE_NEXT, 0};
  }
  // A loop that looks first whether there is another round has handed them to
  // the next by then: so say plans with copies.
  if (machine->program->has_copies || machine_choose(machine, 2)) {
    hand_to_region(machine, frame, index, op->regions[0], carried, hop);
    carried = last_of(arguments_of(machine, frame, index, op->regions[0]),
                      op->result_count);
  }
  hand_to_results(machine, frame, index, carried,
                  (hop_t){index, EDGE_RESULTS, 0});
}

static void run_while(machine_t *machine, frame_t *frame, uint32_t index) {
  const op_t *op = op_at(machine, index);
  parcels_t carried = operands_of(machine, frame, index, 0, op->operand_count);
  uint32_t rounds = machine_choose(machine, MOST_ROUNDS + 1), end;
  hop_t hop = {index, EDGE_REGION, 0};
  for (uint32_t i = 0;; ++i) {
    hand_to_region(machine, frame, index, op->regions[0], carried, hop);
    parcels_t given = run_region(machine, frame, op->regions[0], false, &end);
    if (given.count) // the condition
      given = (parcels_t){given.at + 1, given.count - 1};
    if (i == rounds) {
      hand_to_results(machine, frame, index, given,
                      (hop_t){index, EDGE_RESULTS, 0});
      return;
    }
    hand_to_region(machine, frame, index, op->regions[1], given,
                   (hop_t){end, EDGE_NEXT, 1});
    carried = run_region(machine, frame, op->regions[1], false, &end);
    hop = (hop_t){end, EDGE_NEXT, 0};
  }
}

static void run_test(machine_t *machine, frame_t *frame, uint32_t index) {
  const op_t *op = op_at(machine, index);
  parcels_t carried = operands_of(machine, frame, index, 0, op->operand_count);
  uint32_t rounds = machine_choose(machine, MOST_ROUNDS + 1), end;
  hop_t hop = {index, EDGE_REGION, 0};
  for (uint32_t i = 0;; ++i) {
    hand_to_region(machine, frame, index, op->regions[0], carried, hop);
    run_region(machine, frame, op->regions[0], true, &end);
    // The condition's arguments are where the loop keeps what it carries.
    carried = arguments_of(machine, frame, index, op->regions[0]);
    if (i == rounds) {
      hand_to_results(machine, frame, index, carried,
                      (hop_t){index, EDGE_RESULTS, 0});
      return;
    }
    hand_to_region(machine, frame, index, op->regions[1], carried,
                   (hop_t){end, EDGE_NEXT, 1});
    carried = run_region(machine, frame, op->regions[1], false, &end);
    hop = (hop_t){end, EDGE_NEXT, 0};
  }
}

// Nothing is known: arguments and results may be written at any time from the
// op's start on, and are kept in between.
static void run_anything(machine_t *machine, frame_t *frame, uint32_t index) {
  const op_t *op = op_at(machine, index);
  machine_check_operands(machine, frame, index, "operand", op->does.unread);
  machine_gather_anew(machine, frame, index);
  hand_to_results(machine, frame, index, (parcels_t){0}, unknown);
  for (uint32_t i = 0; i < op->region_count; ++i)
    hand_to_region(machine, frame, index, op->regions[i], (parcels_t){0},
                   unknown);
  uint32_t rounds = machine_choose(machine, MOST_ROUNDS + 2), end;
  for (uint32_t i = 0; i < rounds; ++i) {
    uint32_t region = op->regions[machine_choose(machine, op->region_count)];
    const block_t *entry = entry_of(machine, region);
    if (!entry)
      continue;
    if (machine_choose(machine, 2))
      hand_to_region(machine, frame, index, region, (parcels_t){0}, unknown);
    gather(machine, frame, index,
           run_region(machine, frame, region, true, &end));
    for (size_t c = 0; c < op->callee_count; ++c)
      run_on_anything(machine, op->callees[c]);
  }
  machine_check_operands(machine, frame, index, "up to its end, operand",
                         op->does.unread);
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (!machine->program->values[op->first_result + i].wants_place)
      *frame_list(frame, op->first_result + i) =
          *machine_gather(machine, frame, index);
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (machine->program->values[op->first_result + i].pool != NONE)
      machine_check(machine, frame, index, "at its end, its own",
                    op->first_result + i);
}

static void run_op(machine_t *machine, frame_t *frame, uint32_t index) {
  const op_t *op = op_at(machine, index);
  if (op->late && op->region_count) {
    machine_check_operands(machine, frame, index, "operand", op->does.unread);
    machine_gather_anew(machine, frame, index);
    *(uint32_t *)machine_push(&machine->arena, &frame->late, &frame->late_count,
                              &frame->late_room, sizeof index) = index;
    hand_to_results(machine, frame, index, (parcels_t){0}, unknown);
    return;
  }
  switch (op->does.does) {
  case DOES_CALL:
    run_call(machine, frame, index);
    break;
  case DOES_CHOOSE:
    run_choose(machine, frame, index);
    break;
  case DOES_FOR:
    run_for(machine, frame, index);
    break;
  case DOES_WHILE:
    run_while(machine, frame, index);
    break;
  case DOES_TEST:
    run_test(machine, frame, index);
    break;
  case DOES_ANYTHING:
    run_anything(machine, frame, index);
    break;
  default:
    run_data_op(machine, frame, index);
  }
}
