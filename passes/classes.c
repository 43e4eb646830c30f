// classes.c - see classes.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "classes.h"

#include "diagnostics.h"
#include "mlir-c/BuiltinTypes.h"

typedef struct builder_s {
  const gmem_schedule_t *schedule;
  const gmem_calls_t *calls;
  const gmem_memrefs_t *memrefs;
  gmem_life_t *lives;
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
  const gmem_schedule_t *schedule = builder->schedule;
  const gmem_callee_t *callee = &builder->calls->callees[call->callee];
  if (callee->end_return != callee->first_return + 1)
    return GMEM_NO_INDEX;
  uint32_t index = builder->calls->returns[callee->first_return];
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
    if (gmem_is_planned(&builder->lives[i]))
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
      if (mlirTypeIsAMemRef(type) || mlirTypeIsAUnrankedMemRef(type) ||
          gmem_is_handle_type(type))
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

// A value that is live at a call from before to after it is live as long as the
// callee runs. An input that is |written|, by whatever name, belongs to a
// caller, who reads the new contents.
static void add_ranges_of(const builder_t *builder, gmem_ranges_t *ranges,
                          uint32_t value, bool written) {
  const gmem_schedule_t *schedule = builder->schedule;
  const gmem_life_t *life = &builder->lives[value];
  uint32_t function = gmem_value_function(schedule, value);
  int64_t begin = schedule->functions[function].begin;
  int64_t end = schedule->functions[function].end;
  if (builder->calls->callees[function].escapes ||
      outlives_call(builder, value)) {
    gmem_ranges_add(ranges, 0, schedule->step_count);
    return;
  }
  gmem_ranges_add_all(ranges, life->ranges, life->range_count);
  for (size_t i = 0; i < life->range_count; ++i)
    gmem_calls_add_ranges(schedule, builder->calls, function,
                          life->ranges[i].begin, life->ranges[i].end, ranges);
  if (written && life->input) {
    gmem_ranges_add(ranges, begin, end);
    gmem_calls_add_ranges(schedule, builder->calls, function, begin, end,
                          ranges);
  }
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

// The class of a memref that the program allocates: it alone.
static gmem_class_t memref_class(const gmem_memref_root_t *root) {
  gmem_ranges_t ranges = {.data = (gmem_live_range_t *)root->ranges,
                          .count = root->range_count};
  return (gmem_class_t){.root = root->value,
                        .ranges = root->ranges,
                        .range_count = root->range_count,
                        .uses = root->uses + 1,
                        .is_written = true,
                        .is_lasting = has_long_range(&ranges)};
}

// Lists the class of |root|, unless it is none.
static bool add_class(const builder_t *builder, uint32_t root,
                      const uint32_t *first, const uint32_t *next,
                      gmem_ranges_t *ranges, gmem_class_t *classes,
                      size_t *count) {
  uint64_t uses = 1; // it is made
  bool is_written = false;
  ranges->count = 0;
  if (first[root] == GMEM_NO_INDEX)
    return true;
  if (gmem_is_memref_root(builder->schedule, root)) {
    classes[(*count)++] =
        memref_class(gmem_memref_root_of(builder->memrefs, root));
    return true;
  }
  for (uint32_t i = first[root]; i != GMEM_NO_INDEX; i = next[i])
    is_written |= builder->lives[i].is_written;
  for (uint32_t i = first[root]; i != GMEM_NO_INDEX; i = next[i]) {
    add_ranges_of(builder, ranges, i, is_written);
    uses += builder->lives[i].uses;
  }
  gmem_ranges_normalise(ranges);
  const gmem_live_range_t *copy = gmem_ranges_copy(ranges);
  classes[(*count)++] = (gmem_class_t){
      root, copy, ranges->count, uses, is_written, has_long_range(ranges)};
  return copy != NULL;
}

gmem_status_t gmem_classes_build(const gmem_schedule_t *schedule,
                                 const gmem_calls_t *calls,
                                 const gmem_memrefs_t *memrefs,
                                 gmem_life_t *lives, gmem_arena_t *arena,
                                 gmem_class_t **out_classes, size_t *out_count,
                                 gmem_diag_t *diag) {
  builder_t builder = {schedule, calls, memrefs, lives};
  gmem_ranges_t ranges = {.arena = arena};
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
    if (!add_class(&builder, root, first, next, &ranges, *out_classes,
                   out_count))
      return gmem_out_of_memory(diag);
  return GMEM_OK;
}
