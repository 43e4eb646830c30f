// classes.c - see classes.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "classes.h"

#include <stdlib.h>

#include "diagnostics.h"

typedef struct builder_s {
  const gmem_schedule_t *schedule;
  const gmem_calls_t *calls;
  gmem_arena_t *arena;
  gmem_life_t *lives;
  uint32_t *added_for; // per function: the value last said to live through it
} builder_t;

//===--- which values are one piece of memory -----------------------------===//

static uint32_t find_root(gmem_life_t *lives, uint32_t value) {
  while (lives[value].root != value) {
    lives[value].root = lives[lives[value].root].root; // halve the path
    value = lives[value].root;
  }
  return value;
}

bool gmem_is_planned(const gmem_life_t *life) {
  return life->storage == GMEM_STORAGE_TENSOR ||
         life->storage == GMEM_STORAGE_WEIGHT;
}

bool gmem_is_same_memory(const gmem_schedule_t *schedule,
                         const gmem_life_t *lives, uint32_t left,
                         uint32_t right) {
  return gmem_is_planned(&lives[left]) && gmem_is_planned(&lives[right]) &&
         schedule->values[left].size == schedule->values[right].size;
}

// Makes two values one piece of memory, if they can be. A weight stays the
// root: its place is in constant memory.
static void join(builder_t *builder, uint32_t left, uint32_t right) {
  gmem_life_t *lives = builder->lives;
  if (left == GMEM_NO_INDEX || right == GMEM_NO_INDEX ||
      !gmem_is_same_memory(builder->schedule, lives, left, right))
    return;
  left = find_root(lives, left);
  right = find_root(lives, right);
  bool left_is_weight = lives[left].storage == GMEM_STORAGE_WEIGHT;
  bool right_is_weight = lives[right].storage == GMEM_STORAGE_WEIGHT;
  if (left == right || (left_is_weight && right_is_weight))
    return;
  bool right_is_root = right_is_weight || (!left_is_weight && right < left);
  lives[right_is_root ? left : right].root = right_is_root ? right : left;
}

// What the callee calls operand |number| of the call, and what it returns as
// result |number|; GMEM_NO_INDEX when its body does not bear out its type, as
// can be with functions of unknown dialects.
static uint32_t callee_argument(const builder_t *builder,
                                const gmem_call_t *call, intptr_t number) {
  MlirOperation function = builder->schedule->functions[call->callee].op;
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  return number < mlirBlockGetNumArguments(entry)
             ? gmem_schedule_find(builder->schedule,
                                  mlirBlockGetArgument(entry, number))
             : GMEM_NO_INDEX;
}

static uint32_t callee_result(const builder_t *builder, const gmem_call_t *call,
                              intptr_t number) {
  const gmem_schedule_t *schedule = builder->schedule;
  uint32_t index = builder->calls->callees[call->callee].sole_return;
  if (index == GMEM_NO_INDEX ||
      number >= mlirOperationGetNumOperands(schedule->ops[index].op))
    return GMEM_NO_INDEX;
  return gmem_schedule_find(
      schedule, mlirOperationGetOperand(schedule->ops[index].op, number));
}

static void join_call(builder_t *builder, const gmem_call_t *call) {
  const gmem_schedule_t *schedule = builder->schedule;
  MlirOperation op = schedule->ops[call->op].op;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    join(builder, gmem_schedule_find(schedule, mlirOperationGetOperand(op, i)),
         callee_argument(builder, call, i));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    join(builder, gmem_schedule_find(schedule, mlirOperationGetResult(op, i)),
         callee_result(builder, call, i));
}

static void join_all(builder_t *builder) {
  const gmem_schedule_t *schedule = builder->schedule;
  for (size_t i = 0; i < schedule->op_count; ++i) {
    MlirOperation op = schedule->ops[i].op;
    if (schedule->ops[i].kind == GMEM_OP_RESHAPE &&
        mlirOperationGetNumOperands(op) && mlirOperationGetNumResults(op))
      join(builder,
           gmem_schedule_find(schedule, mlirOperationGetOperand(op, 0)),
           gmem_schedule_find(schedule, mlirOperationGetResult(op, 0)));
  }
  for (size_t i = 0; i < builder->calls->count; ++i)
    if (builder->calls->calls[i].by_reference)
      join_call(builder, &builder->calls->calls[i]);
  for (uint32_t i = 0; i < schedule->value_count; ++i) {
    uint32_t root = find_root(builder->lives, i);
    builder->lives[i].root = root;
    // All of a class have the storage of its root: a reshaped weight is one.
    if (gmem_is_planned(&builder->lives[i]))
      builder->lives[i].storage = builder->lives[root].storage;
  }
}

//===--- range lists ------------------------------------------------------===//

typedef struct ranges_s {
  gmem_live_range_t *data;
  size_t count, room;
  bool out_of_memory;
} ranges_t;

static int compare_ranges(const void *a, const void *b) {
  const gmem_live_range_t *left = a, *right = b;
  if (left->begin != right->begin)
    return left->begin < right->begin ? -1 : 1;
  return (left->end > right->end) - (left->end < right->end);
}

// Sorts, and joins what overlaps or touches.
static void normalise(ranges_t *ranges) {
  if (ranges->count < 2)
    return;
  qsort(ranges->data, ranges->count, sizeof *ranges->data, compare_ranges);
  size_t merged = 0;
  for (size_t i = 0; i < ranges->count; ++i) {
    gmem_live_range_t range = ranges->data[i];
    if (merged && range.begin <= ranges->data[merged - 1].end)
      ranges->data[merged - 1].end = range.end > ranges->data[merged - 1].end
                                         ? range.end
                                         : ranges->data[merged - 1].end;
    else
      ranges->data[merged++] = range;
  }
  ranges->count = merged;
}

static void add_range(builder_t *builder, ranges_t *ranges,
                      gmem_live_range_t range) {
  if (ranges->count) { // most follow one another
    gmem_live_range_t *last = &ranges->data[ranges->count - 1];
    if (range.begin >= last->begin && range.begin <= last->end) {
      last->end = range.end > last->end ? range.end : last->end;
      return;
    }
  }
  // Many calls of few functions: joining keeps the list as long as they are.
  if (ranges->count == ranges->room) {
    normalise(ranges);
    if (ranges->count >= ranges->room / 2)
      ranges->out_of_memory |=
          !gmem_arena_grow(builder->arena, &ranges->data, ranges->room,
                           &ranges->room, sizeof range);
  }
  if (!ranges->out_of_memory)
    ranges->data[ranges->count++] = range;
}

//===--- lives of classes -------------------------------------------------===//

// Whether the call makes |value| its result in place, as a value of its callee.
static bool is_born_in_callee(const builder_t *builder, const gmem_call_t *call,
                              uint32_t value) {
  const gmem_value_t *entry = &builder->schedule->values[value];
  const gmem_life_t *lives = builder->lives;
  if (!call->by_reference || entry->op != call->op ||
      lives[value].begin != builder->schedule->ops[call->op].begin)
    return false;
  uint32_t returned = callee_result(builder, call, entry->number);
  return returned != GMEM_NO_INDEX && lives[returned].root == lives[value].root;
}

// Whether |value| is passed by reference and wanted by the callee alone.
static bool dies_in_callee(const builder_t *builder, const gmem_call_t *call,
                           uint32_t value) {
  const gmem_schedule_t *schedule = builder->schedule;
  const gmem_step_t *op = &schedule->ops[call->op];
  const gmem_life_t *lives = builder->lives;
  // At the end of a function, what dies cannot be told from what is returned.
  if (!call->by_reference || lives[value].end != op->end ||
      op->end == schedule->functions[op->function].end)
    return false;
  bool is_passed = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op->op); ++i) {
    if (!mlirValueEqual(mlirOperationGetOperand(op->op, i),
                        schedule->values[value].value))
      continue;
    uint32_t argument = callee_argument(builder, call, i);
    if (argument == GMEM_NO_INDEX || lives[argument].root != lives[value].root)
      return false;
    is_passed = true;
  }
  return is_passed;
}

// The first call of a function at or after step |begin|.
static uint32_t first_call_from(const builder_t *builder,
                                const gmem_callee_t *caller, int64_t begin) {
  uint32_t low = caller->first_call, high = caller->end_call;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    uint32_t op = builder->calls->calls[middle].op;
    if (builder->schedule->ops[op].begin < begin)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// A value that is live at a call is live as long as the callee runs, unless it
// is handed over: then the callee's own values say when.
static void add_ranges_of(builder_t *builder, ranges_t *ranges,
                          uint32_t value) {
  const gmem_schedule_t *schedule = builder->schedule;
  const gmem_calls_t *calls = builder->calls;
  const gmem_life_t *life = &builder->lives[value];
  const gmem_callee_t *caller =
      &calls->callees[gmem_value_function(schedule, value)];
  gmem_live_range_t own = {life->begin, life->end};
  if (caller->escapes)
    own = (gmem_live_range_t){0, schedule->step_count};
  for (uint32_t c = first_call_from(builder, caller, life->begin);
       c < caller->end_call && !caller->escapes; ++c) {
    const gmem_call_t *call = &calls->calls[c];
    const gmem_step_t *op = &schedule->ops[call->op];
    if (op->begin >= life->end)
      break;
    if (is_born_in_callee(builder, call, value)) {
      own.begin = op->end;
      continue;
    }
    if (dies_in_callee(builder, call, value)) {
      own.end = op->begin;
      continue;
    }
    // What a function seen before has called has been seen with it.
    if (builder->added_for[call->callee] == value)
      continue;
    const gmem_callee_t *callee = &calls->callees[call->callee];
    for (uint32_t i = 0; i < callee->reachable_count; ++i)
      builder->added_for[callee->reachable[i]] = value;
    for (uint32_t i = 0; i < callee->range_count; ++i)
      add_range(builder, ranges, callee->ranges[i]);
  }
  if (own.begin < own.end)
    add_range(builder, ranges, own);
}

// Fills next[]: the values of each tensor class as lists, in ascending order,
// that start at the entry of their root in first[].
static void link_members(const builder_t *builder, uint32_t *first,
                         uint32_t *next) {
  for (size_t i = 0; i < builder->schedule->value_count; ++i)
    first[i] = GMEM_NO_INDEX;
  for (uint32_t i = (uint32_t)builder->schedule->value_count; i-- > 0;) {
    const gmem_life_t *life = &builder->lives[i];
    if (life->storage != GMEM_STORAGE_TENSOR)
      continue;
    next[i] = first[life->root];
    first[life->root] = i;
  }
}

gmem_status_t gmem_classes_build(const gmem_schedule_t *schedule,
                                 const gmem_calls_t *calls, gmem_life_t *lives,
                                 gmem_arena_t *arena,
                                 gmem_class_t **out_classes, size_t *out_count,
                                 gmem_diag_t *diag) {
  builder_t builder = {
      schedule, calls, arena, lives,
      gmem_arena_alloc(arena, schedule->function_count, sizeof(uint32_t))};
  size_t count = schedule->value_count;
  uint32_t *first = gmem_arena_alloc(arena, count, sizeof *first);
  uint32_t *next = gmem_arena_alloc(arena, count, sizeof *next);
  *out_classes = gmem_arena_alloc(arena, count, sizeof **out_classes);
  *out_count = 0;
  if (!first || !next || !*out_classes || !builder.added_for)
    return gmem_out_of_memory(diag);
  for (size_t i = 0; i < schedule->function_count; ++i)
    builder.added_for[i] = GMEM_NO_INDEX;
  join_all(&builder);
  link_members(&builder, first, next);
  for (uint32_t root = 0; root < count; ++root) {
    ranges_t ranges = {0};
    uint64_t uses = 1; // it is written
    for (uint32_t i = first[root]; i != GMEM_NO_INDEX; i = next[i]) {
      add_ranges_of(&builder, &ranges, i);
      uses += lives[i].uses;
    }
    if (ranges.out_of_memory)
      return gmem_out_of_memory(diag);
    if (ranges.count == 0)
      continue;
    normalise(&ranges);
    (*out_classes)[(*out_count)++] =
        (gmem_class_t){root, ranges.data, ranges.count, uses};
  }
  return GMEM_OK;
}
