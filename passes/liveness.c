// liveness.c - see liveness.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "liveness.h"

#include <stdlib.h>

#include "classes.h"
#include "diagnostics.h"

typedef struct group_span_s {
  uint32_t function;
  int64_t group;
  int64_t begin, end; // steps from its first op to its last
} group_span_t;

typedef struct analysis_s {
  const gmem_schedule_t *schedule;
  const gmem_calls_t *calls;
  gmem_arena_t *arena;
  gmem_life_t *lives;
  bool *used;          // per value
  bool *used_outside;  // per value: by an op that is not in its group
  bool *unordered;     // per block: the text is not the order of execution
  group_span_t *spans; // sorted by function and group
  size_t span_count;
  bool keep_inputs;
} analysis_t;

static int64_t max_time(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t min_time(int64_t a, int64_t b) { return a < b ? a : b; }

static void extend(gmem_life_t *life, int64_t begin, int64_t end) {
  life->begin = min_time(life->begin, begin);
  life->end = max_time(life->end, end);
}

static bool is_entry(const analysis_t *analysis, uint32_t function) {
  return analysis->calls->callees[function].mentions == 0;
}

// Whether the value is an argument of its function.
static bool is_argument(const gmem_schedule_t *schedule, uint32_t value) {
  const gmem_value_t *entry = &schedule->values[value];
  return entry->op == GMEM_NO_INDEX &&
         gmem_is_entry_block(schedule, entry->block);
}

// The op whose region the value is defined in, or NULL at the function's level.
static const gmem_step_t *op_around(const gmem_schedule_t *schedule,
                                    uint32_t value) {
  uint32_t block = schedule->values[value].block;
  uint32_t owner = schedule->regions[schedule->blocks[block].region].owner;
  return owner == GMEM_NO_INDEX ? NULL : &schedule->ops[owner];
}

static const gmem_function_t *function_of(const gmem_schedule_t *schedule,
                                          uint32_t value) {
  return &schedule->functions[gmem_value_function(schedule, value)];
}

// A value that must keep its memory to the end of its function. Defined in a
// loop or among several blocks, it may be there before the text says so.
static void hold(const gmem_schedule_t *schedule, gmem_life_t *life,
                 uint32_t value) {
  const gmem_function_t *function = function_of(schedule, value);
  uint32_t block = schedule->values[value].block;
  bool is_straight =
      !op_around(schedule, value) &&
      schedule->regions[schedule->blocks[block].region].block_count == 1;
  extend(life, is_straight ? life->begin : function->begin, function->end);
}

//===--- layer groups of flat ops -----------------------------------------===//

static int compare_spans(const void *a, const void *b) {
  const group_span_t *left = a, *right = b;
  if (left->function != right->function)
    return left->function < right->function ? -1 : 1;
  return (left->group > right->group) - (left->group < right->group);
}

// A group runs as a whole: it reads its inputs slice by slice and writes its
// outputs slice by slice, from its first op to its last.
static bool find_spans(analysis_t *analysis) {
  const gmem_schedule_t *schedule = analysis->schedule;
  size_t count = 0;
  for (size_t i = 0; i < schedule->op_count; ++i)
    count += schedule->ops[i].group != GMEM_NO_GROUP;
  group_span_t *spans = gmem_arena_alloc(analysis->arena, count, sizeof *spans);
  if (!spans)
    return false;
  count = 0;
  for (size_t i = 0; i < schedule->op_count; ++i) {
    const gmem_step_t *op = &schedule->ops[i];
    if (op->group != GMEM_NO_GROUP)
      spans[count++] =
          (group_span_t){op->function, op->group, op->begin, op->end};
  }
  qsort(spans, count, sizeof *spans, compare_spans);
  size_t merged = 0;
  for (size_t i = 0; i < count; ++i) {
    if (merged && compare_spans(&spans[merged - 1], &spans[i]) == 0) {
      spans[merged - 1].begin =
          min_time(spans[merged - 1].begin, spans[i].begin);
      spans[merged - 1].end = max_time(spans[merged - 1].end, spans[i].end);
    } else {
      spans[merged++] = spans[i];
    }
  }
  analysis->spans = spans;
  analysis->span_count = merged;
  return true;
}

// The span of the group that |op| is in, or NULL.
static const group_span_t *span_of(const analysis_t *analysis,
                                   const gmem_step_t *op) {
  if (op->group == GMEM_NO_GROUP)
    return NULL;
  group_span_t key = {op->function, op->group, 0, 0};
  return bsearch(&key, analysis->spans, analysis->span_count, sizeof key,
                 compare_spans);
}

//===--- births -----------------------------------------------------------===//

static gmem_storage_t storage_of(const analysis_t *analysis, uint32_t value) {
  const gmem_schedule_t *schedule = analysis->schedule;
  const gmem_value_t *entry = &schedule->values[value];
  const gmem_callee_t *function =
      &analysis->calls->callees[gmem_value_function(schedule, value)];
  const gmem_step_t *around = op_around(schedule, value);
  if (entry->op != GMEM_NO_INDEX &&
      schedule->ops[entry->op].kind == GMEM_OP_NONE)
    return GMEM_STORAGE_NONE;
  if (gmem_value_is_weight(schedule, value))
    return GMEM_STORAGE_WEIGHT;
  if (entry->type != GMEM_TYPE_SIZED || function->recursive ||
      function->parallel || (around && around->parallel))
    return GMEM_STORAGE_UNPLANNED;
  return GMEM_STORAGE_TENSOR;
}

// The life of a result before its uses are counted.
static void begin_result(const analysis_t *analysis, uint32_t value,
                         gmem_life_t *life) {
  const gmem_schedule_t *schedule = analysis->schedule;
  const gmem_step_t *op = &schedule->ops[schedule->values[value].op];
  const group_span_t *span = span_of(analysis, op);
  life->begin = span ? span->begin : op->begin;
  life->end = op->end;
  life->input = op->kind == GMEM_OP_INPUT;
  if (life->input) // filled before the function runs
    life->begin = function_of(schedule, value)->begin;
  if (op->hold)
    hold(schedule, life, value);
}

static void begin_life(analysis_t *analysis, uint32_t value) {
  const gmem_schedule_t *schedule = analysis->schedule;
  const gmem_value_t *entry = &schedule->values[value];
  const gmem_region_t *region =
      &schedule->regions[schedule->blocks[entry->block].region];
  const gmem_function_t *function = &schedule->functions[region->function];
  const gmem_step_t *around = op_around(schedule, value);
  gmem_life_t *life = &analysis->lives[value];
  *life = (gmem_life_t){.storage = storage_of(analysis, value), .root = value};
  if (is_argument(schedule, value)) {
    life->begin = function->begin;
    life->end = function->begin + 1;
    life->input = is_entry(analysis, region->function);
  } else if (entry->op == GMEM_NO_INDEX) {
    // Carried round a loop or over a branch: wanted all the time.
    life->begin = region->begin;
    life->end = region->end;
  } else {
    begin_result(analysis, value, life);
  }
  if (around && around->late)
    extend(life, region->begin, function->end);
  if (life->input && analysis->keep_inputs)
    hold(schedule, life, value);
}

//===--- uses -------------------------------------------------------------===//

// A use inside a region may come again: it counts at the end of the op, in the
// value's own block, that holds the region. Counts a use in another block of
// the value's region for all of the region.
static void use_at_holder(analysis_t *analysis, uint32_t value, uint32_t user) {
  const gmem_schedule_t *schedule = analysis->schedule;
  const gmem_value_t *entry = &schedule->values[value];
  gmem_life_t *life = &analysis->lives[value];
  uint32_t region = schedule->blocks[entry->block].region;
  for (uint32_t at = user; at != GMEM_NO_INDEX; at = schedule->ops[at].parent) {
    const gmem_step_t *holder = &schedule->ops[at];
    if (holder->block == entry->block) {
      // Used before it is defined: a graph, not a sequence.
      if (entry->op != GMEM_NO_INDEX && at <= entry->op)
        analysis->unordered[entry->block] = true;
      life->end = max_time(life->end, holder->end);
      return;
    }
    if (schedule->blocks[holder->block].region == region)
      break; // another block of the same region
  }
  extend(life, schedule->regions[region].begin, schedule->regions[region].end);
}

// Counts a use of |value| at op |user| of the schedule.
static void use(analysis_t *analysis, uint32_t value, uint32_t user) {
  const gmem_schedule_t *schedule = analysis->schedule;
  const gmem_value_t *entry = &schedule->values[value];
  const gmem_step_t *op = &schedule->ops[user];
  gmem_life_t *life = &analysis->lives[value];
  int64_t group = entry->op == GMEM_NO_INDEX ? GMEM_NO_GROUP
                                             : schedule->ops[entry->op].group;
  analysis->used[value] = true;
  life->uses += op->kind != GMEM_OP_RESHAPE;
  if (group == GMEM_NO_GROUP || op->group != group)
    analysis->used_outside[value] = true;
  const group_span_t *span = span_of(analysis, op);
  if (span)
    extend(life, life->begin, span->end);
  bool is_late = (op->late && op->opaque) || (op->parent != GMEM_NO_INDEX &&
                                              schedule->ops[op->parent].late);
  if (is_late)
    hold(schedule, life, value);
  use_at_holder(analysis, value, user);
}

typedef struct use_walk_s {
  analysis_t *analysis;
  uint32_t user;
} use_walk_t;

static MlirWalkResult use_operands(MlirOperation op, void *user) {
  use_walk_t *walk = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    uint32_t value = gmem_schedule_find(walk->analysis->schedule,
                                        mlirOperationGetOperand(op, i));
    if (value != GMEM_NO_INDEX)
      use(walk->analysis, value, walk->user);
  }
  return MlirWalkResultAdvance;
}

// What a function returns lives to its end.
static void return_operands(analysis_t *analysis, uint32_t index) {
  const gmem_schedule_t *schedule = analysis->schedule;
  const gmem_step_t *op = &schedule->ops[index];
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op->op); ++i) {
    uint32_t value =
        gmem_schedule_find(schedule, mlirOperationGetOperand(op->op, i));
    if (value == GMEM_NO_INDEX)
      continue;
    analysis->lives[value].end = schedule->functions[op->function].end;
    analysis->lives[value].output = is_entry(analysis, op->function);
  }
}

static void count_uses(analysis_t *analysis) {
  const gmem_schedule_t *schedule = analysis->schedule;
  for (uint32_t i = 0; i < schedule->op_count; ++i) {
    use_walk_t walk = {analysis, i};
    if (schedule->ops[i].opaque)
      mlirOperationWalk(schedule->ops[i].op, use_operands, &walk,
                        MlirWalkPreOrder);
    else
      use_operands(schedule->ops[i].op, &walk);
    if (gmem_is_return(schedule, i))
      return_operands(analysis, i);
  }
  for (uint32_t i = 0; i < schedule->value_count; ++i) {
    uint32_t block = schedule->values[i].block;
    const gmem_region_t *region =
        &schedule->regions[schedule->blocks[block].region];
    if (analysis->unordered[block])
      extend(&analysis->lives[i], region->begin, region->end);
  }
}

//===--- values without global memory -------------------------------------===//

// Whether nothing but network-input ops reads this argument.
static bool is_read_by_inputs_only(const analysis_t *analysis, uint32_t value) {
  const gmem_schedule_t *schedule = analysis->schedule;
  if (!is_argument(schedule, value) || !analysis->used[value])
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(schedule->values[value].value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation owner = mlirOpOperandGetOwner(use);
    MlirValue result = mlirOperationGetNumResults(owner)
                           ? mlirOperationGetResult(owner, 0)
                           : (MlirValue){NULL};
    uint32_t input =
        result.ptr ? gmem_schedule_find(schedule, result) : GMEM_NO_INDEX;
    if (input == GMEM_NO_INDEX ||
        schedule->ops[schedule->values[input].op].kind != GMEM_OP_INPUT)
      return false;
  }
  return true;
}

static void drop_local_values(analysis_t *analysis) {
  const gmem_schedule_t *schedule = analysis->schedule;
  for (uint32_t i = 0; i < schedule->value_count; ++i) {
    gmem_life_t *life = &analysis->lives[i];
    const gmem_step_t *op = schedule->values[i].op == GMEM_NO_INDEX
                                ? NULL
                                : &schedule->ops[schedule->values[i].op];
    if (life->storage != GMEM_STORAGE_TENSOR)
      continue;
    if (op && op->group != GMEM_NO_GROUP && !analysis->used_outside[i] &&
        !op->hold)
      life->storage = GMEM_STORAGE_LOCAL;
    else if (is_read_by_inputs_only(analysis, i))
      life->storage = GMEM_STORAGE_HOST;
  }
}

//===--- views: reshapes between planned and unplanned values -------------===//

// Operand and result of a reshape, GMEM_NO_INDEX where they are no values of
// the schedule; false for other ops.
static bool get_reshape(const gmem_schedule_t *schedule, size_t index,
                        uint32_t *operand, uint32_t *result) {
  const gmem_step_t *op = &schedule->ops[index];
  if (op->kind != GMEM_OP_RESHAPE || !mlirOperationGetNumOperands(op->op) ||
      !mlirOperationGetNumResults(op->op))
    return false;
  *operand = gmem_schedule_find(schedule, mlirOperationGetOperand(op->op, 0));
  *result = gmem_schedule_find(schedule, mlirOperationGetResult(op->op, 0));
  return *result != GMEM_NO_INDEX;
}

// A view of what is not planned is somewhere else, too.
static void drop_views(analysis_t *analysis) {
  for (size_t i = 0; i < analysis->schedule->op_count; ++i) {
    uint32_t operand, result;
    if (!get_reshape(analysis->schedule, i, &operand, &result) ||
        analysis->lives[result].storage != GMEM_STORAGE_TENSOR)
      continue;
    if (operand == GMEM_NO_INDEX ||
        analysis->lives[operand].storage == GMEM_STORAGE_UNPLANNED)
      analysis->lives[result].storage = GMEM_STORAGE_UNPLANNED;
  }
}

// What is seen through a view that has no place of its own lives as long as
// the view; a view that is a handle may go anywhere.
static void live_as_long_as_views(analysis_t *analysis) {
  const gmem_schedule_t *schedule = analysis->schedule;
  for (size_t i = schedule->op_count; i-- > 0;) {
    uint32_t operand, result;
    if (!get_reshape(schedule, i, &operand, &result) ||
        operand == GMEM_NO_INDEX ||
        gmem_is_same_memory(schedule, analysis->lives, operand, result))
      continue;
    gmem_life_t *life = &analysis->lives[operand];
    const gmem_life_t *view = &analysis->lives[result];
    gmem_type_kind_t type = schedule->values[result].type;
    extend(life, view->begin, view->end);
    life->output |= view->output;
    if (type != GMEM_TYPE_SIZED && type != GMEM_TYPE_DYNAMIC)
      hold(schedule, life, operand);
  }
}

static bool number_classes(gmem_liveness_t *liveness, gmem_arena_t *arena) {
  size_t count = liveness->schedule->value_count;
  uint32_t *class_of = gmem_arena_alloc(arena, count, sizeof *class_of);
  if (!class_of)
    return false;
  for (size_t i = 0; i < count; ++i)
    class_of[i] = GMEM_NO_INDEX;
  for (uint32_t i = 0; i < liveness->class_count; ++i)
    class_of[liveness->classes[i].root] = i;
  for (size_t i = 0; i < count; ++i)
    if (liveness->lives[i].storage == GMEM_STORAGE_TENSOR)
      class_of[i] = class_of[liveness->lives[i].root];
  liveness->class_of = class_of;
  return true;
}

gmem_status_t gmem_liveness_analyse(const gmem_schedule_t *schedule,
                                    const gmem_calls_t *calls, bool keep_inputs,
                                    gmem_arena_t *arena,
                                    gmem_liveness_t *out_liveness,
                                    gmem_diag_t *diag) {
  size_t count = schedule->value_count;
  analysis_t analysis = {
      .schedule = schedule,
      .calls = calls,
      .arena = arena,
      .lives = gmem_arena_alloc(arena, count, sizeof(gmem_life_t)),
      .used = gmem_arena_alloc(arena, count, sizeof(bool)),
      .used_outside = gmem_arena_alloc(arena, count, sizeof(bool)),
      .unordered = gmem_arena_alloc(arena, schedule->block_count, sizeof(bool)),
      .keep_inputs = keep_inputs};
  if (!analysis.lives || !analysis.used || !analysis.used_outside ||
      !analysis.unordered || !find_spans(&analysis))
    return gmem_out_of_memory(diag);
  *out_liveness = (gmem_liveness_t){
      .schedule = schedule, .calls = calls, .lives = analysis.lives};
  for (uint32_t i = 0; i < count; ++i)
    begin_life(&analysis, i);
  count_uses(&analysis);
  drop_local_values(&analysis);
  drop_views(&analysis);
  live_as_long_as_views(&analysis);
  gmem_status_t status = gmem_classes_build(schedule, calls, analysis.lives,
                                            arena, &out_liveness->classes,
                                            &out_liveness->class_count, diag);
  if (status == GMEM_OK && !number_classes(out_liveness, arena))
    status = gmem_out_of_memory(diag);
  return status;
}

//===--- queries ----------------------------------------------------------===//

// The first of the class's ranges that ends after |time|.
static size_t first_range_after(const gmem_class_t *class, int64_t time) {
  size_t low = 0, high = class->range_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (class->ranges[middle].end <= time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Whether the class is live in |range| within [begin, end) at most.
static bool meets_only_at(const gmem_class_t *class, gmem_live_range_t range,
                          int64_t begin, int64_t end) {
  for (size_t i = first_range_after(class, range.begin);
       i < class->range_count && class->ranges[i].begin < range.end; ++i)
    if (max_time(class->ranges[i].begin, range.begin) < begin ||
        min_time(class->ranges[i].end, range.end) > end)
      return false;
  return true;
}

bool gmem_classes_meet_only_at(const gmem_liveness_t *liveness,
                               uint32_t class_a, uint32_t class_b,
                               int64_t begin, int64_t end) {
  const gmem_class_t *few = &liveness->classes[class_a];
  const gmem_class_t *many = &liveness->classes[class_b];
  if (few->range_count > many->range_count) {
    const gmem_class_t *other = few;
    few = many;
    many = other;
  }
  for (size_t i = 0; i < few->range_count; ++i)
    if (!meets_only_at(many, few->ranges[i], begin, end))
      return false;
  return true;
}

//===--- report -----------------------------------------------------------===//

enum reason_e {
  REASON_NONE,
  REASON_DYNAMIC,
  REASON_ELEMENT,
  REASON_SPARSE,
  REASON_MEMREF,
  REASON_TUPLE,
  REASON_PARALLEL,
  REASON_VIEW,
  REASON_COUNT,
};

static const char *const reasons[REASON_COUNT] = {
    [REASON_DYNAMIC] = "of dynamic shape",
    [REASON_ELEMENT] = "of elements of unknown size",
    [REASON_SPARSE] = "stored sparsely",
    [REASON_MEMREF] = "of memref type",
    [REASON_TUPLE] = "of tuple type",
    [REASON_PARALLEL] = "in code that runs several times at once",
    [REASON_VIEW] = "reshaped from what is not planned",
};

static enum reason_e reason_of(const gmem_liveness_t *liveness,
                               uint32_t value) {
  const gmem_step_t *around = op_around(liveness->schedule, value);
  uint32_t function = gmem_value_function(liveness->schedule, value);
  if (liveness->lives[value].storage != GMEM_STORAGE_UNPLANNED)
    return REASON_NONE;
  switch (liveness->schedule->values[value].type) {
  case GMEM_TYPE_DYNAMIC:
    return REASON_DYNAMIC;
  case GMEM_TYPE_UNKNOWN_ELEMENT:
    return REASON_ELEMENT;
  case GMEM_TYPE_SPARSE:
    return REASON_SPARSE;
  case GMEM_TYPE_MEMREF:
    return REASON_MEMREF;
  case GMEM_TYPE_TUPLE:
    return REASON_TUPLE;
  case GMEM_TYPE_NO_MEMORY:
    return REASON_NONE;
  default:
    return liveness->calls->callees[function].parallel ||
                   (around && around->parallel)
               ? REASON_PARALLEL
               : REASON_VIEW;
  }
}

static void report_function(const gmem_liveness_t *liveness, uint32_t index) {
  const gmem_schedule_t *schedule = liveness->schedule;
  const gmem_function_t *function = &schedule->functions[index];
  size_t counts[REASON_COUNT] = {0};
  uint32_t first[REASON_COUNT] = {0};
  if (liveness->calls->callees[index].recursive) {
    gmem_remark(mlirOperationGetLocation(function->op),
                "@%.*s calls itself: its tensors are not planned",
                (int)function->name.length, function->name.data);
    return;
  }
  for (uint32_t i = function->end_value; i-- > function->first_value;) {
    enum reason_e reason = reason_of(liveness, i);
    ++counts[reason];
    first[reason] = i;
  }
  for (int reason = REASON_NONE + 1; reason < REASON_COUNT; ++reason)
    if (counts[reason])
      gmem_remark(gmem_value_location(schedule, first[reason]),
                  "%zu value%s of @%.*s %s: not planned (this is the first)",
                  counts[reason], counts[reason] == 1 ? "" : "s",
                  (int)function->name.length, function->name.data,
                  reasons[reason]);
}

void gmem_liveness_report(const gmem_liveness_t *liveness) {
  for (size_t i = 0; i < liveness->schedule->op_count; ++i)
    if (gmem_is_function(liveness->schedule->ops[i].op))
      gmem_remark(mlirOperationGetLocation(liveness->schedule->ops[i].op),
                  "a function inside a function: its tensors are not planned");
  for (uint32_t i = 0; i < liveness->schedule->function_count; ++i)
    report_function(liveness, i);
}
