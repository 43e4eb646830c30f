// scope_bound.c - see scope_bound.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bound of a block is that of its graph (relaxed_graph.h), of a function
// that of its highest block. Pools are bounded one by one: a plan needs the
// sum.
//
// Offsets are multiples of a unit, so that of the buffers that are live at one
// time all but the last one occupy multiples of it. If each is rounded up by at
// most s bytes, their sum is at most s more than the end of the last one. The
// best s is tried out.

#include "scope_bound.h"

#include <assert.h>
#include <stdlib.h>

#include "calls.h"
#include "relaxed_graph.h"

typedef struct bounder_s {
  const gmem_analysis_t *analysis;
  gmem_effort_t effort;
  bool is_print; // build the graphs, but do not solve them
  uint64_t print;
  gmem_order_inputs_t inputs;
  gmem_countable_sets_t in_callers, in_callees;
  bool is_same; // the two
  gmem_relaxed_inputs_t relaxed;
  uint64_t *of_blocks, *of_functions; // of the current pool
  uint64_t open;       // highest bound that a longer search may find
  const char *gave_up; // the search that ended before
  gmem_diag_t *diag;
} bounder_t;

static uint64_t without(uint64_t bytes, uint64_t slack) {
  return bytes > slack ? bytes - slack : 0;
}

//===--- blocks -----------------------------------------------------------===//

static gmem_status_t solve(bounder_t *bounder, const gmem_order_graph_t *graph,
                           uint64_t *out_bound) {
  const gmem_order_options_t options = {.effort = bounder->effort};
  gmem_order_figures_t figures;
  uint32_t *order;
  GMEM_TRY_ALLOC(order, bounder->analysis->arena, gmem_order_op_count(graph),
                 bounder->diag);
  GMEM_TRY(gmem_order_solve(graph, &options, order, &figures, bounder->diag));
  uint64_t open = without(figures.peak, bounder->relaxed.slack);
  if (!figures.proved && open > bounder->open) {
    bounder->open = open;
    bounder->gave_up = figures.gave_up;
  }
  *out_bound = figures.lower_bound;
  return GMEM_OK;
}

static gmem_status_t bound_block(bounder_t *bounder, uint32_t block) {
  const gmem_program_facts_t *facts = &bounder->analysis->facts;
  gmem_block_nodes_t nodes;
  gmem_order_graph_t *graph = NULL;
  bounder->of_blocks[block] = 0;
  if (facts->uses.unordered[bounder->analysis->program.blocks[block].region])
    return GMEM_OK;
  GMEM_TRY(
      gmem_block_nodes_find(&bounder->inputs, block, &nodes, bounder->diag));
  gmem_status_t status = gmem_relaxed_graph_build(&bounder->relaxed, &nodes,
                                                  &graph, bounder->diag);
  if (status == GMEM_OK && !bounder->is_print)
    status = solve(bounder, graph, &bounder->of_blocks[block]);
  gmem_order_graph_destroy(graph);
  return status;
}

// Inner blocks, which follow the outer ones, first.
static gmem_status_t bound_function(bounder_t *bounder, uint32_t number,
                                    uint64_t *out_bound) {
  const gmem_function_t *function =
      &bounder->analysis->program.functions[number];
  *out_bound = 0;
  for (uint32_t b = function->end_block; b-- > function->first_block;) {
    GMEM_TRY(bound_block(bounder, b));
    if (bounder->of_blocks[b] > *out_bound)
      *out_bound = bounder->of_blocks[b];
  }
  return GMEM_OK;
}

//===--- pools ------------------------------------------------------------===//

// Callees first. What functions need inside of others is found with the homes
// of sets in callers: then no set counts in both.
static gmem_status_t bound_functions(bounder_t *bounder, uint64_t *out_bound) {
  size_t count = bounder->analysis->program.function_count;
  const uint32_t *order = bounder->analysis->facts.calls.order;
  *out_bound = 0;
  for (size_t i = 0; i < count; ++i)
    bounder->of_functions[i] = 0;
  for (int pass = 0; pass < (bounder->is_same ? 1 : 2); ++pass) {
    bounder->relaxed.sets = pass ? &bounder->in_callees : &bounder->in_callers;
    for (size_t i = 0; i < count; ++i) {
      uint64_t bound;
      GMEM_TRY(bound_function(bounder, order[i], &bound));
      if (pass == 0)
        bounder->of_functions[order[i]] = bound;
      *out_bound = bound > *out_bound ? bound : *out_bound;
    }
  }
  return GMEM_OK;
}

// Calls |visit| with the size of each buffer that may be in |pool|.
static void for_each_size(const bounder_t *bounder, uint32_t pool,
                          void (*visit)(uint64_t size, void *user),
                          void *user) {
  const gmem_analysis_t *analysis = bounder->analysis;
  const gmem_placement_constraints_t *to = &analysis->constraints;
  const gmem_workbuffers_t *work = &analysis->workbuffers;
  for (size_t i = 0; i < analysis->liveness.set_count; ++i)
    if (gmem_counting_pool(&to->pools, gmem_constraint_pools(&to->sets[i])) ==
        pool)
      visit(analysis->program.values[analysis->liveness.sets[i].root].size,
            user);
  for (size_t i = 0; i < work->mutable_count; ++i) {
    uint32_t index = work->mutables[i];
    if (gmem_counting_pool(&to->pools, to->work[index].candidates) == pool)
      visit(work->all[index].size, user);
  }
}

// Bytes from the end of a buffer to the next multiple of the unit.
typedef struct slacks_s {
  uint64_t unit, *at;
  size_t count;
} slacks_t;

static void add_slack(uint64_t size, void *user) {
  slacks_t *slacks = user;
  slacks->at[slacks->count++] = (0 - size) & (slacks->unit - 1);
}

static int by_number(const void *a, const void *b) {
  uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
  return (left > right) - (left < right);
}

// Lists the smallest slack, 0, the largest, and some between them.
static gmem_status_t list_slacks(const bounder_t *bounder, uint32_t pool,
                                 slacks_t *slacks) {
  enum { MOST = 5, MOST_OPS = 5000 };
  const gmem_analysis_t *analysis = bounder->analysis;
  size_t most = analysis->program.op_count <= MOST_OPS ? MOST : 2, kept = 0;
  *slacks = (slacks_t){.unit = bounder->in_callers.units[pool]};
  GMEM_TRY_ALLOC(slacks->at, analysis->arena,
                 1 + analysis->liveness.set_count +
                     analysis->workbuffers.mutable_count,
                 bounder->diag);
  add_slack(0, slacks);
  for_each_size(bounder, pool, add_slack, slacks);
  qsort(slacks->at, slacks->count, sizeof *slacks->at, by_number);
  for (size_t i = 0; i < slacks->count; ++i)
    if (i == 0 || slacks->at[i] != slacks->at[kept - 1])
      slacks->at[kept++] = slacks->at[i];
  slacks->count = kept < most ? kept : most;
  for (size_t i = 1; kept > most && i < most; ++i)
    slacks->at[i] = slacks->at[i * (kept - 1) / (most - 1)];
  return GMEM_OK;
}

// The least size of a pool that is not below |bound|: it ends with a buffer.
typedef struct ends_s {
  uint64_t unit, bound, least;
} ends_t;

static void add_end(uint64_t size, void *user) {
  ends_t *ends = user;
  uint64_t end = ends->bound + ((size - ends->bound) & (ends->unit - 1));
  if (end < ends->least)
    ends->least = end;
}

static gmem_status_t bound_pool(bounder_t *bounder, uint32_t pool,
                                uint64_t *out_bound) {
  slacks_t slacks;
  ends_t ends = {.unit = bounder->in_callers.units[pool], .least = UINT64_MAX};
  bounder->relaxed.pool = pool;
  GMEM_TRY(list_slacks(bounder, pool, &slacks));
  for (size_t i = 0; i < slacks.count; ++i) {
    uint64_t bound;
    bounder->relaxed.slack = slacks.at[i];
    GMEM_TRY(bound_functions(bounder, &bound));
    bound = without(bound, slacks.at[i]);
    ends.bound = bound > ends.bound ? bound : ends.bound;
  }
  for_each_size(bounder, pool, add_end, &ends);
  *out_bound = ends.bound && ends.least != UINT64_MAX ? ends.least : ends.bound;
  return GMEM_OK;
}

//===--- the scope --------------------------------------------------------===//

static gmem_status_t find_sets(bounder_t *bounder,
                               const gmem_pool_spec_t *pools) {
  GMEM_TRY(gmem_countable_sets_find(&bounder->inputs, pools, false,
                                    &bounder->in_callers, bounder->diag));
  GMEM_TRY(gmem_countable_sets_find(&bounder->inputs, pools, true,
                                    &bounder->in_callees, bounder->diag));
  bounder->is_same = true;
  for (size_t i = 0; i < bounder->analysis->liveness.set_count; ++i)
    bounder->is_same &=
        bounder->in_callers.all[i].home == bounder->in_callees.all[i].home;
  return GMEM_OK;
}

static gmem_status_t prepare(bounder_t *bounder) {
  const gmem_analysis_t *analysis = bounder->analysis;
  const gmem_program_t *program = &analysis->program;
  gmem_csr_pairs_t pairs = {0};
  GMEM_TRY_ALLOC(bounder->of_blocks, analysis->arena, program->block_count,
                 bounder->diag);
  GMEM_TRY_ALLOC(bounder->of_functions, analysis->arena,
                 program->function_count, bounder->diag);
  GMEM_TRY_ALLOC(bounder->relaxed.first_tensor, analysis->arena,
                 analysis->liveness.set_count, bounder->diag);
  for (size_t i = 0; i < analysis->liveness.set_count; ++i)
    bounder->relaxed.first_tensor[i] = GMEM_NO_INDEX;
  for (uint32_t b = 0; b < program->block_count; ++b) {
    uint32_t around = gmem_block_around(program, b);
    assert(around == GMEM_NO_INDEX || around < b);
    if (around != GMEM_NO_INDEX)
      GMEM_APPEND(analysis->arena, &pairs, (gmem_csr_pair_t){around, b});
  }
  GMEM_TRY(gmem_bump_status(analysis->arena, bounder->diag));
  bounder->relaxed.inputs = &bounder->inputs;
  bounder->relaxed.print = &bounder->print;
  bounder->relaxed.of_blocks = bounder->of_blocks;
  bounder->relaxed.of_functions = bounder->of_functions;
  return gmem_csr_build(&pairs, program->block_count, analysis->arena,
                        &bounder->relaxed.children, bounder->diag);
}

static gmem_status_t start(bounder_t *bounder,
                           const gmem_model_options_t *options,
                           const gmem_pool_spec_t *pools) {
  GMEM_TRY(gmem_order_inputs_find(bounder->analysis, options, &bounder->inputs,
                                  bounder->diag));
  GMEM_TRY(find_sets(bounder, pools));
  return prepare(bounder);
}

// Whether control flow reaches all blocks. Elsewhere nothing is live, but the
// graphs count what ops there use.
static gmem_status_t reaches_all(const gmem_analysis_t *analysis, bool *out_all,
                                 gmem_diag_t *diag) {
  const gmem_program_t *program = &analysis->program;
  const gmem_csr_t *predecessors = &analysis->facts.flow.predecessors;
  bool *reached, is_new = true;
  GMEM_TRY_ALLOC(reached, analysis->arena, program->block_count, diag);
  *out_all = true;
  while (is_new) {
    is_new = false;
    for (uint32_t i = 0; i < program->block_count; ++i) {
      bool before = reached[i];
      reached[i] |= program->blocks[i].number == 0;
      GMEM_CSR_EACH (from, predecessors, i)
        reached[i] |= reached[*from];
      is_new |= reached[i] != before;
    }
  }
  for (uint32_t i = 0; i < program->block_count; ++i)
    *out_all &= reached[i];
  return GMEM_OK;
}

// Why there is no bound but 0; NULL: there is one.
static gmem_status_t find_obstacle(const gmem_analysis_t *analysis,
                                   const char **out_obstacle,
                                   gmem_diag_t *diag) {
  bool reaches = false;
  GMEM_TRY(reaches_all(analysis, &reaches, diag));
  *out_obstacle = analysis->facts.streams.count ? "hardware queues"
                  : reaches                     ? NULL
                                                : "unreachable blocks";
  return GMEM_OK;
}

gmem_status_t gmem_scope_bound_print(const gmem_analysis_t *analysis,
                                     const gmem_model_options_t *options,
                                     const gmem_pool_spec_t *pools,
                                     uint64_t *out_print, gmem_diag_t *diag) {
  bounder_t bounder = {.analysis = analysis, .is_print = true, .diag = diag};
  const char *obstacle;
  *out_print = 0;
  GMEM_TRY(find_obstacle(analysis, &obstacle, diag));
  if (obstacle)
    return GMEM_OK;
  GMEM_TRY(start(&bounder, options, pools));
  for (uint32_t i = 0; i < analysis->constraints.pools.count; ++i) {
    uint64_t none;
    bounder.relaxed.pool = i;
    bounder.print ^= bounder.in_callers.units[i];
    GMEM_TRY(bound_functions(&bounder, &none));
  }
  *out_print = bounder.print & INT64_MAX;
  return GMEM_OK;
}

gmem_status_t gmem_scope_bound_find(const gmem_analysis_t *analysis,
                                    const gmem_model_options_t *options,
                                    const gmem_pool_spec_t *pools,
                                    gmem_effort_t effort,
                                    gmem_scope_bound_t *out_bound,
                                    gmem_diag_t *diag) {
  bounder_t bounder = {.analysis = analysis, .effort = effort, .diag = diag};
  *out_bound = (gmem_scope_bound_t){.bytes = 0};
  GMEM_TRY(find_obstacle(analysis, &out_bound->gave_up, diag));
  if (out_bound->gave_up)
    return GMEM_OK;
  GMEM_TRY(start(&bounder, options, pools));
  for (uint32_t i = 0; i < analysis->constraints.pools.count; ++i) {
    uint64_t bound;
    bounder.open = 0;
    GMEM_TRY(bound_pool(&bounder, i, &bound));
    out_bound->bytes += bound;
    if (bounder.open > bound && !out_bound->gave_up)
      out_bound->gave_up = bounder.gave_up;
  }
  return gmem_scope_bound_print(analysis, options, pools, &out_bound->print,
                                diag);
}
