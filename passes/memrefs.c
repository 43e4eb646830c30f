// memrefs.c - see memrefs.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memrefs.h"

#include "diagnostics.h"
#include "liveness.h"
#include "memref_escapes.h"
#include "memref_flow.h"
#include "uses.h"

static const char *const fates[GMEM_MEMREF_FATE_COUNT] = {
    [GMEM_MEMREF_PLANNED] = "it is planned",
    [GMEM_MEMREF_DYNAMIC] = "its size is not known, nor a bound of it",
    [GMEM_MEMREF_LAYOUT] = "its layout has no static strides",
    [GMEM_MEMREF_ELEMENT] = "its elements have no known size",
    [GMEM_MEMREF_STACK] = "it is on the stack, which allocas=true plans",
    [GMEM_MEMREF_RETURNED] = "it is returned",
    [GMEM_MEMREF_STORED] = "it is stored in memory",
    [GMEM_MEMREF_CALLED] = "it is given to a function that is not known",
    [GMEM_MEMREF_HANDLE] = "something that is no memref is made of it",
    [GMEM_MEMREF_CARRIED] = "several of it may be wanted at once",
    [GMEM_MEMREF_PARALLEL] = "it is in code that may run several times at once",
    [GMEM_MEMREF_FREED] = "what frees it may free what is not planned",
};

static const char *const culprits[GMEM_MEMREF_FATE_COUNT] = {
    [GMEM_MEMREF_PLANNED] = "",
    [GMEM_MEMREF_DYNAMIC] = "",
    [GMEM_MEMREF_LAYOUT] = "",
    [GMEM_MEMREF_ELEMENT] = "",
    [GMEM_MEMREF_STACK] = "",
    [GMEM_MEMREF_RETURNED] = "returned here",
    [GMEM_MEMREF_STORED] = "stored here",
    [GMEM_MEMREF_CALLED] = "called here",
    [GMEM_MEMREF_HANDLE] = "made here",
    [GMEM_MEMREF_CARRIED] = "one of before is still wanted by this name",
    [GMEM_MEMREF_PARALLEL] = "what may run several times at once",
    [GMEM_MEMREF_FREED] = "freed here",
};

const char *gmem_memref_fate_text(gmem_memref_fate_t fate) {
  return fates[fate];
}

const char *gmem_memref_culprit_text(gmem_memref_fate_t fate) {
  return culprits[fate];
}

size_t gmem_memref_roots_from(const gmem_memrefs_t *memrefs, uint32_t value) {
  size_t low = 0, high = memrefs->root_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (memrefs->roots[middle].value < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

const gmem_memref_root_t *gmem_memref_root_of(const gmem_memrefs_t *memrefs,
                                              uint32_t value) {
  size_t i = gmem_memref_roots_from(memrefs, value);
  return i < memrefs->root_count && memrefs->roots[i].value == value
             ? &memrefs->roots[i]
             : NULL;
}

struct gmem_memref_finder_s {
  const gmem_call_contexts_t *contexts;
  const gmem_schedule_t *schedule;
  const gmem_calls_t *calls;
  const gmem_control_flow_t *control;
  const gmem_uses_t *uses;
  bool allocas;
  gmem_arena_t *arena;
  gmem_memrefs_t *memrefs;
  gmem_memref_flow_t flow;
  gmem_memref_escape_t *escapes;
  uint32_t *parallel; // by function: op that runs it several times at once, or
                      //   GMEM_NO_INDEX
  const gmem_life_t *lives;
  gmem_ranges_t ranges; // of the root at hand
  // The roots whose lists are shared all share one: when it is wanted, but for
  // by the names of roots.
  const gmem_live_range_t *shared_ranges;
  size_t shared_count;
  gmem_diag_t *diag;
};

//===--- roots ------------------------------------------------------------===//

static bool list_roots(gmem_memref_finder_t *finder) {
  const gmem_schedule_t *schedule = finder->schedule;
  gmem_memrefs_t *memrefs = finder->memrefs;
  size_t count = 0;
  for (uint32_t i = 0; i < schedule->value_count; ++i)
    count += gmem_is_memref_root(schedule, i);
  memrefs->roots =
      gmem_arena_alloc(finder->arena, count, sizeof *memrefs->roots);
  if (!memrefs->roots)
    return false;
  for (uint32_t i = 0; i < schedule->value_count; ++i)
    if (gmem_is_memref_root(schedule, i))
      memrefs->roots[memrefs->root_count++] =
          (gmem_memref_root_t){.value = i, .culprit = GMEM_NO_INDEX};
  return true;
}

// Leaves the root alone, unless there is a reason for that already.
static void leave(gmem_memref_root_t *root, gmem_memref_fate_t fate,
                  uint32_t culprit) {
  if (root->fate != GMEM_MEMREF_PLANNED || fate == GMEM_MEMREF_PLANNED)
    return;
  root->fate = fate;
  root->culprit = culprit;
}

//===--- where roots flow -------------------------------------------------===//

// All that any root from |first| on flows to, as one list for all of them.
static bool share_rest(gmem_memref_finder_t *finder, gmem_memref_walk_t *walk,
                       size_t first) {
  gmem_memrefs_t *memrefs = finder->memrefs;
  size_t count = memrefs->root_count - first;
  uint32_t *values = gmem_arena_alloc(finder->arena, count, sizeof *values);
  gmem_memref_sights_t all;
  for (size_t i = 0; values && i < count; ++i)
    values[i] = memrefs->roots[first + i].value;
  if (!values || !gmem_memref_walk_together(walk, values, count, &all))
    return false;
  for (size_t i = first; i < memrefs->root_count; ++i) {
    memrefs->roots[i].seen_as = all.values;
    memrefs->roots[i].seen_count = all.value_count;
    memrefs->roots[i].is_shared = true;
  }
  return true;
}

static bool find_flows(gmem_memref_finder_t *finder) {
  gmem_memrefs_t *memrefs = finder->memrefs;
  gmem_memref_walk_t *walk =
      gmem_memref_walk_begin(finder->schedule, finder->calls, finder->contexts,
                             &finder->flow, finder->arena);
  if (!walk)
    return false;
  for (size_t i = 0; i < memrefs->root_count; ++i) {
    gmem_memref_root_t *root = &memrefs->roots[i];
    gmem_memref_sights_t found;
    if (!gmem_memref_walk_from(walk, root->value, &found))
      return share_rest(finder, walk, i);
    root->seen_as = found.values;
    root->seen_count = found.value_count;
    root->sights = found.sights;
    root->sight_count = found.sight_count;
  }
  return true;
}

//===--- what runs several times at once ----------------------------------===//

// The innermost op around |op|, or itself if |inclusive|, whose regions may run
// several times at once: one that says so, or of which nothing is known.
static uint32_t parallel_around(const gmem_memref_finder_t *finder,
                                uint32_t op) {
  const gmem_schedule_t *schedule = finder->schedule;
  for (uint32_t at = schedule->ops[op].parent; at != GMEM_NO_INDEX;
       at = schedule->ops[at].parent)
    if (schedule->ops[at].parallel || schedule->ops[at].late ||
        (finder->control->flows[at] == GMEM_FLOW_ANY &&
         (schedule->ops[at].kind == GMEM_OP_UNKNOWN ||
          schedule->ops[at].kind == GMEM_OP_COMPUTE)))
      return at;
  return GMEM_NO_INDEX;
}

// Functions that may run while they run; what they call may, too.
static bool find_parallel(gmem_memref_finder_t *finder) {
  const gmem_schedule_t *schedule = finder->schedule;
  const gmem_calls_t *calls = finder->calls;
  size_t count = schedule->function_count;
  uint32_t *stack = gmem_arena_alloc(finder->arena, count, sizeof *stack);
  size_t depth = 0;
  finder->parallel =
      gmem_arena_alloc(finder->arena, count, sizeof *finder->parallel);
  if (!stack || !finder->parallel)
    return false;
  for (size_t i = 0; i < count; ++i)
    finder->parallel[i] = GMEM_NO_INDEX;
  for (size_t i = 0; i < calls->count; ++i) {
    const gmem_call_t *call = &calls->calls[i];
    uint32_t around = parallel_around(finder, call->op);
    if (finder->parallel[call->callee] != GMEM_NO_INDEX ||
        (call->is_plain && around == GMEM_NO_INDEX))
      continue;
    finder->parallel[call->callee] = call->is_plain ? around : call->op;
    stack[depth++] = call->callee;
  }
  while (depth) {
    const gmem_callee_t *caller = &calls->callees[stack[--depth]];
    for (uint32_t i = caller->first_call; i < caller->end_call; ++i) {
      uint32_t callee = calls->calls[i].callee;
      if (finder->parallel[callee] != GMEM_NO_INDEX)
        continue;
      finder->parallel[callee] = calls->calls[i].op;
      stack[depth++] = callee;
    }
  }
  return true;
}

//===--- what is known without lives --------------------------------------===//

// The fate of a root by its type and op.
static gmem_memref_fate_t fate_of_type(const gmem_memref_finder_t *finder,
                                       uint32_t value) {
  const gmem_value_t *entry = &finder->schedule->values[value];
  uint64_t ignored;
  if (!finder->allocas && finder->schedule->ops[entry->op].model->stack)
    return GMEM_MEMREF_STACK;
  if (entry->type == GMEM_TYPE_SIZED)
    return GMEM_MEMREF_PLANNED;
  switch (gmem_memref_size(mlirValueGetType(entry->value), NULL, &ignored)) {
  case GMEM_TYPE_UNKNOWN_ELEMENT:
    return GMEM_MEMREF_ELEMENT;
  case GMEM_TYPE_LAYOUT:
    return GMEM_MEMREF_LAYOUT;
  default:
    return GMEM_MEMREF_DYNAMIC;
  }
}

static void judge_place(gmem_memref_finder_t *finder,
                        gmem_memref_root_t *root) {
  uint32_t op = finder->schedule->values[root->value].op;
  uint32_t function = finder->schedule->ops[op].function;
  const gmem_callee_t *callee = &finder->calls->callees[function];
  uint32_t around = parallel_around(finder, op);
  if (around == GMEM_NO_INDEX)
    around = finder->parallel[function];
  if (around != GMEM_NO_INDEX || callee->recursive || callee->parallel ||
      callee->escapes)
    leave(root, GMEM_MEMREF_PARALLEL, around);
}

// The first op by which the root goes where nobody can follow it.
static void judge_escapes(gmem_memref_finder_t *finder,
                          gmem_memref_root_t *root) {
  gmem_memref_escape_t first = {GMEM_MEMREF_PLANNED, GMEM_NO_INDEX};
  for (size_t i = 0; i < root->seen_count; ++i) {
    gmem_memref_escape_t escape = finder->escapes[root->seen_as[i]];
    if (escape.fate != GMEM_MEMREF_PLANNED && escape.op < first.op)
      first = escape;
  }
  leave(root, first.fate, first.op);
}

// The list that roots share is looked at once.
static void judge_roots(gmem_memref_finder_t *finder) {
  const gmem_memref_root_t *shared = NULL;
  for (size_t i = 0; i < finder->memrefs->root_count; ++i) {
    gmem_memref_root_t *root = &finder->memrefs->roots[i];
    leave(root, fate_of_type(finder, root->value), GMEM_NO_INDEX);
    judge_place(finder, root);
    if (shared && shared->is_shared)
      leave(root, shared->fate, shared->culprit);
    else
      judge_escapes(finder, root);
    shared = root;
  }
}

gmem_status_t
gmem_memrefs_find(const gmem_call_contexts_t *contexts,
                  const gmem_schedule_t *schedule, const gmem_calls_t *calls,
                  const gmem_control_flow_t *control, const gmem_uses_t *uses,
                  bool allocas, gmem_arena_t *arena, gmem_memrefs_t *memrefs,
                  gmem_memref_finder_t **out_finder, gmem_diag_t *diag) {
  gmem_memref_finder_t *finder = gmem_arena_alloc(arena, 1, sizeof *finder);
  *out_finder = finder;
  *memrefs = (gmem_memrefs_t){0};
  if (!finder)
    return gmem_out_of_memory(diag);
  *finder = (gmem_memref_finder_t){.contexts = contexts,
                                   .schedule = schedule,
                                   .calls = calls,
                                   .control = control,
                                   .uses = uses,
                                   .allocas = allocas,
                                   .arena = arena,
                                   .memrefs = memrefs,
                                   .ranges = {.arena = arena},
                                   .diag = diag};
  if (!list_roots(finder))
    return gmem_out_of_memory(diag);
  if (memrefs->root_count == 0)
    return GMEM_OK;
  gmem_status_t status = gmem_memref_flow_find(schedule, calls, control, arena,
                                               &finder->flow, diag);
  if (status == GMEM_OK)
    status = gmem_memref_escapes_find(schedule, calls, control, &finder->flow,
                                      arena, &finder->escapes, diag);
  if (status == GMEM_OK && (!find_flows(finder) || !find_parallel(finder)))
    status = gmem_out_of_memory(diag);
  if (status == GMEM_OK)
    judge_roots(finder);
  return status;
}

//===--- lives ------------------------------------------------------------===//

// Steps [begin, end) in which nothing has been written yet.
typedef struct cut_s {
  int64_t begin, end;
} cut_t;

// Adds steps [begin, end) of the function of a value that the root is seen as.
static void add_steps(gmem_memref_finder_t *finder, gmem_memref_sight_t sight,
                      int64_t begin, int64_t end) {
  gmem_contexts_add_range_below(finder->contexts, sight.context, sight.base,
                                begin, end, &finder->ranges);
}

// Adds when the root is wanted as what it is seen as, on the timeline, without
// the cut. In other functions control flow touches the value at single steps of
// calls, where operand or result are seen.
static void add_sight(gmem_memref_finder_t *finder, gmem_memref_sight_t sight,
                      cut_t cut) {
  const gmem_life_t *life = &finder->lives[sight.value];
  const gmem_function_t *home =
      &finder->schedule
           ->functions[gmem_value_function(finder->schedule, sight.value)];
  for (size_t i = 0; i < life->range_count; ++i) {
    int64_t begin = life->ranges[i].begin, end = life->ranges[i].end;
    begin = begin > home->begin ? begin : home->begin;
    end = end < home->end ? end : home->end;
    if (begin < cut.end && cut.begin < end) {
      add_steps(finder, sight, begin, cut.begin);
      begin = cut.end;
    }
    add_steps(finder, sight, begin, end);
  }
}

// The value in all contexts of its function.
static gmem_memref_sight_t anywhere(const gmem_memref_finder_t *finder,
                                    uint32_t value) {
  size_t count;
  uint32_t function = gmem_value_function(finder->schedule, value);
  uint32_t first = gmem_contexts_of(finder->contexts, function, &count)[0];
  return (gmem_memref_sight_t){value, first, first};
}

// Whether the ranges contain a time at which op |index| runs.
static bool contain_op(const gmem_memref_finder_t *finder, uint32_t index) {
  const gmem_step_t *op = &finder->schedule->ops[index];
  const gmem_ranges_t *ranges = &finder->ranges;
  size_t count;
  const uint32_t *contexts =
      gmem_contexts_of(finder->contexts, op->function, &count);
  for (size_t i = 0; i < count; ++i) {
    int64_t time = gmem_context_time(finder->contexts, contexts[i], op->begin);
    size_t r = gmem_first_range_after(ranges->data, ranges->count, time);
    if (r < ranges->count && ranges->data[r].begin <= time)
      return true;
  }
  return false;
}

// Sets the ranges to those of all that the root is seen as but roots.
static bool add_others(gmem_memref_finder_t *finder,
                       const gmem_memref_root_t *root, cut_t cut) {
  finder->ranges.count = 0;
  if (root->is_shared && finder->shared_ranges) {
    gmem_ranges_add_all(&finder->ranges, finder->shared_ranges,
                        finder->shared_count);
    return !finder->ranges.out_of_memory;
  }
  for (size_t i = 0; i < root->sight_count; ++i)
    if (!gmem_is_memref_root(finder->schedule, root->sights[i].value))
      add_sight(finder, root->sights[i], cut);
  for (size_t i = 0; i < root->seen_count && root->is_shared; ++i)
    if (!gmem_is_memref_root(finder->schedule, root->seen_as[i]))
      add_sight(finder, anywhere(finder, root->seen_as[i]), cut);
  gmem_ranges_normalise(&finder->ranges);
  if (root->is_shared) {
    finder->shared_ranges = gmem_ranges_copy(&finder->ranges);
    finder->shared_count = finder->ranges.count;
    return finder->shared_ranges != NULL;
  }
  return !finder->ranges.out_of_memory;
}

// Whether the op only makes a view of |value|: it does not touch its memory.
static bool only_shows(const gmem_memref_finder_t *finder, uint32_t user,
                       uint32_t value) {
  const gmem_step_t *op = &finder->schedule->ops[user];
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(op->op); ++i)
    if (mlirValueEqual(mlirOperationGetOperand(op->op, i),
                       finder->schedule->values[value].value))
      return false;
  return op->kind == GMEM_OP_VIEW;
}

// The first step from |begin| on at which an op in |block|, or something in
// it, touches what the value is; or |first|, if that is before.
static int64_t first_touch(const gmem_memref_finder_t *finder, uint32_t value,
                           uint32_t block, int64_t begin, int64_t first) {
  const gmem_schedule_t *schedule = finder->schedule;
  const gmem_uses_t *uses = finder->uses;
  for (uint32_t u = uses->first_user[value]; u < uses->first_user[value + 1];
       ++u) {
    uint32_t at = uses->users[u];
    if (only_shows(finder, at, value))
      continue;
    while (at != GMEM_NO_INDEX && schedule->ops[at].block != block)
      at = schedule->ops[at].parent;
    if (at != GMEM_NO_INDEX && schedule->ops[at].begin > begin &&
        schedule->ops[at].begin < first)
      first = schedule->ops[at].begin;
  }
  return first;
}

// From the allocation to the first touch, if that is in its block, else to the
// end of the block: nothing is in the memory yet.
static cut_t find_cut(const gmem_memref_finder_t *finder,
                      const gmem_memref_root_t *root) {
  const gmem_schedule_t *schedule = finder->schedule;
  const gmem_value_t *entry = &schedule->values[root->value];
  const gmem_step_t *op = &schedule->ops[entry->op];
  const gmem_block_t *block = &schedule->blocks[entry->block];
  cut_t cut = {op->begin, block->end};
  if (root->is_shared || op->late || op->group != GMEM_NO_GROUP ||
      finder->uses->unordered[block->region])
    return (cut_t){0, 0};
  for (size_t i = 0; i < root->seen_count; ++i)
    cut.end =
        first_touch(finder, root->seen_as[i], entry->block, op->begin, cut.end);
  return cut;
}

static void count_uses(const gmem_memref_finder_t *finder,
                       gmem_memref_root_t *root) {
  for (size_t i = 0; i < root->seen_count && !root->is_shared; ++i)
    root->uses += finder->lives[root->seen_as[i]].uses;
}

// Sets the ranges of a planned root. It takes a step even if nobody wants it.
static bool find_life(gmem_memref_finder_t *finder, gmem_memref_root_t *root) {
  const gmem_step_t *op =
      &finder->schedule->ops[finder->schedule->values[root->value].op];
  cut_t cut = find_cut(finder, root);
  if (!add_others(finder, root, cut))
    return false;
  add_sight(finder, anywhere(finder, root->value), cut);
  if (finder->ranges.count == 0)
    gmem_contexts_add_steps(finder->contexts, op->function, op->begin, op->end,
                            &finder->ranges);
  gmem_ranges_normalise(&finder->ranges);
  root->ranges = gmem_ranges_copy(&finder->ranges);
  root->range_count = finder->ranges.count;
  count_uses(finder, root);
  return root->ranges != NULL;
}

//===--- several at once --------------------------------------------------===//

// A value by which the root is live when op |made| runs, for diagnostics: its
// op.
static uint32_t culprit_at(gmem_memref_finder_t *finder,
                           const gmem_memref_root_t *root, uint32_t made) {
  for (size_t i = 0; i < root->seen_count; ++i) {
    uint32_t value = root->seen_as[i];
    if (gmem_is_memref_root(finder->schedule, value))
      continue;
    finder->ranges.count = 0;
    add_sight(finder, anywhere(finder, value), (cut_t){0, 0});
    gmem_ranges_normalise(&finder->ranges);
    if (!contain_op(finder, made))
      continue;
    const gmem_value_t *entry = &finder->schedule->values[value];
    const gmem_block_t *block = &finder->schedule->blocks[entry->block];
    return entry->op != GMEM_NO_INDEX
               ? entry->op
               : finder->schedule->regions[block->region].owner;
  }
  return GMEM_NO_INDEX;
}

// Whether what one iteration, or one call, allocates may be wanted when the
// next one does.
static bool judge_carried(gmem_memref_finder_t *finder,
                          gmem_memref_root_t *root) {
  const gmem_schedule_t *schedule = finder->schedule;
  uint32_t made = schedule->values[root->value].op;
  if (root->fate != GMEM_MEMREF_PLANNED)
    return true;
  if (!add_others(finder, root, (cut_t){0, 0}))
    return false;
  bool is_overtaken = finder->lives[root->value].overtaken;
  for (size_t i = 0; i < root->seen_count && !root->is_shared; ++i)
    is_overtaken |= finder->lives[root->seen_as[i]].overtaken;
  if (contain_op(finder, made))
    leave(root, GMEM_MEMREF_CARRIED, culprit_at(finder, root, made));
  else if (is_overtaken)
    leave(root, GMEM_MEMREF_PARALLEL, GMEM_NO_INDEX);
  return !finder->ranges.out_of_memory;
}

//===--- frees ------------------------------------------------------------===//

typedef struct frees_s {
  uint32_t *first; // by value: where its own begin, and those of the next
  uint32_t *ops;   //   end: deallocs that free it by this name
} frees_t;

// The memref that op |index| frees, if that is all it does.
static uint32_t freed_by(const gmem_schedule_t *schedule, uint32_t index) {
  const gmem_step_t *op = &schedule->ops[index];
  return op->kind == GMEM_OP_DEALLOC && !op->opaque &&
                 mlirOperationGetNumResults(op->op) == 0 &&
                 mlirOperationGetNumOperands(op->op) != 0
             ? gmem_memref_of(schedule, mlirOperationGetOperand(op->op, 0))
             : GMEM_NO_INDEX;
}

static bool list_frees(gmem_memref_finder_t *finder, frees_t *frees) {
  const gmem_schedule_t *schedule = finder->schedule;
  size_t values = schedule->value_count, count = 0;
  frees->first = gmem_arena_alloc(finder->arena, values + 1, sizeof(uint32_t));
  if (!frees->first)
    return false;
  for (uint32_t i = 0; i < schedule->op_count; ++i) {
    uint32_t value = freed_by(schedule, i);
    if (value == GMEM_NO_INDEX)
      continue;
    ++frees->first[value];
    ++count;
  }
  frees->ops = gmem_arena_alloc(finder->arena, count, sizeof *frees->ops);
  if (!frees->ops)
    return false;
  uint32_t total = 0;
  for (size_t i = 0; i <= values; ++i)
    frees->first[i] = total += frees->first[i];
  for (uint32_t i = (uint32_t)schedule->op_count; i-- > 0;) {
    uint32_t value = freed_by(schedule, i);
    if (value != GMEM_NO_INDEX)
      frees->ops[--frees->first[value]] = i;
  }
  return true;
}

// Calls |visit| with the frees of the root.
static void for_each_free(const gmem_memref_root_t *root, const frees_t *frees,
                          void (*visit)(uint32_t op, void *user), void *user) {
  for (size_t i = 0; i < root->seen_count; ++i)
    for (uint32_t f = frees->first[root->seen_as[i]];
         f < frees->first[root->seen_as[i] + 1]; ++f)
      visit(frees->ops[f], user);
}

typedef struct spread_s {
  bool *is_kept;      // by op: it may free what is not planned
  uint32_t *new_kept; // those of which that has just been found
  size_t count;
} spread_t;

static void keep_free(uint32_t op, void *user) {
  spread_t *spread = user;
  if (!spread->is_kept[op])
    spread->new_kept[spread->count++] = op;
  spread->is_kept[op] = true;
}

typedef struct search_s {
  const bool *is_kept;
  uint32_t found; // op, or GMEM_NO_INDEX
} search_t;

static void look_for_kept(uint32_t op, void *user) {
  search_t *search = user;
  if (search->is_kept[op] && op < search->found)
    search->found = op;
}

// A free of memory that is left alone stays, so all that it may free is left
// alone. Rounds go on while that leaves more alone; each looks at all roots, of
// which few are of this kind.
static void spread_kept(gmem_memref_finder_t *finder, const frees_t *frees,
                        spread_t *spread) {
  gmem_memrefs_t *memrefs = finder->memrefs;
  bool is_changed = true;
  while (is_changed) {
    is_changed = false;
    for (size_t i = 0; i < memrefs->root_count; ++i) {
      gmem_memref_root_t *root = &memrefs->roots[i];
      search_t search = {spread->is_kept, GMEM_NO_INDEX};
      if (root->fate != GMEM_MEMREF_PLANNED)
        continue;
      for_each_free(root, frees, look_for_kept, &search);
      if (search.found == GMEM_NO_INDEX)
        continue;
      leave(root, GMEM_MEMREF_FREED, search.found);
      for_each_free(root, frees, keep_free, spread);
      is_changed = true;
    }
  }
}

static void list_idle(uint32_t op, void *user) {
  bool *is_idle = user;
  is_idle[op] = true;
}

// Lists the frees that have planned roots for all that they may free.
static bool list_deallocs(gmem_memref_finder_t *finder, const frees_t *frees,
                          const spread_t *spread) {
  gmem_memrefs_t *memrefs = finder->memrefs;
  size_t count = finder->schedule->op_count;
  bool *is_idle = gmem_arena_alloc(finder->arena, count, sizeof *is_idle);
  memrefs->deallocs = gmem_arena_alloc(
      finder->arena, frees->first[finder->schedule->value_count],
      sizeof *memrefs->deallocs);
  if (!is_idle || !memrefs->deallocs)
    return false;
  for (size_t i = 0; i < memrefs->root_count; ++i)
    if (memrefs->roots[i].fate == GMEM_MEMREF_PLANNED)
      for_each_free(&memrefs->roots[i], frees, list_idle, is_idle);
  for (uint32_t i = 0; i < count; ++i)
    if (is_idle[i] && !spread->is_kept[i])
      memrefs->deallocs[memrefs->dealloc_count++] = i;
  return true;
}

static bool settle_frees(gmem_memref_finder_t *finder) {
  const gmem_schedule_t *schedule = finder->schedule;
  frees_t frees = {0};
  spread_t spread = {
      gmem_arena_alloc(finder->arena, schedule->op_count, sizeof(bool)),
      gmem_arena_alloc(finder->arena, schedule->op_count, sizeof(uint32_t)), 0};
  if (!spread.is_kept || !spread.new_kept || !list_frees(finder, &frees))
    return false;
  for (uint32_t i = 0; i < schedule->op_count; ++i) {
    uint32_t value = freed_by(schedule, i);
    if (value != GMEM_NO_INDEX && finder->flow.is_foreign[value])
      spread.is_kept[i] = true;
  }
  for (size_t i = 0; i < finder->memrefs->root_count; ++i)
    if (finder->memrefs->roots[i].fate != GMEM_MEMREF_PLANNED)
      for_each_free(&finder->memrefs->roots[i], &frees, keep_free, &spread);
  spread_kept(finder, &frees, &spread);
  return list_deallocs(finder, &frees, &spread);
}

gmem_status_t gmem_memrefs_settle(gmem_memref_finder_t *finder,
                                  const gmem_life_t *lives, gmem_diag_t *diag) {
  gmem_memrefs_t *memrefs = finder->memrefs;
  finder->lives = lives;
  if (memrefs->root_count == 0)
    return GMEM_OK;
  for (size_t i = 0; i < memrefs->root_count; ++i)
    if (!judge_carried(finder, &memrefs->roots[i]))
      return gmem_out_of_memory(diag);
  if (!settle_frees(finder))
    return gmem_out_of_memory(diag);
  for (size_t i = 0; i < memrefs->root_count; ++i)
    if (memrefs->roots[i].fate == GMEM_MEMREF_PLANNED &&
        !find_life(finder, &memrefs->roots[i]))
      return gmem_out_of_memory(diag);
  return GMEM_OK;
}
