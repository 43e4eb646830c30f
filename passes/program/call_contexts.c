// call_contexts.c - see call_contexts.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "call_contexts.h"

#include <assert.h>

#include "csr.h"
#include "partition_point.h"

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

// The times at which a set of merged callees run, including all that they call.
typedef struct span_s {
  const gmem_live_range_t *ranges; // sorted and joined
  size_t range_count;
} span_t;

struct gmem_call_contexts_s {
  const gmem_program_t *program;
  const gmem_calls_t *calls;
  shape_t *shapes;  // by function
  before_t *before; // by call
  gmem_call_context_t *contexts;
  size_t count;
  int64_t length;
  gmem_csr_t by_function; // contexts, ascending
  span_t *merged; // a tree: node i joins 2i and 2i + 1, and the last n of 2n
                  //   nodes are the n calls
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

// The work of one context, in steps: each value has live ranges of its own in
// each context; a step without a value only makes the timeline longer.
static uint64_t work_of(const gmem_program_t *program, uint32_t function) {
  enum { PER_CONTEXT = 16, PER_VALUE = 4 };
  const gmem_function_t *entry = &program->functions[function];
  return PER_CONTEXT +
         PER_VALUE * (uint64_t)(entry->end_value - entry->first_value) +
         (uint64_t)own_length(program, function);
}

// Counts the contexts of all functions, callers first, merging functions whose
// contexts, beyond the first, would take more work than |limit|. Returns
// whether all contexts take at most |room|.
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
    uint64_t work = work_of(program, function);
    shape->is_apart = caller->mentions == 0 || shape->has_other_calls ||
                      shape->paths > 1 + limit / work;
    if (shape->is_apart)
      shape->paths = 1;
    for (uint32_t c = caller->first_call; c < caller->end_call; ++c) {
      uint64_t *paths = &contexts->shapes[calls->calls[c].callee].paths;
      if (calls->calls[c].is_plain)
        *paths = add_saturated(*paths, shape->paths);
    }
    if (shape->paths > room / work)
      return false;
    room -= shape->paths * work;
  }
  return true;
}

// With a limit of 0 every step occurs once, which always fits.
static void limit_contexts(gmem_call_contexts_t *contexts) {
  enum { TIMES = 4, ANYWAY = 1 << 23 };
  uint64_t room = ANYWAY, limit = 1;
  for (uint32_t f = 0; f < contexts->program->function_count; ++f)
    room += TIMES * work_of(contexts->program, f);
  for (size_t i = 0; i < contexts->calls->count; ++i)
    if (!contexts->calls->calls[i].is_plain)
      contexts->shapes[contexts->calls->calls[i].callee].has_other_calls = true;
  while (limit < room)
    limit *= 2;
  while (!count_paths(contexts, limit, room) && limit > 0)
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
  uint32_t call = gmem_first_call_from(contexts->calls, function, step);
  assert(step >= contexts->program->functions[function].begin &&
         step < contexts->program->functions[function].end);
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
  assert(context < contexts->count);
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

static gmem_status_t place_all(gmem_call_contexts_t *contexts,
                               gmem_bump_t *arena, gmem_diag_t *diag) {
  size_t functions = contexts->program->function_count;
  for (size_t f = 0; f < functions; ++f)
    contexts->count += contexts->shapes[f].paths;
  GMEM_TRY_ALLOC(contexts->contexts, arena, contexts->count, diag);
  uint32_t context = 0;
  for (uint32_t f = 0; f < functions; ++f) {
    if (!contexts->shapes[f].is_apart)
      continue;
    contexts->contexts[context] = (gmem_call_context_t){
        f, GMEM_NO_INDEX, GMEM_NO_INDEX, contexts->length};
    context += contexts->shapes[f].context_count;
    contexts->length += contexts->shapes[f].length;
  }
  assert(context == contexts->count);
  gmem_csr_pairs_t pairs = {0};
  GMEM_TRY_ALLOC(pairs.at, arena, contexts->count, diag);
  for (uint32_t i = 0; i < contexts->count; ++i) {
    assert(i == 0 ||
           contexts->contexts[i - 1].begin < contexts->contexts[i].begin);
    place_callees(contexts, i);
    pairs.at[pairs.count++] =
        (gmem_csr_pair_t){contexts->contexts[i].function, i};
  }
  return gmem_csr_build(&pairs, functions, arena, &contexts->by_function, diag);
}

static uint32_t first_context(const gmem_call_contexts_t *contexts,
                              uint32_t function) {
  return contexts->by_function.items[contexts->by_function.first[function]];
}

//===--- merged callees ---------------------------------------------------===//

// Computes the merged times of the functions order[first, end), a component,
// including its callees; callees outside of the component are complete.
static void find_runs(const gmem_call_contexts_t *contexts, size_t first,
                      size_t end, span_t *runs, gmem_ranges_t *ranges) {
  const gmem_calls_t *calls = contexts->calls;
  ranges->count = 0;
  for (size_t i = first; i < end; ++i) {
    uint32_t function = calls->order[i];
    const gmem_callee_t *caller = &calls->callees[function];
    const shape_t *shape = &contexts->shapes[function];
    int64_t begin = contexts->contexts[first_context(contexts, function)].begin;
    if (shape->is_apart)
      gmem_ranges_add(ranges, begin, begin + shape->length);
    for (uint32_t c = caller->first_call; c < caller->end_call; ++c) {
      const span_t *next = &runs[calls->calls[c].callee];
      gmem_ranges_add_all(ranges, next->ranges, next->range_count);
    }
  }
  gmem_ranges_normalise(ranges);
  span_t run = {gmem_ranges_copy(ranges), ranges->count};
  for (size_t i = first; i < end && run.ranges; ++i)
    runs[calls->order[i]] = run;
}

static void join_spans(span_t *spans, size_t node, gmem_ranges_t *ranges) {
  const span_t *left = &spans[2 * node], *right = &spans[2 * node + 1];
  spans[node] = left->range_count ? *left : *right;
  if (left->ranges == right->ranges || // the same callee
      left->range_count == 0 || right->range_count == 0)
    return;
  ranges->count = 0;
  gmem_ranges_add_all(ranges, left->ranges, left->range_count);
  gmem_ranges_add_all(ranges, right->ranges, right->range_count);
  gmem_ranges_normalise(ranges);
  const gmem_live_range_t *copy = gmem_ranges_copy(ranges);
  if (copy)
    spans[node] = (span_t){copy, ranges->count};
}

// The segment tree answers queries over a long row of calls in logarithmic
// time.
static gmem_status_t find_merged(gmem_call_contexts_t *contexts,
                                 gmem_bump_t *arena, gmem_diag_t *diag) {
  const gmem_calls_t *calls = contexts->calls;
  size_t functions = contexts->program->function_count, count = calls->count;
  gmem_ranges_t ranges = {.arena = arena};
  span_t *runs, *spans;
  GMEM_TRY_ALLOC(runs, arena, functions, diag);
  GMEM_TRY_ALLOC(spans, arena, 2 * count, diag);
  contexts->merged = spans;
  for (size_t i = 0, end; i < functions; i = end) {
    end = gmem_component_end(calls, i);
    find_runs(contexts, i, end, runs, &ranges);
  }
  for (size_t i = 0; i < count; ++i)
    spans[count + i] = runs[calls->calls[i].callee];
  for (size_t node = count; node-- > 1;)
    join_spans(spans, node, &ranges);
  return gmem_bump_status(arena, diag);
}

typedef struct end_key_s {
  const gmem_program_t *program;
  int64_t end;
} end_key_t;

// Whether a live range up to the end crosses the call, so that the value is
// live while the callee runs: beyond the second step of a call that has two.
static bool is_crossed(const void *element, const void *user) {
  const gmem_call_t *call = element;
  const end_key_t *key = user;
  const gmem_program_op_t *op = &key->program->ops[call->op];
  return op->begin + (op->end > op->begin + 1 ? 2 : 1) <= key->end;
}

// Adds to |ranges| the times of merged callees of |function| in calls that lie
// entirely within its steps [begin, end).
static void add_merged(const gmem_call_contexts_t *contexts, uint32_t function,
                       int64_t begin, int64_t end, gmem_ranges_t *ranges) {
  const gmem_calls_t *calls = contexts->calls;
  const gmem_callee_t *caller = &calls->callees[function];
  end_key_t key = {calls->program, end};
  size_t low = gmem_first_call_from(calls, function, begin) + calls->count;
  size_t high = gmem_partition_point(&key, calls->calls + caller->first_call,
                                     caller->end_call - caller->first_call,
                                     sizeof *calls->calls, is_crossed) +
                caller->first_call + calls->count;
  assert(high <= 2 * calls->count);
  for (; low < high; low = (low + 1) / 2, high /= 2) {
    const span_t *left = &contexts->merged[low];
    const span_t *right = &contexts->merged[high - 1];
    if (low % 2)
      gmem_ranges_add_all(ranges, left->ranges, left->range_count);
    if (high % 2)
      gmem_ranges_add_all(ranges, right->ranges, right->range_count);
  }
}

//===--- entry point ------------------------------------------------------===//

gmem_status_t gmem_call_contexts_find(const gmem_calls_t *calls,
                                      gmem_bump_t *arena,
                                      const gmem_call_contexts_t **out_contexts,
                                      gmem_diag_t *diag) {
  const gmem_program_t *program = calls->program;
  gmem_call_contexts_t *contexts;
  GMEM_TRY_ALLOC(contexts, arena, 1, diag);
  *out_contexts = contexts;
  *contexts = (gmem_call_contexts_t){.program = program, .calls = calls};
  GMEM_TRY_ALLOC(contexts->shapes, arena, program->function_count, diag);
  GMEM_TRY_ALLOC(contexts->before, arena, calls->count, diag);
  limit_contexts(contexts);
  measure(contexts);
  GMEM_TRY(place_all(contexts, arena, diag));
  return find_merged(contexts, arena, diag);
}

//===--- queries ----------------------------------------------------------===//

int64_t gmem_call_contexts_length(const gmem_call_contexts_t *contexts) {
  return contexts->length;
}

const uint32_t *gmem_contexts_of(const gmem_call_contexts_t *contexts,
                                 uint32_t function, size_t *out_count) {
  *out_count = gmem_csr_count(&contexts->by_function, function);
  return &contexts->by_function.items[contexts->by_function.first[function]];
}

const gmem_call_context_t *
gmem_call_context(const gmem_call_contexts_t *contexts, uint32_t context) {
  assert(context < contexts->count);
  return &contexts->contexts[context];
}

uint32_t gmem_callee_context(const gmem_call_contexts_t *contexts,
                             uint32_t context, uint32_t call) {
  return is_inside(contexts, call)
             ? context_inside(contexts, context, call)
             : first_context(contexts, contexts->calls->calls[call].callee);
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
  assert(inside >= 0 && base <= context);
  int64_t first = inside + steps_before(contexts, function, begin);
  int64_t last = inside + steps_before(contexts, function, end - 1);
  GMEM_CSR_EACH (outer, &contexts->by_function, above) {
    int64_t start = contexts->contexts[*outer].begin;
    gmem_ranges_add(ranges, start + first, start + last + 1);
  }
  add_merged(contexts, function, begin, end, ranges);
}

void gmem_contexts_add_range(const gmem_call_contexts_t *contexts,
                             uint32_t function, int64_t begin, int64_t end,
                             gmem_ranges_t *ranges) {
  uint32_t first = first_context(contexts, function);
  gmem_contexts_add_range_below(contexts, first, first, begin, end, ranges);
}

void gmem_contexts_add_range_of(const gmem_call_contexts_t *contexts,
                                uint32_t home, int64_t begin, int64_t end,
                                gmem_ranges_t *ranges) {
  while (begin < end) {
    uint32_t function = gmem_program_function_at(contexts->program, begin);
    int64_t last = contexts->program->functions[function].end;
    int64_t next = end < last ? end : last;
    if (function == home)
      gmem_contexts_add_range(contexts, function, begin, next, ranges);
    else
      gmem_contexts_add_steps(contexts, function, begin, next, ranges);
    begin = next;
  }
}

// The first step in (begin, end) of |function| that follows a nested callee, or
// |end|.
static int64_t end_of_segment(const gmem_call_contexts_t *contexts,
                              uint32_t function, int64_t begin, int64_t end) {
  const gmem_calls_t *calls = contexts->calls;
  for (uint32_t c = gmem_first_call_from(calls, function, begin);
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
  GMEM_CSR_EACH (context, &contexts->by_function, function) {
    int64_t next;
    for (int64_t step = begin; step < end; step = next) {
      next = end_of_segment(contexts, function, step, end);
      int64_t time = gmem_context_time(contexts, *context, step);
      gmem_ranges_add(ranges, time, time + next - step);
    }
  }
}

static bool context_begins_by(const void *element, const void *time) {
  const gmem_call_context_t *context = element;
  return context->begin <= *(const int64_t *)time;
}

// The innermost context at |time|.
static uint32_t context_at(const gmem_call_contexts_t *contexts, int64_t time) {
  uint32_t at = (uint32_t)gmem_partition_point(
                    &time, contexts->contexts, contexts->count,
                    sizeof *contexts->contexts, context_begins_by) -
                1;
  const gmem_call_context_t *entry = &contexts->contexts[at];
  while (entry->caller != GMEM_NO_INDEX &&
         entry->begin + contexts->shapes[entry->function].length <= time) {
    at = entry->caller;
    entry = &contexts->contexts[at];
  }
  return at;
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
