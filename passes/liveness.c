// liveness.c - see liveness.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "liveness.h"

#include <stdlib.h>

#include "diagnostics.h"
#include "mlir-c/BuiltinAttributes.h"
#include "vocabulary.h"

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
  bool *used_outside;  // per value: used by an op that is not in its group
  bool *used;          // per value
  group_span_t *spans; // sorted by function and group
  size_t span_count;
  bool keep_inputs;
} analysis_t;

static int64_t max_time(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t min_time(int64_t a, int64_t b) { return a < b ? a : b; }

static bool is_entry(const analysis_t *analysis, uint32_t function) {
  return analysis->calls->callees[function].mentions == 0;
}

// Whether the value is an argument of its function.
static bool is_argument(const gmem_schedule_t *schedule, uint32_t value) {
  const gmem_value_t *entry = &schedule->values[value];
  const gmem_block_t *block = &schedule->blocks[entry->block];
  return entry->op == GMEM_NO_INDEX && block->number == 0 &&
         schedule->regions[block->region].owner == GMEM_NO_INDEX;
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
  uint32_t function = gmem_value_function(schedule, value);
  gmem_op_kind_t kind = entry->op == GMEM_NO_INDEX
                            ? GMEM_OP_UNKNOWN
                            : schedule->ops[entry->op].kind;
  if (kind == GMEM_OP_NONE)
    return GMEM_STORAGE_NONE;
  if (entry->type != GMEM_TYPE_SIZED)
    return GMEM_STORAGE_UNPLANNED;
  if (gmem_value_is_weight(schedule, value))
    return GMEM_STORAGE_WEIGHT;
  return analysis->calls->callees[function].recursive ? GMEM_STORAGE_UNPLANNED
                                                      : GMEM_STORAGE_TENSOR;
}

static bool has_unit(MlirOperation op, gmem_attr_t name) {
  return !mlirAttributeIsNull(mlirOperationGetDiscardableAttributeByName(
      op, mlirStringRefCreateFromCString(gmem_vocabulary[name].name)));
}

// The life of a value before its uses are counted.
static void begin_life(analysis_t *analysis, uint32_t value) {
  const gmem_schedule_t *schedule = analysis->schedule;
  const gmem_value_t *entry = &schedule->values[value];
  const gmem_region_t *region =
      &schedule->regions[schedule->blocks[entry->block].region];
  const gmem_function_t *function = &schedule->functions[region->function];
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
    const gmem_step_t *op = &schedule->ops[entry->op];
    const group_span_t *span = span_of(analysis, op);
    life->begin = span ? span->begin : op->begin;
    life->end = op->end;
    life->input = op->kind == GMEM_OP_INPUT;
    if (life->input)
      life->begin = function->begin; // filled before the function runs
    if (has_unit(op->op, GMEM_ATTR_HOLD))
      life->end = function->end;
  }
  if (life->input && analysis->keep_inputs)
    life->end = function->end;
}

//===--- uses -------------------------------------------------------------===//

// Counts a use of |value| at op |user| of the schedule.
static void use(analysis_t *analysis, uint32_t value, uint32_t user) {
  const gmem_schedule_t *schedule = analysis->schedule;
  const gmem_value_t *entry = &schedule->values[value];
  gmem_life_t *life = &analysis->lives[value];
  const gmem_step_t *op = &schedule->ops[user];
  int64_t group = entry->op == GMEM_NO_INDEX ? GMEM_NO_GROUP
                                             : schedule->ops[entry->op].group;
  analysis->used[value] = true;
  if (group == GMEM_NO_GROUP || op->group != group)
    analysis->used_outside[value] = true;
  const group_span_t *span = span_of(analysis, op);
  if (span)
    life->end = max_time(life->end, span->end);

  // A use inside a region may come again: it counts at the end of the op, in
  // the value's own block, that holds the region.
  uint32_t region = schedule->blocks[entry->block].region;
  for (uint32_t at = user; at != GMEM_NO_INDEX; at = schedule->ops[at].parent) {
    const gmem_step_t *holder = &schedule->ops[at];
    if (holder->block == entry->block) {
      life->end = max_time(life->end, holder->end);
      return;
    }
    if (schedule->blocks[holder->block].region == region)
      break; // another block of the same region
  }
  life->begin = min_time(life->begin, schedule->regions[region].begin);
  life->end = max_time(life->end, schedule->regions[region].end);
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

// An op without successors at the end of a block of the function's own region.
static bool is_return(const gmem_schedule_t *schedule, uint32_t index) {
  const gmem_step_t *op = &schedule->ops[index];
  return op->parent == GMEM_NO_INDEX &&
         mlirOperationGetNumSuccessors(op->op) == 0 &&
         mlirOperationIsNull(mlirOperationGetNextInBlock(op->op));
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
    if (is_return(schedule, i))
      return_operands(analysis, i);
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
    const gmem_value_t *value = &schedule->values[i];
    if (life->storage != GMEM_STORAGE_TENSOR)
      continue;
    if (value->op != GMEM_NO_INDEX &&
        schedule->ops[value->op].group != GMEM_NO_GROUP &&
        !analysis->used_outside[i] &&
        !has_unit(schedule->ops[value->op].op, GMEM_ATTR_HOLD))
      life->storage = GMEM_STORAGE_LOCAL;
    else if (is_read_by_inputs_only(analysis, i))
      life->storage = GMEM_STORAGE_HOST;
  }
}

//===--- aliases ----------------------------------------------------------===//

static uint32_t find_root(gmem_life_t *lives, uint32_t value) {
  while (lives[value].root != value) {
    lives[value].root = lives[lives[value].root].root; // halve the path
    value = lives[value].root;
  }
  return value;
}

static bool is_planned(const gmem_life_t *life) {
  return life->storage == GMEM_STORAGE_TENSOR ||
         life->storage == GMEM_STORAGE_WEIGHT;
}

// Makes two values one piece of memory, if both need memory and have the same
// size. A weight stays the root: its place is in constant memory.
static void join(analysis_t *analysis, uint32_t left, uint32_t right) {
  const gmem_schedule_t *schedule = analysis->schedule;
  if (left == GMEM_NO_INDEX || right == GMEM_NO_INDEX)
    return;
  left = find_root(analysis->lives, left);
  right = find_root(analysis->lives, right);
  const gmem_life_t *lives = analysis->lives;
  bool two_weights = lives[left].storage == GMEM_STORAGE_WEIGHT &&
                     lives[right].storage == GMEM_STORAGE_WEIGHT;
  if (left == right || two_weights || !is_planned(&lives[left]) ||
      !is_planned(&lives[right]) ||
      schedule->values[left].size != schedule->values[right].size)
    return;
  bool right_is_root =
      lives[right].storage == GMEM_STORAGE_WEIGHT ||
      (lives[left].storage != GMEM_STORAGE_WEIGHT && right < left);
  analysis->lives[right_is_root ? left : right].root =
      right_is_root ? right : left;
}

static void join_reshapes(analysis_t *analysis) {
  const gmem_schedule_t *schedule = analysis->schedule;
  for (size_t i = 0; i < schedule->op_count; ++i) {
    MlirOperation op = schedule->ops[i].op;
    if (schedule->ops[i].kind == GMEM_OP_RESHAPE &&
        mlirOperationGetNumOperands(op) && mlirOperationGetNumResults(op))
      join(analysis,
           gmem_schedule_find(schedule, mlirOperationGetOperand(op, 0)),
           gmem_schedule_find(schedule, mlirOperationGetResult(op, 0)));
  }
}

// The only return of a function, or GMEM_NO_INDEX.
static uint32_t sole_return(const gmem_schedule_t *schedule,
                            const gmem_function_t *function) {
  uint32_t found = GMEM_NO_INDEX;
  for (uint32_t i = function->first_op; i < function->end_op; ++i) {
    if (!is_return(schedule, i))
      continue;
    if (found != GMEM_NO_INDEX)
      return GMEM_NO_INDEX;
    found = i;
  }
  return found;
}

// What the callee calls operand |number| of the call, and what it returns as
// result |number|; GMEM_NO_INDEX when its body does not bear out its type, as
// can be with functions of unknown dialects.
static uint32_t callee_argument(const gmem_schedule_t *schedule,
                                const gmem_call_t *call, intptr_t number) {
  MlirOperation function = schedule->functions[call->callee].op;
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  return number < mlirBlockGetNumArguments(entry)
             ? gmem_schedule_find(schedule, mlirBlockGetArgument(entry, number))
             : GMEM_NO_INDEX;
}

static uint32_t callee_result(const gmem_schedule_t *schedule,
                              const gmem_call_t *call, intptr_t number) {
  uint32_t index = sole_return(schedule, &schedule->functions[call->callee]);
  return index != GMEM_NO_INDEX &&
                 number < mlirOperationGetNumOperands(schedule->ops[index].op)
             ? gmem_schedule_find(
                   schedule,
                   mlirOperationGetOperand(schedule->ops[index].op, number))
             : GMEM_NO_INDEX;
}

static void join_call(analysis_t *analysis, const gmem_call_t *call) {
  const gmem_schedule_t *schedule = analysis->schedule;
  MlirOperation op = schedule->ops[call->op].op;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    join(analysis, gmem_schedule_find(schedule, mlirOperationGetOperand(op, i)),
         callee_argument(schedule, call, i));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    join(analysis, gmem_schedule_find(schedule, mlirOperationGetResult(op, i)),
         callee_result(schedule, call, i));
}

static void join_all(analysis_t *analysis) {
  join_reshapes(analysis);
  for (size_t i = 0; i < analysis->calls->count; ++i)
    if (analysis->calls->calls[i].by_reference)
      join_call(analysis, &analysis->calls->calls[i]);
  for (uint32_t i = 0; i < analysis->schedule->value_count; ++i) {
    uint32_t root = find_root(analysis->lives, i);
    analysis->lives[i].root = root;
    // All of a class have the storage of its root: a reshaped weight is one.
    if (is_planned(&analysis->lives[i]))
      analysis->lives[i].storage = analysis->lives[root].storage;
  }
}

//===--- lives of classes -------------------------------------------------===//

typedef struct ranges_s {
  gmem_live_range_t *data;
  size_t count, room;
  bool out_of_memory;
} ranges_t;

static void add_range(analysis_t *analysis, ranges_t *ranges, int64_t begin,
                      int64_t end) {
  if (ranges->count) { // functions run one after another are one range
    gmem_live_range_t *last = &ranges->data[ranges->count - 1];
    if (begin >= last->begin && begin <= last->end) {
      last->end = max_time(last->end, end);
      return;
    }
  }
  if (!gmem_arena_grow(analysis->arena, &ranges->data, ranges->count,
                       &ranges->room, sizeof *ranges->data)) {
    ranges->out_of_memory = true;
    return;
  }
  ranges->data[ranges->count++] = (gmem_live_range_t){begin, end};
}

// Whether the call hands |value| over to its callee, which then looks after it:
// it is passed by reference and dies at the call, or is a result of it that the
// callee made in place.
static bool is_handed_over(const analysis_t *analysis, const gmem_call_t *call,
                           uint32_t value) {
  const gmem_schedule_t *schedule = analysis->schedule;
  const gmem_life_t *life = &analysis->lives[value];
  const gmem_step_t *op = &schedule->ops[call->op];
  bool dies = life->end == op->end;
  bool is_born =
      life->begin == op->begin && schedule->values[value].op == call->op;
  if (!call->by_reference || (!dies && !is_born))
    return false;
  if (is_born) {
    uint32_t returned =
        callee_result(schedule, call, schedule->values[value].number);
    return returned != GMEM_NO_INDEX &&
           analysis->lives[returned].root == life->root;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op->op); ++i) {
    if (!mlirValueEqual(mlirOperationGetOperand(op->op, i),
                        schedule->values[value].value))
      continue;
    uint32_t argument = callee_argument(schedule, call, i);
    if (argument == GMEM_NO_INDEX ||
        analysis->lives[argument].root != life->root)
      return false;
  }
  return true;
}

// The first call of a function at or after step |begin|.
static uint32_t first_call_from(const analysis_t *analysis,
                                const gmem_callee_t *caller, int64_t begin) {
  uint32_t low = caller->first_call, high = caller->end_call;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    uint32_t op = analysis->calls->calls[middle].op;
    if (analysis->schedule->ops[op].begin < begin)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// A value that is live at a call is live as long as the callee runs, unless it
// is handed over: then the callee's own values say when.
static void add_ranges_of(analysis_t *analysis, ranges_t *ranges,
                          uint32_t value) {
  const gmem_schedule_t *schedule = analysis->schedule;
  const gmem_calls_t *calls = analysis->calls;
  const gmem_life_t *life = &analysis->lives[value];
  const gmem_callee_t *caller =
      &calls->callees[gmem_value_function(schedule, value)];
  gmem_live_range_t own = {life->begin, life->end};
  if (caller->escapes)
    own = (gmem_live_range_t){0, schedule->step_count};
  for (uint32_t c = first_call_from(analysis, caller, life->begin);
       c < caller->end_call; ++c) {
    const gmem_call_t *call = &calls->calls[c];
    const gmem_step_t *op = &schedule->ops[call->op];
    if (op->begin >= life->end)
      break;
    if (is_handed_over(analysis, call, value)) {
      if (schedule->values[value].op == call->op)
        own.begin = op->end;
      else
        own.end = op->begin;
      continue;
    }
    const gmem_callee_t *callee = &calls->callees[call->callee];
    for (uint32_t i = 0; i < callee->reachable_count; ++i) {
      const gmem_function_t *function =
          &schedule->functions[callee->reachable[i]];
      add_range(analysis, ranges, function->begin, function->end);
    }
  }
  if (own.begin < own.end)
    add_range(analysis, ranges, own.begin, own.end);
}

static int compare_ranges(const void *a, const void *b) {
  const gmem_live_range_t *left = a, *right = b;
  if (left->begin != right->begin)
    return left->begin < right->begin ? -1 : 1;
  return (left->end > right->end) - (left->end < right->end);
}

// Sorts, and joins what overlaps or touches.
static void normalise(ranges_t *ranges) {
  qsort(ranges->data, ranges->count, sizeof *ranges->data, compare_ranges);
  size_t merged = 0;
  for (size_t i = 0; i < ranges->count; ++i) {
    gmem_live_range_t range = ranges->data[i];
    if (merged && range.begin <= ranges->data[merged - 1].end)
      ranges->data[merged - 1].end =
          max_time(ranges->data[merged - 1].end, range.end);
    else
      ranges->data[merged++] = range;
  }
  ranges->count = merged;
}

// Fills next[]: the values of each tensor class as lists, in ascending order,
// that start at the entry of their root in first[].
static void link_members(const analysis_t *analysis, uint32_t *first,
                         uint32_t *next) {
  for (size_t i = 0; i < analysis->schedule->value_count; ++i)
    first[i] = GMEM_NO_INDEX;
  for (uint32_t i = (uint32_t)analysis->schedule->value_count; i-- > 0;) {
    const gmem_life_t *life = &analysis->lives[i];
    if (life->storage != GMEM_STORAGE_TENSOR)
      continue;
    next[i] = first[life->root];
    first[life->root] = i;
  }
}

static bool collect_classes(analysis_t *analysis,
                            gmem_liveness_t *out_liveness) {
  size_t count = analysis->schedule->value_count;
  uint32_t *first = gmem_arena_alloc(analysis->arena, count, sizeof *first);
  uint32_t *next = gmem_arena_alloc(analysis->arena, count, sizeof *next);
  gmem_class_t *classes =
      gmem_arena_alloc(analysis->arena, count, sizeof *classes);
  if (!first || !next || !classes)
    return false;
  link_members(analysis, first, next);
  for (uint32_t root = 0; root < count; ++root) {
    ranges_t ranges = {0};
    for (uint32_t i = first[root]; i != GMEM_NO_INDEX; i = next[i])
      add_ranges_of(analysis, &ranges, i);
    if (ranges.out_of_memory)
      return false;
    if (ranges.count == 0)
      continue;
    normalise(&ranges);
    classes[out_liveness->class_count++] =
        (gmem_class_t){root, ranges.data, ranges.count};
  }
  out_liveness->classes = classes;
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
      .keep_inputs = keep_inputs};
  if (!analysis.lives || !analysis.used || !analysis.used_outside ||
      !find_spans(&analysis))
    return gmem_out_of_memory(diag);
  *out_liveness = (gmem_liveness_t){
      .schedule = schedule, .calls = calls, .lives = analysis.lives};
  for (uint32_t i = 0; i < count; ++i)
    begin_life(&analysis, i);
  count_uses(&analysis);
  drop_local_values(&analysis);
  join_all(&analysis);
  return collect_classes(&analysis, out_liveness) ? GMEM_OK
                                                  : gmem_out_of_memory(diag);
}

//===--- report -----------------------------------------------------------===//

static const char *reason(gmem_type_kind_t type) {
  switch (type) {
  case GMEM_TYPE_DYNAMIC:
    return "of dynamic shape";
  case GMEM_TYPE_UNKNOWN_ELEMENT:
    return "of elements of unknown size";
  case GMEM_TYPE_SPARSE:
    return "stored sparsely";
  case GMEM_TYPE_MEMREF:
    return "of memref type";
  case GMEM_TYPE_TUPLE:
    return "of tuple type";
  default:
    return NULL;
  }
}

static void report_function(const gmem_liveness_t *liveness, uint32_t index) {
  const gmem_schedule_t *schedule = liveness->schedule;
  const gmem_function_t *function = &schedule->functions[index];
  if (liveness->calls->callees[index].recursive) {
    gmem_remark(mlirOperationGetLocation(function->op),
                "@%.*s calls itself: its tensors are not planned",
                (int)function->name.length, function->name.data);
    return;
  }
  for (int type = GMEM_TYPE_DYNAMIC; type <= GMEM_TYPE_TUPLE; ++type) {
    size_t count = 0;
    uint32_t first = 0;
    for (uint32_t i = function->end_value; i-- > function->first_value;)
      if (liveness->lives[i].storage == GMEM_STORAGE_UNPLANNED &&
          schedule->values[i].type == (gmem_type_kind_t)type) {
        ++count;
        first = i;
      }
    if (count)
      gmem_remark(gmem_value_location(schedule, first),
                  "%zu value%s of @%.*s %s: not planned (this is the first)",
                  count, count == 1 ? "" : "s", (int)function->name.length,
                  function->name.data, reason((gmem_type_kind_t)type));
  }
}

void gmem_liveness_report(const gmem_liveness_t *liveness) {
  for (uint32_t i = 0; i < liveness->schedule->function_count; ++i)
    report_function(liveness, i);
}
