// countable_sets.c - see countable_sets.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "countable_sets.h"

#include "calls.h"
#include "problem_part.h"

typedef struct finder_s {
  const gmem_order_inputs_t *inputs;
  const gmem_program_t *program;
  const gmem_liveness_t *liveness;
  const gmem_pool_spec_t *pools;
  gmem_countable_sets_t *out;
  bool in_callees;
  uint32_t *rank; // by function: its position in the order of the calls
  // By alias set, of the current op:
  uint32_t *writer;    // the set that may overwrite it
  uint32_t *writes_at; // the last op at which it may overwrite another set
  uint32_t *source; // by alias set: the only one that control flow transfers to
                    // it; GMEM_NO_INDEX: none, its own: several
} finder_t;

uint32_t gmem_counting_pool(const gmem_candidate_pools_t *pools,
                            gmem_memory_candidates_t candidates) {
  uint32_t found = GMEM_NO_INDEX;
  for (uint32_t i = 0; i < candidates.count; ++i) {
    uint32_t pool = candidates.pools[i];
    if (pools->all[pool].is_init)
      return GMEM_NO_INDEX;
    if (pools->all[pool].memory)
      pool = 0; // memories come first, and count together
    if (found != GMEM_NO_INDEX && found != pool)
      return GMEM_NO_INDEX;
    found = pool;
  }
  return found;
}

//===--- homes ------------------------------------------------------------===//

static bool is_inside(const finder_t *finder, uint32_t block, uint32_t other) {
  const gmem_block_t *inner = &finder->program->blocks[block];
  const gmem_block_t *outer = &finder->program->blocks[other];
  return outer->begin <= inner->begin && inner->end <= outer->end;
}

static uint32_t rank_of(const finder_t *finder, uint32_t block) {
  return finder->rank[gmem_region_of(finder->program, block)->function];
}

// Whether |block| encloses |other|, or its function is preferred.
static bool is_above(const finder_t *finder, uint32_t block, uint32_t other) {
  uint32_t own = rank_of(finder, block), its = rank_of(finder, other);
  if (own != its)
    return finder->in_callees == (own < its);
  return is_inside(finder, other, block);
}

// The outermost block of each set in the preferred function; none if that does
// not enclose the other blocks of that function.
static void find_homes(const finder_t *finder) {
  const gmem_value_t *values = finder->program->values;
  gmem_countable_set_t *sets = finder->out->all;
  for (int pass = 0; pass < 2; ++pass)
    for (uint32_t v = 0; v < finder->program->value_count; ++v) {
      uint32_t index = finder->liveness->set_of[v];
      if (index == GMEM_NO_INDEX)
        continue;
      gmem_countable_set_t *set = &sets[index];
      if (pass == 0 && (set->home == GMEM_NO_INDEX ||
                        is_above(finder, values[v].block, set->home)))
        set->home = values[v].block;
      if (pass == 1 && !is_above(finder, set->home, values[v].block))
        set->bytes = 0;
      if (gmem_is_memref_root(finder->program, v))
        set->bytes = 0;
    }
}

//===--- sharing ----------------------------------------------------------===//

static gmem_countable_set_t *set_of(const finder_t *finder, uint32_t value) {
  return &finder->out->all[finder->liveness->set_of[value]];
}

// Whether |alias| is of values of one block with a result of an op of that
// block, which executes at one step.
static bool is_simple(const finder_t *finder, const gmem_alias_t *alias) {
  const gmem_program_op_t *op = &finder->program->ops[alias->op];
  const gmem_value_t *values = finder->program->values;
  uint32_t result =
      alias->kind == GMEM_SHARE_CONCAT ? alias->parent : alias->child;
  return alias->operand != GMEM_NO_INDEX && op->group == GMEM_NO_GROUP &&
         op->end == op->begin + 1 && values[result].op == alias->op &&
         values[alias->child].block == op->block &&
         values[alias->parent].block == op->block &&
         set_of(finder, alias->child)->home == op->block &&
         set_of(finder, alias->parent)->home == op->block;
}

// A control-flow op that has regions, or that ends a block, has its operands in
// memory before what it transfers them to.
static bool is_at_edge(const finder_t *finder, const gmem_alias_t *alias) {
  const gmem_program_op_t *op = &finder->program->ops[alias->op];
  return op->end != op->begin + 1 || gmem_ends_block(op->op);
}

static void find_sources(const finder_t *finder) {
  const gmem_aliases_t *aliases = &finder->inputs->aliases;
  for (size_t i = 0; i < aliases->count; ++i) {
    const gmem_alias_t *alias = &aliases->aliases[i];
    if (alias->kind != GMEM_SHARE_TRANSFER)
      continue;
    uint32_t from = finder->liveness->set_of[alias->child];
    uint32_t to = finder->liveness->set_of[alias->parent];
    bool is_other =
        finder->source[to] != GMEM_NO_INDEX && finder->source[to] != from;
    finder->source[to] = is_other ? to : from;
  }
}

// A copy of one set may share its bytes however long both are live
// (only_sources.h), and one that no op reads is never in use.
static bool counts_target(const finder_t *finder, uint32_t set) {
  return finder->source[set] == set && finder->liveness->sets[set].uses > 0;
}

static bool overwrites_operand(const gmem_alias_t *alias) {
  return alias->kind == GMEM_SHARE_INPLACE ||
         alias->kind == GMEM_SHARE_DESTINATION;
}

// Marks, for the aliases [first, end) of one op, the result that may overwrite
// each operand, the first of several, and that it may.
static void mark_overwrites(finder_t *finder, size_t first, size_t end) {
  for (size_t i = end; i-- > first;) {
    const gmem_alias_t *alias = &finder->inputs->aliases.aliases[i];
    uint32_t child = finder->liveness->set_of[alias->child];
    if (!overwrites_operand(alias))
      continue;
    finder->writer[finder->liveness->set_of[alias->parent]] = child;
    finder->writes_at[child] = alias->op;
  }
}

// Whether both sets count in the block of the op, which executes at one step,
// so that both may count there at one time. Elsewhere one of the two counts
// before or after what the op around it needs, or is live longer, in which case
// it cannot be overwritten.
static bool meet_at_op(const finder_t *finder, const gmem_alias_t *alias) {
  const gmem_program_op_t *op = &finder->program->ops[alias->op];
  return op->group != GMEM_NO_GROUP ||
         (op->end == op->begin + 1 &&
          set_of(finder, alias->child)->home == op->block &&
          set_of(finder, alias->parent)->home == op->block);
}

static bool counts_overwritten(const finder_t *finder,
                               const gmem_alias_t *alias) {
  const uint32_t *sets = finder->liveness->set_of;
  if (!meet_at_op(finder, alias))
    return alias->operand != GMEM_NO_INDEX;
  return is_simple(finder, alias) &&
         finder->writer[sets[alias->parent]] == sets[alias->child];
}

// A part of a whole that counts in a block around that of the part does not
// count together with it.
static bool counts_part(const finder_t *finder, const gmem_alias_t *alias) {
  const gmem_countable_set_t *child = set_of(finder, alias->child);
  const gmem_countable_set_t *parent = set_of(finder, alias->parent);
  if (!meet_at_op(finder, alias))
    return child->home != parent->home &&
           is_above(finder, parent->home, child->home);
  return is_simple(finder, alias) && child->whole == GMEM_NO_INDEX &&
         finder->writes_at[finder->liveness->set_of[alias->parent]] !=
             alias->op;
}

static void apply_alias(const finder_t *finder, const gmem_alias_t *alias) {
  gmem_countable_set_t *child = set_of(finder, alias->child);
  bool counts = false;
  if (alias->kind == GMEM_SHARE_TRANSFER) {
    counts = is_at_edge(finder, alias);
    if (!counts_target(finder, finder->liveness->set_of[alias->parent]))
      set_of(finder, alias->parent)->bytes = 0;
  } else if (overwrites_operand(alias))
    counts = counts_overwritten(finder, alias);
  else if (alias->kind == GMEM_SHARE_CONCAT)
    counts = counts_part(finder, alias);
  if (alias->kind == GMEM_SHARE_CONCAT && meet_at_op(finder, alias))
    child->whole = alias->op;
  if (!counts)
    child->bytes = 0;
}

static void apply_aliases(finder_t *finder) {
  const gmem_aliases_t *aliases = &finder->inputs->aliases;
  for (size_t first = 0, end; first < aliases->count; first = end) {
    for (end = first + 1;
         end < aliases->count &&
         aliases->aliases[end].op == aliases->aliases[first].op;)
      ++end;
    mark_overwrites(finder, first, end);
    for (size_t i = first; i < end; ++i)
      apply_alias(finder, &aliases->aliases[i]);
  }
}

//===--- bytes ------------------------------------------------------------===//

// The number of bytes of which all offsets in |pool| are multiples.
static uint64_t unit_of(const finder_t *finder, uint32_t pool) {
  const gmem_analysis_t *analysis = finder->inputs->analysis;
  const gmem_aliases_t *aliases = &finder->inputs->aliases;
  const gmem_candidate_pools_t *pools = &analysis->constraints.pools;
  uint64_t unit = finder->pools[pool].alignment;
  if (pools->all[pool].memory) // several, together
    return 1;
  for (size_t i = 0; i < aliases->count; ++i)
    if (!gmem_alias_overwrites(&aliases->aliases[i]) &&
        aliases->view_alignment < unit)
      unit = aliases->view_alignment;
  for (uint32_t i = 0; i < finder->liveness->set_count; ++i) {
    const gmem_buffer_constraint_t *constraint = &analysis->constraints.sets[i];
    if (constraint->is_fixed || gmem_is_padded(gmem_set_padding(analysis, i)))
      return 1;
    uint64_t own = gmem_constraint_alignment(constraint);
    if (own && own < unit)
      unit = own;
  }
  return unit;
}

static void start(const finder_t *finder) {
  const gmem_analysis_t *analysis = finder->inputs->analysis;
  const gmem_placement_constraints_t *constraints = &analysis->constraints;
  for (uint32_t i = 0; i < finder->liveness->set_count; ++i) {
    uint32_t pool = gmem_counting_pool(
        &constraints->pools, gmem_constraint_pools(&constraints->sets[i]));
    bool counts = pool != GMEM_NO_INDEX && constraints->sets[i].tied_to == i;
    finder->out->all[i] = (gmem_countable_set_t){
        .bytes = counts ? gmem_padded_size(analysis, finder->pools, i) : 0,
        .home = GMEM_NO_INDEX,
        .pool = pool,
        .whole = GMEM_NO_INDEX};
  }
}

gmem_status_t gmem_countable_sets_find(const gmem_order_inputs_t *inputs,
                                       const gmem_pool_spec_t *pools,
                                       bool in_callees,
                                       gmem_countable_sets_t *out_sets,
                                       gmem_diag_t *diag) {
  const gmem_analysis_t *analysis = inputs->analysis;
  const gmem_program_t *program = &analysis->program;
  uint32_t pool_count = analysis->constraints.pools.count;
  size_t set_count = analysis->liveness.set_count;
  finder_t finder = {.inputs = inputs,
                     .program = program,
                     .liveness = &analysis->liveness,
                     .pools = pools,
                     .in_callees = in_callees,
                     .out = out_sets};
  GMEM_TRY_ALLOC(out_sets->all, analysis->arena, set_count, diag);
  GMEM_TRY_ALLOC(out_sets->units, analysis->arena, pool_count, diag);
  GMEM_TRY_ALLOC(finder.rank, analysis->arena, program->function_count, diag);
  GMEM_TRY_ALLOC(finder.writer, analysis->arena, set_count, diag);
  GMEM_TRY_ALLOC(finder.writes_at, analysis->arena, set_count, diag);
  GMEM_TRY_ALLOC(finder.source, analysis->arena, set_count, diag);
  for (size_t i = 0; i < set_count; ++i)
    finder.writes_at[i] = finder.source[i] = GMEM_NO_INDEX;
  for (uint32_t i = 0; i < program->function_count; ++i)
    finder.rank[analysis->facts.calls.order[i]] = i;
  start(&finder);
  find_homes(&finder);
  find_sources(&finder);
  apply_aliases(&finder);
  for (uint32_t i = 0; i < pool_count; ++i)
    out_sets->units[i] = unit_of(&finder, i);
  return GMEM_OK;
}
