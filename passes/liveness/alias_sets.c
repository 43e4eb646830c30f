// alias_sets.c - see alias_sets.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "alias_sets.h"

#include "diagnostics.h"
#include "mlir-c/BuiltinTypes.h"
#include "program.h"

typedef struct builder_s {
  const gmem_call_contexts_t *contexts;
  const gmem_program_t *program;
  const gmem_calls_t *calls;
  const gmem_memrefs_t *memrefs;
  gmem_live_value_t *live_values;
  gmem_ranges_t
      steps; // of the current alias set, in the steps of each function
  gmem_ranges_t times; // the same ranges on the timeline of call contexts
} builder_t;

//===--- must-alias sets, by union-find ----------------------------------===//

static uint32_t find_root(gmem_live_value_t *live_values, uint32_t value) {
  while (live_values[value].root != value) {
    live_values[value].root =
        live_values[live_values[value].root].root; // path halving
    value = live_values[value].root;
  }
  return value;
}

// Merges the alias sets of two values, if they can occupy the same memory. A
// weight stays the representative: its place is in constant memory.
static void join(builder_t *builder, uint32_t left, uint32_t right) {
  gmem_live_value_t *live_values = builder->live_values;
  if (left == GMEM_NO_INDEX || right == GMEM_NO_INDEX ||
      !gmem_is_same_memory(builder->program, live_values, left, right))
    return;
  left = find_root(live_values, left);
  right = find_root(live_values, right);
  bool left_is_weight = live_values[left].storage == GMEM_STORAGE_WEIGHT;
  bool right_is_weight = live_values[right].storage == GMEM_STORAGE_WEIGHT;
  if (left == right || (left_is_weight && right_is_weight))
    return;
  bool right_is_root = right_is_weight || (!left_is_weight && right < left);
  live_values[right_is_root ? left : right].root = right_is_root ? right : left;
}

// The callee's argument for operand |number| of a plain call, and the value
// that the callee returns as result |number| if it has a single return; else
// GMEM_NO_INDEX.
static uint32_t callee_argument(const builder_t *builder,
                                const gmem_call_t *call, intptr_t number) {
  MlirOperation function = builder->program->functions[call->callee].op;
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  return gmem_program_find(builder->program,
                           mlirBlockGetArgument(entry, number));
}

static uint32_t callee_result(const builder_t *builder, const gmem_call_t *call,
                              intptr_t number) {
  const gmem_program_t *program = builder->program;
  const gmem_callee_t *callee = &builder->calls->callees[call->callee];
  if (callee->end_return != callee->first_return + 1)
    return GMEM_NO_INDEX;
  uint32_t index = builder->calls->returns[callee->first_return];
  return gmem_program_find(
      program, mlirOperationGetOperand(program->ops[index].op, number));
}

static void join_call(builder_t *builder, const gmem_call_t *call) {
  const gmem_program_t *program = builder->program;
  MlirOperation op = program->ops[call->op].op;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    join(builder, gmem_program_find(program, mlirOperationGetOperand(op, i)),
         callee_argument(builder, call, i));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    join(builder, gmem_program_find(program, mlirOperationGetResult(op, i)),
         callee_result(builder, call, i));
}

static void join_all(builder_t *builder) {
  const gmem_program_t *program = builder->program;
  for (size_t i = 0; i < program->op_count; ++i) {
    uint32_t operand, result;
    if (gmem_is_view(program, i, &operand, &result))
      join(builder, operand, result);
  }
  for (size_t i = 0; i < builder->calls->count; ++i)
    if (builder->calls->calls[i].by_reference)
      join_call(builder, &builder->calls->calls[i]);
  for (uint32_t i = 0; i < program->value_count; ++i) {
    uint32_t root = find_root(builder->live_values, i);
    builder->live_values[i].root = root;
    // All members have the storage of the representative: a reshaped weight is
    // a weight.
    if (gmem_live_value_is_planned(&builder->live_values[i]))
      builder->live_values[i].storage = builder->live_values[root].storage;
  }
}

//===--- live ranges of alias sets ---------------------------------------===//

// Whether a returned value may be a handle to memory.
static bool returns_handles(const builder_t *builder, uint32_t function) {
  const gmem_callee_t *callee = &builder->calls->callees[function];
  for (uint32_t r = callee->first_return; r < callee->end_return; ++r) {
    MlirOperation op = builder->program->ops[builder->calls->returns[r]].op;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
      if (gmem_is_memref_type(type) || gmem_is_handle_type(type))
        return true;
    }
  }
  return false;
}

// Whether the value may be live after its function has returned.
static bool outlives_call(const builder_t *builder, uint32_t value) {
  uint32_t function = gmem_value_function(builder->program, value);
  return builder->live_values[value].is_escaping &&
         builder->calls->callees[function].mentions != 0 &&
         returns_handles(builder, function);
}

// Adds steps [begin, end), which may span several functions. In the function
// |home| of the value, a range across a call covers the run of the callee. In
// other functions the value is only accessed by control flow at single steps.
static void add_range(builder_t *builder, uint32_t home, int64_t begin,
                      int64_t end) {
  const gmem_program_t *program = builder->program;
  gmem_ranges_add(&builder->steps, begin, end);
  while (begin < end) {
    uint32_t function = gmem_program_function_at(program, begin);
    int64_t last = program->functions[function].end;
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

// An input that is |written|, through any member of the set, belongs to a
// caller who reads the new contents, so it stays live until the function ends.
static void add_ranges_of(builder_t *builder, uint32_t value, bool written) {
  const gmem_program_t *program = builder->program;
  const gmem_live_value_t *live = &builder->live_values[value];
  uint32_t function = gmem_value_function(program, value);
  if (builder->calls->callees[function].escapes ||
      outlives_call(builder, value)) {
    gmem_ranges_add(&builder->steps, 0, program->step_count);
    gmem_ranges_add(&builder->times, 0,
                    gmem_call_contexts_length(builder->contexts));
    return;
  }
  for (size_t i = 0; i < live->range_count; ++i)
    add_range(builder, function, live->ranges[i].begin, live->ranges[i].end);
  if (written && live->input)
    add_range(builder, function, program->functions[function].begin,
              program->functions[function].end);
}

// Links the members of each tensor alias set in ascending order: |first| by
// representative, |next| by member.
static void link_members(const builder_t *builder, uint32_t *first,
                         uint32_t *next) {
  for (size_t i = 0; i < builder->program->value_count; ++i)
    first[i] = GMEM_NO_INDEX;
  for (uint32_t i = (uint32_t)builder->program->value_count; i-- > 0;) {
    const gmem_live_value_t *live = &builder->live_values[i];
    if (live->storage != GMEM_STORAGE_TENSOR)
      continue;
    next[i] = first[live->root];
    first[live->root] = i;
  }
}

static bool has_long_range(const gmem_ranges_t *ranges) {
  for (size_t i = 0; i < ranges->count; ++i)
    if (ranges->data[i].end - ranges->data[i].begin > 1)
      return true;
  return false;
}

// Adds the allocation site |value| to the current alias set.
static void add_memref(builder_t *builder, uint32_t value,
                       gmem_alias_set_t *set) {
  const gmem_allocation_site_t *site =
      gmem_allocation_site_of(builder->memrefs, value);
  gmem_ranges_add_all(&builder->steps, site->ranges, site->range_count);
  gmem_ranges_add_all(&builder->times, site->ranges, site->range_count);
  set->is_written = true;
  set->uses += site->uses;
}

// Appends the alias set with representative |root|, unless it is empty.
static bool add_set(builder_t *builder, uint32_t root, const uint32_t *first,
                    const uint32_t *next, gmem_alias_set_t *sets,
                    size_t *count) {
  gmem_alias_set_t set = {.root = root, .uses = 1}; // the definition
  builder->steps.count = builder->times.count = 0;
  if (first[root] == GMEM_NO_INDEX)
    return true;
  for (uint32_t i = first[root]; i != GMEM_NO_INDEX; i = next[i])
    set.is_written |= builder->live_values[i].is_written;
  for (uint32_t i = first[root]; i != GMEM_NO_INDEX; i = next[i]) {
    if (gmem_is_memref_root(builder->program, i)) {
      add_memref(builder, i, &set);
      continue;
    }
    add_ranges_of(builder, i, set.is_written);
    set.uses += builder->live_values[i].uses;
  }
  gmem_ranges_normalise(&builder->steps);
  gmem_ranges_normalise(&builder->times);
  set.is_lasting = has_long_range(&builder->steps);
  set.ranges = gmem_ranges_copy(&builder->times);
  set.range_count = builder->times.count;
  sets[(*count)++] = set;
  return set.ranges != NULL && !builder->steps.out_of_memory;
}

gmem_status_t gmem_alias_sets_build(
    const gmem_call_contexts_t *contexts, const gmem_program_t *program,
    const gmem_calls_t *calls, const gmem_memrefs_t *memrefs,
    gmem_live_value_t *live_values, gmem_bump_t *arena,
    gmem_alias_set_t **out_sets, size_t *out_count, gmem_diag_t *diag) {
  builder_t builder = {.contexts = contexts,
                       .program = program,
                       .calls = calls,
                       .memrefs = memrefs,
                       .live_values = live_values,
                       .steps = {.arena = arena},
                       .times = {.arena = arena}};
  size_t count = program->value_count;
  uint32_t *first = gmem_bump_alloc(arena, count, sizeof *first);
  uint32_t *next = gmem_bump_alloc(arena, count, sizeof *next);
  *out_sets = gmem_bump_alloc(arena, count, sizeof **out_sets);
  *out_count = 0;
  if (!first || !next || !*out_sets)
    return gmem_out_of_memory(diag);
  join_all(&builder);
  link_members(&builder, first, next);
  for (uint32_t root = 0; root < count; ++root)
    if (!add_set(&builder, root, first, next, *out_sets, out_count))
      return gmem_out_of_memory(diag);
  return GMEM_OK;
}
