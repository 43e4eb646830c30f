// points_to.c - see points_to.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reachability in the flow graph with call strings ("Two Approaches to
// Interprocedural Data Flow Analysis", Sharir and Pnueli, 1981). A state is a
// node together with the calls by which the traversal has entered functions
// since it last left a function by all of its calls. Contexts of one function
// have the same structure inside, so the call string is represented as a
// context inside of |base|, the first context of the function where the string
// begins.
//
// Cost: the budget bounds the sum over all sites; beyond it, the remaining
// sites share one context-insensitive set (gmem_points_to_together).

#include "points_to.h"

#include <assert.h>

typedef struct state_s {
  uint32_t node;
  uint32_t context, base;
} state_t;

typedef GMEM_LIST(state_t) states_t;

struct gmem_points_to_s {
  const gmem_program_facts_t *facts;
  const gmem_program_t *program;
  const gmem_call_contexts_t *contexts;
  const gmem_memref_flow_t *flow;
  gmem_bump_t *arena;
  uint32_t round;    // number of the traversal, from 1
  uint32_t *seen_in; // by node: the last round that reached it
  states_t
      states; // of this round, in the order of discovery; also the work list
  uint32_t *table; // indices of states + 1: a hash table with open addressing
  size_t table_mask;
  size_t budget; // edges and uses that may still be visited
};

//===--- states -----------------------------------------------------------===//

static size_t hash_of(const state_t *state) {
  uint64_t hash = (uint64_t)state->node << 32 | state->context;
  hash = (hash ^ state->base * UINT64_C(0x9e3779b97f4a7c15)) *
         UINT64_C(0xff51afd7ed558ccd);
  return (size_t)(hash >> 32);
}

static uint32_t *slot_of(gmem_points_to_t *analysis, const state_t *state) {
  for (size_t i = hash_of(state);; ++i) {
    uint32_t *slot = &analysis->table[i & analysis->table_mask];
    if (*slot == 0)
      return slot;
    const state_t *other = &analysis->states.at[*slot - 1];
    if (other->node == state->node && other->context == state->context &&
        other->base == state->base)
      return slot;
  }
}

// Makes room for one more entry; the table is at most half full.
static bool make_room(gmem_points_to_t *analysis) {
  enum { LEAST = 256 };
  size_t size = analysis->table ? analysis->table_mask + 1 : 0;
  if (2 * (analysis->states.count + 1) <= size)
    return true;
  size = size ? 2 * size : LEAST;
  uint32_t *table = gmem_bump_alloc(analysis->arena, size, sizeof *table);
  if (!table)
    return false;
  analysis->table = table;
  analysis->table_mask = size - 1;
  for (uint32_t i = 0; i < analysis->states.count; ++i)
    *slot_of(analysis, &analysis->states.at[i]) = i + 1;
  return true;
}

static void add_state(gmem_points_to_t *analysis, state_t state) {
  if (!make_room(analysis))
    return;
  uint32_t *slot = slot_of(analysis, &state);
  if (*slot)
    return;
  GMEM_APPEND(analysis->arena, &analysis->states, state);
  *slot = (uint32_t)analysis->states.count;
}

// Removes the states of the previous traversal from the table.
static void reset(gmem_points_to_t *analysis) {
  for (size_t i = analysis->states.count; i-- > 0;)
    *slot_of(analysis, &analysis->states.at[i]) = 0;
  analysis->states.count = 0;
  ++analysis->round;
}

//===--- edges ------------------------------------------------------------===//

static uint32_t function_of(const gmem_points_to_t *analysis, uint32_t node) {
  size_t values = analysis->program->value_count;
  return node < values ? gmem_value_function(analysis->program, node)
                       : analysis->program->ops[node - values].function;
}

static uint32_t first_context(const gmem_points_to_t *analysis,
                              uint32_t function) {
  size_t count;
  return gmem_contexts_of(analysis->contexts, function, &count)[0];
}

// The state of |node| in all contexts of its function.
static state_t in_all_contexts(const gmem_points_to_t *analysis,
                               uint32_t node) {
  uint32_t context = first_context(analysis, function_of(analysis, node));
  return (state_t){node, context, context};
}

// Enters a function by |call|: from an operand to an argument.
static void enter_function(gmem_points_to_t *analysis, const state_t *state,
                           uint32_t to, uint32_t call) {
  uint32_t context =
      gmem_callee_context(analysis->contexts, state->context, call);
  assert(gmem_call_context(analysis->contexts, context)->function ==
         function_of(analysis, to));
  bool is_inside =
      gmem_call_context(analysis->contexts, context)->caller != GMEM_NO_INDEX;
  add_state(analysis, is_inside ? (state_t){to, context, state->base}
                                : in_all_contexts(analysis, to));
}

// Leaves a function by |call|: from a returned value to a result. Only if the
// traversal entered by this call, or the call string is empty.
static void leave_function(gmem_points_to_t *analysis, const state_t *state,
                           uint32_t to, uint32_t call) {
  const gmem_call_context_t *context =
      gmem_call_context(analysis->contexts, state->context);
  assert(state->base <= state->context);
  if (state->context == state->base)
    add_state(analysis, in_all_contexts(analysis, to));
  else if (context->call == call)
    add_state(analysis, (state_t){to, context->caller, state->base});
}

static void follow_edge(gmem_points_to_t *analysis, state_t state,
                        const gmem_memref_edge_t *edge) {
  if (edge->call == GMEM_NO_INDEX)
    add_state(analysis, (state_t){edge->to, state.context, state.base});
  else if (analysis->facts->calls.calls[edge->call].callee ==
           function_of(analysis, edge->to))
    enter_function(analysis, &state, edge->to, edge->call);
  else
    leave_function(analysis, &state, edge->to, edge->call);
}

//===--- traversal --------------------------------------------------------===//

gmem_status_t gmem_points_to_begin(const gmem_program_facts_t *facts,
                                   const gmem_memref_flow_t *flow,
                                   gmem_bump_t *arena,
                                   gmem_points_to_t **out_analysis,
                                   gmem_diag_t *diag) {
  enum { PASSES = 64, LEAST = 1 << 25 };
  const gmem_program_t *program = facts->program;
  gmem_points_to_t *analysis;
  GMEM_TRY_ALLOC(analysis, arena, 1, diag);
  *analysis = (gmem_points_to_t){
      .facts = facts,
      .program = program,
      .contexts = facts->contexts,
      .flow = flow,
      .arena = arena,
      .budget =
          LEAST + PASSES * ((size_t)flow->by_source.first[flow->node_count] +
                            facts->uses.users.first[program->value_count])};
  *out_analysis = analysis;
  GMEM_TRY_ALLOC(analysis->seen_in, arena, flow->node_count, diag);
  return GMEM_OK;
}

// Copies the reached values, without the nodes of ops.
static bool copy_values(gmem_points_to_t *analysis,
                        gmem_site_values_t *out_values) {
  uint32_t *values =
      gmem_bump_alloc(analysis->arena, analysis->states.count, sizeof *values);
  gmem_site_value_t *site_values = gmem_bump_alloc(
      analysis->arena, analysis->states.count, sizeof *site_values);
  *out_values =
      (gmem_site_values_t){.values = values, .site_values = site_values};
  if (!values || !site_values)
    return false;
  for (size_t i = 0; i < analysis->states.count; ++i) {
    const state_t *state = &analysis->states.at[i];
    if (state->node >= analysis->program->value_count)
      continue;
    site_values[out_values->site_value_count++] =
        (gmem_site_value_t){state->node, state->context, state->base};
    if (analysis->seen_in[state->node] != analysis->round)
      values[out_values->value_count++] = state->node;
    analysis->seen_in[state->node] = analysis->round;
  }
  return true;
}

// The cost of visiting |node|: the node, its edges and its uses.
static size_t cost_of(const gmem_points_to_t *analysis, uint32_t node) {
  size_t cost = 1 + gmem_csr_count(&analysis->flow->by_source, node);
  return node < analysis->program->value_count
             ? cost + gmem_csr_count(&analysis->facts->uses.users, node)
             : cost;
}

bool gmem_points_to_from(gmem_points_to_t *analysis, uint32_t site,
                         gmem_site_values_t *out_values) {
  const gmem_memref_flow_t *flow = analysis->flow;
  *out_values = (gmem_site_values_t){0};
  reset(analysis);
  add_state(analysis, in_all_contexts(analysis, site));
  for (size_t i = 0; i < analysis->states.count; ++i) {
    state_t state = analysis->states.at[i];
    size_t cost = cost_of(analysis, state.node);
    if (cost > analysis->budget)
      return false;
    analysis->budget -= cost;
    GMEM_CSR_EACH (edge, &flow->by_source, state.node)
      follow_edge(analysis, state, &flow->edges[*edge]);
  }
  return copy_values(analysis, out_values);
}

bool gmem_points_to_together(gmem_points_to_t *analysis, const uint32_t *sites,
                             size_t count, gmem_site_values_t *out_values) {
  const gmem_memref_flow_t *flow = analysis->flow;
  reset(analysis);
  for (size_t i = 0; i < count; ++i)
    add_state(analysis, (state_t){.node = sites[i]});
  for (size_t i = 0; i < analysis->states.count; ++i) {
    uint32_t node = analysis->states.at[i].node;
    GMEM_CSR_EACH (edge, &flow->by_source, node)
      add_state(analysis, (state_t){.node = flow->edges[*edge].to});
  }
  bool is_ok = copy_values(analysis, out_values);
  out_values->site_value_count = 0;
  return is_ok;
}
