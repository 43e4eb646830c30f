// call_graph.c - the components of the call graph and the properties that
// propagate along it: see calls.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "calls.h"

#include <assert.h>

//===--- components -------------------------------------------------------===//

// Tarjan's strongly connected components (SIAM J. Comput. 1(2), 1972), with an
// explicit stack. Callees come before their callers.
typedef struct components_s {
  gmem_calls_t *calls;
  uint32_t *number; // of a function in the order of discovery, from 1; 0: none
  uint32_t *low;    // smallest number that is reached and still open
  uint32_t *next_call; // to follow
  uint32_t *path;      // functions from the root of the search to the current
  uint32_t *open;      // functions without a component yet
  bool *is_open;
  uint32_t depth, open_count, ordered, numbers;
} components_t;

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
  assert(state->is_open[function]);
  uint32_t member, first = state->ordered;
  do {
    member = state->open[--state->open_count];
    state->is_open[member] = false;
    state->calls->order[state->ordered++] = member;
    state->calls->callees[member].component = first;
  } while (member != function);
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

static bool calls_itself(const gmem_calls_t *calls, uint32_t function) {
  const gmem_callee_t *callee = &calls->callees[function];
  for (uint32_t c = callee->first_call; c < callee->end_call; ++c)
    if (calls->calls[c].callee == function)
      return true;
  return false;
}

// Propagates the properties of the functions order[first, end), a component,
// to all of it and to its callees.
static void spread(gmem_calls_t *calls, size_t first, size_t end) {
  bool escapes = false, parallel = false;
  for (size_t i = first; i < end; ++i) {
    escapes |= calls->callees[calls->order[i]].escapes;
    parallel |= calls->callees[calls->order[i]].parallel;
  }
  for (size_t i = first; i < end; ++i) {
    gmem_callee_t *member = &calls->callees[calls->order[i]];
    member->escapes = escapes;
    member->parallel = parallel;
    member->recursive = end - first > 1 || calls_itself(calls, calls->order[i]);
    for (uint32_t c = member->first_call; c < member->end_call; ++c) {
      calls->callees[calls->calls[c].callee].escapes |= escapes;
      calls->callees[calls->calls[c].callee].parallel |= parallel;
    }
  }
}

gmem_status_t gmem_call_graph_solve(gmem_calls_t *calls, gmem_bump_t *arena,
                                    gmem_diag_t *diag) {
  size_t count = calls->program->function_count;
  components_t state = {.calls = calls};
  GMEM_TRY_ALLOC(state.number, arena, count, diag);
  GMEM_TRY_ALLOC(state.low, arena, count, diag);
  GMEM_TRY_ALLOC(state.next_call, arena, count, diag);
  GMEM_TRY_ALLOC(state.path, arena, count, diag);
  GMEM_TRY_ALLOC(state.open, arena, count, diag);
  GMEM_TRY_ALLOC(state.is_open, arena, count, diag);
  GMEM_TRY_ALLOC(calls->order, arena, count, diag);
  for (uint32_t f = 0; f < count; ++f)
    if (!state.number[f])
      search_from(&state, f);
  assert(state.ordered == count && state.open_count == 0 && state.depth == 0);
  for (size_t end = count; end;) { // callers first
    size_t first = calls->callees[calls->order[end - 1]].component;
    spread(calls, first, end);
    end = first;
  }
  return GMEM_OK;
}
