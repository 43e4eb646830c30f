// call_graph.c - see call_graph.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "call_graph.h"

//===--- components -------------------------------------------------------===//

// Tarjan's strongly connected components (SIAM J. Comput. 1(2), 1972), with an
// explicit stack. Callees come before their callers.
typedef struct components_s {
  const gmem_calls_t *calls;
  uint32_t *number; // of a function in the order of discovery, from 1; 0: none
  uint32_t *low;    // smallest number that is reached and still open
  uint32_t *next_call; // to follow
  uint32_t *path;      // functions from the root of the search to the current
  uint32_t *open;      // functions without a component yet
  bool *is_open;
  uint32_t *order; // functions, component by component
  bool *is_last;   // per place in |order|: a component ends there
  uint32_t depth, open_count, ordered, numbers;
} components_t;

static bool allocate(components_t *state, size_t count, gmem_arena_t *arena) {
  uint32_t **arrays[] = {&state->number, &state->low,  &state->next_call,
                         &state->path,   &state->open, &state->order};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
    if (!(*arrays[i] = gmem_arena_alloc(arena, count, sizeof **arrays[i])))
      return false;
  state->is_open = gmem_arena_alloc(arena, count, sizeof *state->is_open);
  state->is_last = gmem_arena_alloc(arena, count, sizeof *state->is_last);
  return state->is_open && state->is_last;
}

static void enter(components_t *state, uint32_t function) {
  state->number[function] = state->low[function] = ++state->numbers;
  state->next_call[function] = state->calls->callees[function].first_call;
  state->path[state->depth++] = function;
  state->open[state->open_count++] = function;
  state->is_open[function] = true;
}

static void lower(uint32_t *low, uint32_t number) {
  if (number < *low)
    *low = number;
}

// All that |function| calls has been seen: it closes a component if nothing
// before it can be reached.
static void leave(components_t *state, uint32_t function) {
  --state->depth;
  if (state->depth)
    lower(&state->low[state->path[state->depth - 1]], state->low[function]);
  if (state->low[function] != state->number[function])
    return;
  uint32_t member;
  do {
    member = state->open[--state->open_count];
    state->is_open[member] = false;
    state->order[state->ordered++] = member;
  } while (member != function);
  state->is_last[state->ordered - 1] = true;
}

static void search_from(components_t *state, uint32_t root) {
  enter(state, root);
  while (state->depth) {
    uint32_t function = state->path[state->depth - 1];
    if (state->next_call[function] ==
        state->calls->callees[function].end_call) {
      leave(state, function);
      continue;
    }
    uint32_t callee = state->calls->calls[state->next_call[function]++].callee;
    if (!state->number[callee])
      enter(state, callee);
    else if (state->is_open[callee])
      lower(&state->low[function], state->number[callee]);
  }
}

//===--- what holds for components ----------------------------------------===//

// The place in the order after the component that begins at |first|.
static size_t component_end(const components_t *state, size_t first) {
  while (!state->is_last[first])
    ++first;
  return first + 1;
}

static bool calls_itself(const gmem_calls_t *calls, uint32_t function) {
  const gmem_callee_t *callee = &calls->callees[function];
  for (uint32_t c = callee->first_call; c < callee->end_call; ++c)
    if (calls->calls[c].callee == function)
      return true;
  return false;
}

// The steps at which the component of order[first, end) runs, and what it
// calls: of its callees all outside of it are known by now.
static bool find_ranges(const gmem_schedule_t *schedule, gmem_calls_t *calls,
                        const components_t *state, size_t first, size_t end,
                        gmem_ranges_t *ranges) {
  ranges->count = 0;
  for (size_t i = first; i < end; ++i) {
    const gmem_callee_t *callee = &calls->callees[state->order[i]];
    const gmem_function_t *function = &schedule->functions[state->order[i]];
    gmem_ranges_add(ranges, function->begin, function->end);
    for (uint32_t c = callee->first_call; c < callee->end_call; ++c) {
      const gmem_callee_t *next = &calls->callees[calls->calls[c].callee];
      gmem_ranges_add_all(ranges, next->ranges, next->range_count);
    }
  }
  gmem_ranges_normalise(ranges);
  const gmem_live_range_t *copy = gmem_ranges_copy(ranges);
  for (size_t i = first; i < end; ++i) {
    gmem_callee_t *callee = &calls->callees[state->order[i]];
    callee->ranges = copy;
    callee->range_count = ranges->count;
    callee->recursive = end - first > 1 || calls_itself(calls, state->order[i]);
  }
  return copy != NULL;
}

// What holds for a function holds for its component and all that it calls.
static void spread(gmem_calls_t *calls, const components_t *state, size_t first,
                   size_t end) {
  bool escapes = false, parallel = false;
  for (size_t i = first; i < end; ++i) {
    escapes |= calls->callees[state->order[i]].escapes;
    parallel |= calls->callees[state->order[i]].parallel;
  }
  for (size_t i = first; i < end; ++i) {
    gmem_callee_t *member = &calls->callees[state->order[i]];
    member->escapes = escapes;
    member->parallel = parallel;
    for (uint32_t c = member->first_call; c < member->end_call; ++c) {
      calls->callees[calls->calls[c].callee].escapes |= escapes;
      calls->callees[calls->calls[c].callee].parallel |= parallel;
    }
  }
}

// Callers first.
static void spread_all(gmem_calls_t *calls, const components_t *state) {
  size_t end = state->ordered;
  while (end) {
    size_t first = end - 1;
    while (first && !state->is_last[first - 1])
      --first;
    spread(calls, state, first, end);
    end = first;
  }
}

//===--- spans of calls ---------------------------------------------------===//

static bool join_spans(gmem_calls_t *calls, size_t node,
                       gmem_ranges_t *ranges) {
  const gmem_call_span_t *left = &calls->spans[2 * node];
  const gmem_call_span_t *right = &calls->spans[2 * node + 1];
  calls->spans[node] = *left;
  if (left->ranges == right->ranges) // one function, called again and again
    return true;
  ranges->count = 0;
  gmem_ranges_add_all(ranges, left->ranges, left->range_count);
  gmem_ranges_add_all(ranges, right->ranges, right->range_count);
  gmem_ranges_normalise(ranges);
  calls->spans[node] =
      (gmem_call_span_t){gmem_ranges_copy(ranges), ranges->count};
  return calls->spans[node].ranges != NULL;
}

// The tree makes it cheap to ask for what runs in a long row of calls.
static bool build_spans(gmem_calls_t *calls, gmem_ranges_t *ranges) {
  size_t count = calls->count;
  calls->spans =
      gmem_arena_alloc(ranges->arena, 2 * count, sizeof *calls->spans);
  if (!calls->spans)
    return false;
  for (size_t i = 0; i < count; ++i) {
    const gmem_callee_t *callee = &calls->callees[calls->calls[i].callee];
    calls->spans[count + i] =
        (gmem_call_span_t){callee->ranges, callee->range_count};
  }
  for (size_t node = count; node-- > 1;)
    if (!join_spans(calls, node, ranges))
      return false;
  return true;
}

bool gmem_call_graph_solve(const gmem_schedule_t *schedule, gmem_calls_t *calls,
                           gmem_arena_t *arena) {
  components_t state = {.calls = calls};
  gmem_ranges_t ranges = {.arena = arena};
  if (!allocate(&state, schedule->function_count, arena))
    return false;
  for (uint32_t f = 0; f < schedule->function_count; ++f)
    if (!state.number[f])
      search_from(&state, f);
  for (size_t i = 0; i < state.ordered;) {
    size_t end = component_end(&state, i);
    if (!find_ranges(schedule, calls, &state, i, end, &ranges))
      return false;
    i = end;
  }
  spread_all(calls, &state);
  return build_spans(calls, &ranges);
}
