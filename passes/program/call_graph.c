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

static bool allocate(components_t *state, size_t count, gmem_bump_t *arena) {
  uint32_t **arrays[] = {&state->number, &state->low,  &state->next_call,
                         &state->path,   &state->open, &state->order};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
    if (!(*arrays[i] = gmem_bump_alloc(arena, count, sizeof **arrays[i])))
      return false;
  state->is_open = gmem_bump_alloc(arena, count, sizeof *state->is_open);
  state->is_last = gmem_bump_alloc(arena, count, sizeof *state->is_last);
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

// All callees of |function| were visited: it is the root of a component if no
// earlier open function is reachable.
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

//===--- properties of components -----------------------------------------===//

// The end of the component that begins at |first| in the order.
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

// Sets the component of the functions order[first, end).
static void name_component(gmem_calls_t *calls, const components_t *state,
                           size_t first, size_t end) {
  for (size_t i = first; i < end; ++i) {
    gmem_callee_t *callee = &calls->callees[state->order[i]];
    callee->component = (uint32_t)first;
    callee->recursive = end - first > 1 || calls_itself(calls, state->order[i]);
  }
}

// Propagates the properties of a function to its component and its callees.
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

bool gmem_call_graph_solve(const gmem_program_t *program, gmem_calls_t *calls,
                           gmem_bump_t *arena) {
  components_t state = {.calls = calls};
  if (!allocate(&state, program->function_count, arena))
    return false;
  for (uint32_t f = 0; f < program->function_count; ++f)
    if (!state.number[f])
      search_from(&state, f);
  for (size_t i = 0, end; i < state.ordered; i = end) {
    end = component_end(&state, i);
    name_component(calls, &state, i, end);
  }
  spread_all(calls, &state);
  calls->order = state.order;
  return true;
}
