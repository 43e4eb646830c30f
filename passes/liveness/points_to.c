// points_to.c - see points_to.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is reachability with call strings: a stop is a node of the flow, with
// the row of calls by which the walk came in since it last left a function by
// all of its calls. As contexts of one function look alike inside, the row is a
// context inside of the first one of the function where it begins, the base.

#include "points_to.h"

#include "program.h"

typedef struct stop_s {
  uint32_t node;
  uint32_t context, base;
} stop_t;

struct gmem_points_to_s {
  const gmem_program_t *program;
  const gmem_calls_t *calls;
  const gmem_call_contexts_t *contexts;
  const gmem_memref_flow_t *flow;
  const uint32_t *first_user;
  gmem_bump_t *arena;
  uint32_t round;    // of the walk, from 1
  uint32_t *seen_in; // by node: the last round that came there
  stop_t *stops;     // of this round, in the order in which they were found
  size_t stop_count, stop_room;
  uint32_t *table; // of stops, + 1: a hash table with open addressing
  size_t table_mask;
  size_t budget; // edges, and uses of what is seen
  bool out_of_memory;
};

//===--- stops ------------------------------------------------------------===//

static size_t hash_of(const stop_t *stop) {
  uint64_t hash = (uint64_t)stop->node << 32 | stop->context;
  hash = (hash ^ stop->base * UINT64_C(0x9e3779b97f4a7c15)) *
         UINT64_C(0xff51afd7ed558ccd);
  return (size_t)(hash >> 32);
}

static uint32_t *place_of(gmem_points_to_t *walk, const stop_t *stop) {
  for (size_t i = hash_of(stop);; ++i) {
    uint32_t *place = &walk->table[i & walk->table_mask];
    if (*place == 0)
      return place;
    const stop_t *other = &walk->stops[*place - 1];
    if (other->node == stop->node && other->context == stop->context &&
        other->base == stop->base)
      return place;
  }
}

// Makes room for one more in the table, which is at most half full.
static bool make_room(gmem_points_to_t *walk) {
  enum { LEAST = 256 };
  size_t size = walk->table ? walk->table_mask + 1 : 0;
  if (2 * (walk->stop_count + 1) <= size)
    return true;
  size = size ? 2 * size : LEAST;
  walk->table = gmem_bump_alloc(walk->arena, size, sizeof *walk->table);
  if (!walk->table)
    return false;
  walk->table_mask = size - 1;
  for (uint32_t i = 0; i < walk->stop_count; ++i)
    *place_of(walk, &walk->stops[i]) = i + 1;
  return true;
}

static void add_stop(gmem_points_to_t *walk, stop_t stop) {
  if (!make_room(walk)) {
    walk->out_of_memory = true;
    return;
  }
  uint32_t *place = place_of(walk, &stop);
  if (*place)
    return;
  if (!gmem_bump_grow(walk->arena, &walk->stops, walk->stop_count,
                      &walk->stop_room, sizeof stop)) {
    walk->out_of_memory = true;
    return;
  }
  walk->stops[walk->stop_count++] = stop;
  *place = (uint32_t)walk->stop_count;
}

// Takes the stops of the walk before out of the table.
static void clear(gmem_points_to_t *walk) {
  for (size_t i = walk->stop_count; i-- > 0;)
    *place_of(walk, &walk->stops[i]) = 0;
  walk->stop_count = 0;
  ++walk->round;
}

//===--- ways -------------------------------------------------------------===//

static uint32_t function_of(const gmem_points_to_t *walk, uint32_t node) {
  size_t values = walk->program->value_count;
  return node < values ? gmem_value_function(walk->program, node)
                       : walk->program->ops[node - values].function;
}

static uint32_t first_context(const gmem_points_to_t *walk, uint32_t function) {
  size_t count;
  return gmem_contexts_of(walk->contexts, function, &count)[0];
}

// In all contexts of the function of |node|.
static stop_t anywhere(const gmem_points_to_t *walk, uint32_t node) {
  uint32_t context = first_context(walk, function_of(walk, node));
  return (stop_t){node, context, context};
}

// By |call|, from an operand to an argument.
static void step_in(gmem_points_to_t *walk, const stop_t *stop, uint32_t to,
                    uint32_t call) {
  uint32_t context = gmem_callee_context(walk->contexts, stop->context, call);
  bool is_inside =
      gmem_call_context(walk->contexts, context)->caller != GMEM_NO_INDEX;
  add_stop(walk,
           is_inside ? (stop_t){to, context, stop->base} : anywhere(walk, to));
}

// By |call|, from what the callee returns to a result; if the walk came in by
// it, or nobody knows.
static void step_out(gmem_points_to_t *walk, const stop_t *stop, uint32_t to,
                     uint32_t call) {
  const gmem_call_context_t *context =
      gmem_call_context(walk->contexts, stop->context);
  if (stop->context == stop->base)
    add_stop(walk, anywhere(walk, to));
  else if (context->call == call)
    add_stop(walk, (stop_t){to, context->caller, stop->base});
}

static void step(gmem_points_to_t *walk, stop_t stop,
                 const gmem_memref_edge_t *edge) {
  if (edge->call == GMEM_NO_INDEX)
    add_stop(walk, (stop_t){edge->to, stop.context, stop.base});
  else if (walk->calls->calls[edge->call].callee == function_of(walk, edge->to))
    step_in(walk, &stop, edge->to, edge->call);
  else
    step_out(walk, &stop, edge->to, edge->call);
}

//===--- walks ------------------------------------------------------------===//

gmem_points_to_t *gmem_points_to_begin(const gmem_program_t *program,
                                       const gmem_calls_t *calls,
                                       const gmem_call_contexts_t *contexts,
                                       const gmem_memref_flow_t *flow,
                                       const uint32_t *first_user,
                                       gmem_bump_t *arena) {
  enum { PASSES = 64, LEAST = 1 << 25 };
  gmem_points_to_t *walk = gmem_bump_alloc(arena, 1, sizeof *walk);
  uint32_t *seen_in = gmem_bump_alloc(arena, flow->node_count, sizeof *seen_in);
  if (!walk || !seen_in)
    return NULL;
  *walk = (gmem_points_to_t){
      .program = program,
      .calls = calls,
      .contexts = contexts,
      .flow = flow,
      .first_user = first_user,
      .arena = arena,
      .seen_in = seen_in,
      .budget = LEAST + PASSES * ((size_t)flow->first_edge[flow->node_count] +
                                  first_user[program->value_count])};
  return walk;
}

// Copies what the walk has come by, but for ops.
static bool take_sights(gmem_points_to_t *walk,
                        gmem_site_values_t *out_sights) {
  uint32_t *values =
      gmem_bump_alloc(walk->arena, walk->stop_count, sizeof *values);
  gmem_site_value_t *site_values =
      gmem_bump_alloc(walk->arena, walk->stop_count, sizeof *site_values);
  *out_sights =
      (gmem_site_values_t){.values = values, .site_values = site_values};
  if (!values || !site_values)
    return false;
  for (size_t i = 0; i < walk->stop_count; ++i) {
    const stop_t *stop = &walk->stops[i];
    if (stop->node >= walk->program->value_count)
      continue;
    site_values[out_sights->sight_count++] =
        (gmem_site_value_t){stop->node, stop->context, stop->base};
    if (walk->seen_in[stop->node] != walk->round)
      values[out_sights->value_count++] = stop->node;
    walk->seen_in[stop->node] = walk->round;
  }
  return true;
}

// What it costs to come by |node|: its edges, its uses, itself.
static size_t cost_of(const gmem_points_to_t *walk, uint32_t node) {
  const gmem_memref_flow_t *flow = walk->flow;
  size_t cost = 1 + flow->first_edge[node + 1] - flow->first_edge[node];
  return node < walk->program->value_count
             ? cost + walk->first_user[node + 1] - walk->first_user[node]
             : cost;
}

bool gmem_points_to_from(gmem_points_to_t *walk, uint32_t root,
                         gmem_site_values_t *out_sights) {
  const gmem_memref_flow_t *flow = walk->flow;
  *out_sights = (gmem_site_values_t){0};
  clear(walk);
  add_stop(walk, anywhere(walk, root));
  for (size_t i = 0; i < walk->stop_count && !walk->out_of_memory; ++i) {
    stop_t stop = walk->stops[i];
    size_t cost = cost_of(walk, stop.node);
    if (cost > walk->budget)
      return false;
    walk->budget -= cost;
    for (uint32_t e = flow->first_edge[stop.node];
         e < flow->first_edge[stop.node + 1]; ++e)
      step(walk, stop, &flow->edges[e]);
  }
  return !walk->out_of_memory && take_sights(walk, out_sights);
}

bool gmem_points_to_together(gmem_points_to_t *walk, const uint32_t *roots,
                             size_t count, gmem_site_values_t *out_sights) {
  const gmem_memref_flow_t *flow = walk->flow;
  clear(walk);
  for (size_t i = 0; i < count; ++i)
    add_stop(walk, (stop_t){.node = roots[i]});
  for (size_t i = 0; i < walk->stop_count && !walk->out_of_memory; ++i) {
    uint32_t node = walk->stops[i].node;
    for (uint32_t e = flow->first_edge[node]; e < flow->first_edge[node + 1];
         ++e)
      add_stop(walk, (stop_t){.node = flow->edges[e].to});
  }
  bool is_taken = !walk->out_of_memory && take_sights(walk, out_sights);
  if (is_taken)
    out_sights->sight_count = 0;
  return is_taken;
}
