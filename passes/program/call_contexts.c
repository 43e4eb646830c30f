// call_contexts.c - see call_contexts.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "call_contexts.h"

#include "calls.h"
#include "diagnostics.h"
#include "merged_contexts.h"
#include "program.h"

// Properties that all contexts of a function have in common.
typedef struct shape_s {
  uint64_t paths;         // number of contexts, saturated
  int64_t length;         // steps, including nested callees
  uint32_t context_count; // itself and all nested contexts
  bool has_other_calls;   // some call of it is not plain
  bool is_apart;          // single context, not nested in another
} shape_t;

// Totals of the nested callees before a call in its function. The totals at the
// end of the function follow from its shape_t.
typedef struct before_s {
  int64_t steps;
  uint32_t contexts;
} before_t;

struct gmem_call_contexts_s {
  const gmem_program_t *program;
  const gmem_calls_t *calls;
  shape_t *shapes;  // by function
  before_t *before; // by call
  gmem_call_context_t *contexts;
  size_t count;
  int64_t length;
  uint32_t *by_function; // contexts; those of function i begin at
  uint32_t *first_of;    //   first_of[i] and end at the next
  gmem_merged_contexts_t merged;
};

static int64_t own_length(const gmem_program_t *program, uint32_t function) {
  return program->functions[function].end - program->functions[function].begin;
}

static bool is_inside(const gmem_call_contexts_t *contexts, uint32_t call) {
  return !contexts->shapes[contexts->calls->calls[call].callee].is_apart;
}

//===--- number of contexts -----------------------------------------------===//

static uint64_t add_saturated(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

// Counts the contexts of all functions, callers first, merging functions that
// would have more than |limit|. Returns whether the timeline has at most |room|
// steps.
static bool count_paths(gmem_call_contexts_t *contexts, uint64_t limit,
                        uint64_t room) {
  const gmem_program_t *program = contexts->program;
  const gmem_calls_t *calls = contexts->calls;
  for (size_t f = 0; f < program->function_count; ++f)
    contexts->shapes[f].paths = 0;
  for (size_t i = program->function_count; i-- > 0;) {
    uint32_t function = calls->order[i];
    const gmem_callee_t *caller = &calls->callees[function];
    shape_t *shape = &contexts->shapes[function];
    shape->is_apart =
        caller->mentions == 0 || shape->has_other_calls || shape->paths > limit;
    if (shape->is_apart)
      shape->paths = 1;
    for (uint32_t c = caller->first_call; c < caller->end_call; ++c) {
      uint64_t *paths = &contexts->shapes[calls->calls[c].callee].paths;
      if (calls->calls[c].is_plain)
        *paths = add_saturated(*paths, shape->paths);
    }
    uint64_t length = (uint64_t)own_length(program, function);
    if (shape->paths > room / length)
      return false;
    room -= shape->paths * length;
  }
  return true;
}

// With a limit of 1 every step occurs once, which always fits.
static void limit_contexts(gmem_call_contexts_t *contexts) {
  enum { STEPS_PER_STEP = 4, STEPS_ANYWAY = 65536 };
  uint64_t steps = (uint64_t)contexts->program->step_count;
  uint64_t room = steps * STEPS_PER_STEP + STEPS_ANYWAY, limit = 1;
  for (size_t i = 0; i < contexts->calls->count; ++i)
    if (!contexts->calls->calls[i].is_plain)
      contexts->shapes[contexts->calls->calls[i].callee].has_other_calls = true;
  while (limit < room)
    limit *= 2;
  while (!count_paths(contexts, limit, room) && limit > 1)
    limit /= 2;
}

//===--- layout -----------------------------------------------------------===//

// Callees first: the layout is the same in all contexts of a function.
static void measure(gmem_call_contexts_t *contexts) {
  const gmem_calls_t *calls = contexts->calls;
  for (size_t i = 0; i < contexts->program->function_count; ++i) {
    uint32_t function = calls->order[i];
    const gmem_callee_t *caller = &calls->callees[function];
    before_t inside = {0};
    for (uint32_t c = caller->first_call; c < caller->end_call; ++c) {
      const shape_t *callee = &contexts->shapes[calls->calls[c].callee];
      contexts->before[c] = inside;
      if (!is_inside(contexts, c))
        continue;
      inside.steps += callee->length;
      inside.contexts += callee->context_count;
    }
    shape_t *shape = &contexts->shapes[function];
    shape->length = own_length(contexts->program, function) + inside.steps;
    shape->context_count = 1 + inside.contexts;
  }
}

// The number of timeline steps from the start of a context of |function| to
// |step|.
static int64_t steps_before(const gmem_call_contexts_t *contexts,
                            uint32_t function, int64_t step) {
  uint32_t call =
      gmem_first_call_from(contexts->program, contexts->calls, function, step);
  int64_t inside = call < contexts->calls->callees[function].end_call
                       ? contexts->before[call].steps
                       : contexts->shapes[function].length -
                             own_length(contexts->program, function);
  return step - contexts->program->functions[function].begin + inside;
}

static uint32_t context_inside(const gmem_call_contexts_t *contexts,
                               uint32_t context, uint32_t call) {
  return context + 1 + contexts->before[call].contexts;
}

// Nested contexts follow their caller, so that the caller is complete when it
// is visited.
static void place_callees(gmem_call_contexts_t *contexts, uint32_t context) {
  const gmem_call_context_t *caller = &contexts->contexts[context];
  const gmem_callee_t *calls = &contexts->calls->callees[caller->function];
  for (uint32_t c = calls->first_call; c < calls->end_call; ++c) {
    const gmem_call_t *call = &contexts->calls->calls[c];
    if (is_inside(contexts, c))
      contexts->contexts[context_inside(contexts, context, c)] =
          (gmem_call_context_t){
              call->callee, context, c,
              gmem_context_time(contexts, context,
                                contexts->program->ops[call->op].begin) +
                  1};
  }
}

static bool place_all(gmem_call_contexts_t *contexts, gmem_bump_t *arena) {
  size_t functions = contexts->program->function_count;
  for (size_t f = 0; f < functions; ++f)
    contexts->count += contexts->shapes[f].paths;
  contexts->contexts =
      gmem_bump_alloc(arena, contexts->count, sizeof *contexts->contexts);
  if (!contexts->contexts)
    return false;
  uint32_t context = 0;
  for (uint32_t f = 0; f < functions; ++f) {
    if (!contexts->shapes[f].is_apart)
      continue;
    contexts->contexts[context] = (gmem_call_context_t){
        f, GMEM_NO_INDEX, GMEM_NO_INDEX, contexts->length};
    context += contexts->shapes[f].context_count;
    contexts->length += contexts->shapes[f].length;
  }
  for (uint32_t i = 0; i < contexts->count; ++i)
    place_callees(contexts, i);
  return true;
}

// Counting sort of the contexts by function.
static bool list_by_function(gmem_call_contexts_t *contexts,
                             gmem_bump_t *arena) {
  size_t functions = contexts->program->function_count;
  contexts->by_function =
      gmem_bump_alloc(arena, contexts->count, sizeof *contexts->by_function);
  contexts->first_of =
      gmem_bump_alloc(arena, functions + 1, sizeof *contexts->first_of);
  if (!contexts->by_function || !contexts->first_of)
    return false;
  uint32_t total = 0;
  for (size_t f = 0; f < functions; ++f)
    contexts->first_of[f] = total += (uint32_t)contexts->shapes[f].paths;
  contexts->first_of[functions] = total;
  for (uint32_t i = (uint32_t)contexts->count; i-- > 0;)
    contexts
        ->by_function[--contexts->first_of[contexts->contexts[i].function]] = i;
  return true;
}

// Finds the times of functions with a single context.
static bool find_merged(gmem_call_contexts_t *contexts, gmem_bump_t *arena) {
  size_t functions = contexts->program->function_count;
  gmem_live_range_t *apart = gmem_bump_alloc(arena, functions, sizeof *apart);
  for (uint32_t f = 0; apart && f < functions; ++f) {
    if (contexts->shapes[f].is_apart) {
      uint32_t context = contexts->by_function[contexts->first_of[f]];
      apart[f].begin = contexts->contexts[context].begin;
      apart[f].end = apart[f].begin + contexts->shapes[f].length;
    }
  }
  return apart && gmem_merged_contexts_find(contexts->program, contexts->calls,
                                            apart, arena, &contexts->merged);
}

gmem_status_t gmem_call_contexts_find(const gmem_program_t *program,
                                      const gmem_calls_t *calls,
                                      gmem_bump_t *arena,
                                      const gmem_call_contexts_t **out_contexts,
                                      gmem_diag_t *diag) {
  gmem_call_contexts_t *contexts = gmem_bump_alloc(arena, 1, sizeof *contexts);
  *out_contexts = contexts;
  if (!contexts)
    return gmem_out_of_memory(diag);
  *contexts = (gmem_call_contexts_t){
      .program = program,
      .calls = calls,
      .shapes =
          gmem_bump_alloc(arena, program->function_count, sizeof(shape_t)),
      .before = gmem_bump_alloc(arena, calls->count, sizeof(before_t))};
  if (!contexts->shapes || !contexts->before)
    return gmem_out_of_memory(diag);
  limit_contexts(contexts);
  measure(contexts);
  if (!place_all(contexts, arena) || !list_by_function(contexts, arena) ||
      !find_merged(contexts, arena))
    return gmem_out_of_memory(diag);
  return GMEM_OK;
}

//===--- queries ----------------------------------------------------------===//

int64_t gmem_call_contexts_length(const gmem_call_contexts_t *contexts) {
  return contexts->length;
}

const uint32_t *gmem_contexts_of(const gmem_call_contexts_t *contexts,
                                 uint32_t function, size_t *out_count) {
  uint32_t first = contexts->first_of[function];
  *out_count = contexts->first_of[function + 1] - first;
  return &contexts->by_function[first];
}

const gmem_call_context_t *
gmem_call_context(const gmem_call_contexts_t *contexts, uint32_t context) {
  return &contexts->contexts[context];
}

uint32_t gmem_callee_context(const gmem_call_contexts_t *contexts,
                             uint32_t context, uint32_t call) {
  uint32_t callee = contexts->calls->calls[call].callee;
  return is_inside(contexts, call)
             ? context_inside(contexts, context, call)
             : contexts->by_function[contexts->first_of[callee]];
}

int64_t gmem_context_time(const gmem_call_contexts_t *contexts,
                          uint32_t context, int64_t step) {
  const gmem_call_context_t *entry = &contexts->contexts[context];
  return entry->begin + steps_before(contexts, entry->function, step);
}

void gmem_contexts_add_range_below(const gmem_call_contexts_t *contexts,
                                   uint32_t context, uint32_t base,
                                   int64_t begin, int64_t end,
                                   gmem_ranges_t *ranges) {
  uint32_t function = contexts->contexts[context].function;
  uint32_t above = contexts->contexts[base].function;
  if (begin >= end)
    return;
  int64_t inside =
      contexts->contexts[context].begin - contexts->contexts[base].begin;
  int64_t first = inside + steps_before(contexts, function, begin);
  int64_t last = inside + steps_before(contexts, function, end - 1);
  for (uint32_t i = contexts->first_of[above];
       i < contexts->first_of[above + 1]; ++i) {
    int64_t start = contexts->contexts[contexts->by_function[i]].begin;
    gmem_ranges_add(ranges, start + first, start + last + 1);
  }
  gmem_merged_contexts_add(contexts->program, contexts->calls,
                           &contexts->merged, function, begin, end, ranges);
}

void gmem_contexts_add_range(const gmem_call_contexts_t *contexts,
                             uint32_t function, int64_t begin, int64_t end,
                             gmem_ranges_t *ranges) {
  uint32_t first = contexts->by_function[contexts->first_of[function]];
  gmem_contexts_add_range_below(contexts, first, first, begin, end, ranges);
}

// The first step in (begin, end) of |function| that follows a nested callee, or
// |end|.
static int64_t end_of_segment(const gmem_call_contexts_t *contexts,
                              uint32_t function, int64_t begin, int64_t end) {
  const gmem_calls_t *calls = contexts->calls;
  for (uint32_t c = gmem_first_call_from(contexts->program, contexts->calls,
                                         function, begin);
       c < calls->callees[function].end_call; ++c) {
    int64_t step = contexts->program->ops[calls->calls[c].op].begin;
    if (step + 1 >= end)
      break;
    if (is_inside(contexts, c))
      return step + 1;
  }
  return end;
}

void gmem_contexts_add_steps(const gmem_call_contexts_t *contexts,
                             uint32_t function, int64_t begin, int64_t end,
                             gmem_ranges_t *ranges) {
  for (uint32_t i = contexts->first_of[function];
       i < contexts->first_of[function + 1]; ++i) {
    int64_t next;
    for (int64_t step = begin; step < end; step = next) {
      next = end_of_segment(contexts, function, step, end);
      int64_t time =
          gmem_context_time(contexts, contexts->by_function[i], step);
      gmem_ranges_add(ranges, time, time + next - step);
    }
  }
}

// The innermost context at |time|.
static uint32_t context_at(const gmem_call_contexts_t *contexts, int64_t time) {
  uint32_t low = 0, high = (uint32_t)contexts->count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (contexts->contexts[middle].begin <= time)
      low = middle;
    else
      high = middle;
  }
  const gmem_call_context_t *entry = &contexts->contexts[low];
  while (entry->caller != GMEM_NO_INDEX &&
         entry->begin + contexts->shapes[entry->function].length <= time) {
    low = entry->caller;
    entry = &contexts->contexts[low];
  }
  return low;
}

MlirOperation gmem_contexts_op_at(const gmem_call_contexts_t *contexts,
                                  int64_t time) {
  uint32_t context = context_at(contexts, time);
  const gmem_function_t *function =
      &contexts->program->functions[contexts->contexts[context].function];
  int64_t low = function->begin, high = function->end;
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    if (gmem_context_time(contexts, context, middle) <= time)
      low = middle;
    else
      high = middle;
  }
  return gmem_program_op_at(contexts->program, low);
}
