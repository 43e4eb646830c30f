// classes.c - see classes.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "classes.h"

#include "diagnostics.h"
#include "mlir-c/BuiltinTypes.h"
#include "schedule.h"

typedef struct builder_s {
  const gmem_call_contexts_t *contexts;
  const gmem_program_t *schedule;
  const gmem_calls_t *calls;
  const gmem_memrefs_t *memrefs;
  gmem_life_t *lives;
  gmem_ranges_t steps; // of the class at hand, each in its function
  gmem_ranges_t times; // the same on the timeline
} builder_t;

//===--- which values are one piece of memory -----------------------------===//

static uint32_t find_root(gmem_life_t *lives, uint32_t value) {
  while (lives[value].root != value) {
    lives[value].root = lives[lives[value].root].root; // halve the path
    value = lives[value].root;
  }
  return value;
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

// What the callee of a plain call calls operand |number|, and what it returns
// as result |number|, if that is always the same value; or GMEM_NO_INDEX.
static uint32_t callee_argument(const builder_t *builder,
                                const gmem_call_t *call, intptr_t number) {
  MlirOperation function = builder->schedule->functions[call->callee].op;
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  return gmem_schedule_find(builder->schedule,
                            mlirBlockGetArgument(entry, number));
}

static uint32_t callee_result(const builder_t *builder, const gmem_call_t *call,
                              intptr_t number) {
  const gmem_program_t *schedule = builder->schedule;
  const gmem_callee_t *callee = &builder->calls->callees[call->callee];
  if (callee->end_return != callee->first_return + 1)
    return GMEM_NO_INDEX;
  uint32_t index = builder->calls->returns[callee->first_return];
  return gmem_schedule_find(
      schedule, mlirOperationGetOperand(schedule->ops[index].op, number));
}

static void join_call(builder_t *builder, const gmem_call_t *call) {
  const gmem_program_t *schedule = builder->schedule;
  MlirOperation op = schedule->ops[call->op].op;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    join(builder, gmem_schedule_find(schedule, mlirOperationGetOperand(op, i)),
         callee_argument(builder, call, i));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    join(builder, gmem_schedule_find(schedule, mlirOperationGetResult(op, i)),
         callee_result(builder, call, i));
}

static void join_all(builder_t *builder) {
  const gmem_program_t *schedule = builder->schedule;
  for (size_t i = 0; i < schedule->op_count; ++i) {
    uint32_t operand, result;
    if (gmem_is_view(schedule, i, &operand, &result))
      join(builder, operand, result);
  }
  for (size_t i = 0; i < builder->calls->count; ++i)
    if (builder->calls->calls[i].by_reference)
      join_call(builder, &builder->calls->calls[i]);
  for (uint32_t i = 0; i < schedule->value_count; ++i) {
    uint32_t root = find_root(builder->lives, i);
    builder->lives[i].root = root;
    // All of a class have the storage of its root: a reshaped weight is one.
    if (gmem_life_is_planned(&builder->lives[i]))
      builder->lives[i].storage = builder->lives[root].storage;
  }
}

//===--- lives of classes -------------------------------------------------===//

// Whether what the function returns may stand for memory of its own.
static bool returns_handles(const builder_t *builder, uint32_t function) {
  const gmem_callee_t *callee = &builder->calls->callees[function];
  for (uint32_t r = callee->first_return; r < callee->end_return; ++r) {
    MlirOperation op = builder->schedule->ops[builder->calls->returns[r]].op;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
      if (gmem_is_memref_type(type) || gmem_is_handle_type(type))
        return true;
    }
  }
  return false;
}

// Whether the value may be wanted after its function has returned.
static bool outlives_call(const builder_t *builder, uint32_t value) {
  uint32_t function = gmem_value_function(builder->schedule, value);
  return builder->lives[value].is_loose &&
         builder->calls->callees[function].mentions != 0 &&
         returns_handles(builder, function);
}

// Adds steps [begin, end) of any functions. What is live at a call from before
// to after it, in the function |home| of the value, is live as long as the
// callee runs. In other functions control flow touches it at single steps.
static void add_range(builder_t *builder, uint32_t home, int64_t begin,
                      int64_t end) {
  const gmem_program_t *schedule = builder->schedule;
  gmem_ranges_add(&builder->steps, begin, end);
  while (begin < end) {
    uint32_t function = gmem_schedule_function_at(schedule, begin);
    int64_t last = schedule->functions[function].end;
    int64_t next = end < last ? end : last;
    if (function == home)
      gmem_contexts_add_range(builder->contexts, function, begin, next,
                              &builder->times);
    else
      gmem_contexts_add_steps(builder->contexts, function, begin, next,
                              &builder->times);
    begin = next;
  }
}

// An input that is |written|, by whatever name, belongs to a caller, who reads
// the new contents.
static void add_ranges_of(builder_t *builder, uint32_t value, bool written) {
  const gmem_program_t *schedule = builder->schedule;
  const gmem_life_t *life = &builder->lives[value];
  uint32_t function = gmem_value_function(schedule, value);
  if (builder->calls->callees[function].escapes ||
      outlives_call(builder, value)) {
    gmem_ranges_add(&builder->steps, 0, schedule->step_count);
    gmem_ranges_add(&builder->times, 0,
                    gmem_call_contexts_length(builder->contexts));
    return;
  }
  for (size_t i = 0; i < life->range_count; ++i)
    add_range(builder, function, life->ranges[i].begin, life->ranges[i].end);
  if (written && life->input)
    add_range(builder, function, schedule->functions[function].begin,
              schedule->functions[function].end);
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

static bool has_long_range(const gmem_ranges_t *ranges) {
  for (size_t i = 0; i < ranges->count; ++i)
    if (ranges->data[i].end - ranges->data[i].begin > 1)
      return true;
  return false;
}

// Adds to the class at hand the memref that the program allocates as |value|.
static void add_memref(builder_t *builder, uint32_t value,
                       gmem_class_t *class) {
  const gmem_memref_root_t *root = gmem_memref_root_of(builder->memrefs, value);
  gmem_ranges_add_all(&builder->steps, root->ranges, root->range_count);
  gmem_ranges_add_all(&builder->times, root->ranges, root->range_count);
  class->is_written = true;
  class->uses += root->uses;
}

// Lists the class of |root|, unless it is none.
static bool add_class(builder_t *builder, uint32_t root, const uint32_t *first,
                      const uint32_t *next, gmem_class_t *classes,
                      size_t *count) {
  gmem_class_t class = {.root = root, .uses = 1}; // it is made
  builder->steps.count = builder->times.count = 0;
  if (first[root] == GMEM_NO_INDEX)
    return true;
  for (uint32_t i = first[root]; i != GMEM_NO_INDEX; i = next[i])
    class.is_written |= builder->lives[i].is_written;
  for (uint32_t i = first[root]; i != GMEM_NO_INDEX; i = next[i]) {
    if (gmem_is_memref_root(builder->schedule, i)) {
      add_memref(builder, i, &class);
      continue;
    }
    add_ranges_of(builder, i, class.is_written);
    class.uses += builder->lives[i].uses;
  }
  gmem_ranges_normalise(&builder->steps);
  gmem_ranges_normalise(&builder->times);
  class.is_lasting = has_long_range(&builder->steps);
  class.ranges = gmem_ranges_copy(&builder->times);
  class.range_count = builder->times.count;
  classes[(*count)++] = class;
  return class.ranges != NULL && !builder->steps.out_of_memory;
}

gmem_status_t gmem_classes_build(const gmem_call_contexts_t *contexts,
                                 const gmem_program_t *schedule,
                                 const gmem_calls_t *calls,
                                 const gmem_memrefs_t *memrefs,
                                 gmem_life_t *lives, gmem_arena_t *arena,
                                 gmem_class_t **out_classes, size_t *out_count,
                                 gmem_diag_t *diag) {
  builder_t builder = {.contexts = contexts,
                       .schedule = schedule,
                       .calls = calls,
                       .memrefs = memrefs,
                       .lives = lives,
                       .steps = {.arena = arena},
                       .times = {.arena = arena}};
  size_t count = schedule->value_count;
  uint32_t *first = gmem_arena_alloc(arena, count, sizeof *first);
  uint32_t *next = gmem_arena_alloc(arena, count, sizeof *next);
  *out_classes = gmem_arena_alloc(arena, count, sizeof **out_classes);
  *out_count = 0;
  if (!first || !next || !*out_classes)
    return gmem_out_of_memory(diag);
  join_all(&builder);
  link_members(&builder, first, next);
  for (uint32_t root = 0; root < count; ++root)
    if (!add_class(&builder, root, first, next, *out_classes, out_count))
      return gmem_out_of_memory(diag);
  return GMEM_OK;
}
