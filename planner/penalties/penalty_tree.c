// penalty_tree.c - branch and bound for the lowest penalty of small problems.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A placement in which no unit can move down without a new violation has every
// unit at the bottom, on top of a unit that it must or should not share bytes
// with, at a boundary or slice, or at the place of a constraint; some best
// placement is of this kind. Its units are placed in order of offset, then
// index, so every one is found by trying, in each node, all units at all such
// offsets from the last one on.
//
// A node is cut when
// * a set of units that conflict with each other cannot be completed: those
//   left lie above the highest of the set, and above the last offset;
// * the objective is no better than the best with what is certain: a unit left
//   must share bytes with a placed one whose end it cannot get above;
// * some other unit would fit below the new one without touching anything (the
//   dominance rule of Moffitt, "MiniMalloc", ASPLOS 2023), if only constraints
//   of kind APART concern it.
//
// The argument needs units of one buffer in one pool and no constraint NEAR,
// which moving down may break.

#include <assert.h>
#include <stdlib.h>

#include "penalty_tree.h"
#include "units_cost.h"

enum { MOST_UNITS = 48, MOST_CHOICES = 4096, MOST_MULTIPLES = 64 };

typedef struct choice_s {
  uint64_t offset, added; // penalty
  uint32_t unit;
} choice_t;

typedef struct tree_s {
  gmem_units_t *units;
  const gmem_penalty_tree_t *options;
  uint32_t count;
  uint64_t ceiling, base;
  uint64_t conflict[MOST_UNITS];            // sets of units
  uint64_t partner[MOST_UNITS];             // by soft constraints APART
  uint64_t penalty[MOST_UNITS][MOST_UNITS]; // of those
  uint64_t movable;                         // units without other constraints
  uint64_t *cliques;
  size_t clique_count;
  uint64_t placed;           // set
  uint64_t best[MOST_UNITS]; // offsets
  uint64_t best_value;       // objective
  bool has_best, is_cut;     // ended by the limit of work
  choice_t *choices;         // a stack: those of all open nodes
  size_t choice_count;
} tree_t;

static uint64_t bit(uint32_t unit) { return UINT64_C(1) << unit; }

static uint64_t size_of(const tree_t *tree, uint32_t unit) {
  return tree->units->at[unit].size;
}

static uint64_t end_of(const tree_t *tree, uint32_t unit) {
  return tree->units->offset[unit] + size_of(tree, unit);
}

#define FOR_EACH(unit, set)                                                    \
  for (uint64_t rest_##unit = (set), unit;                                     \
       rest_##unit && (unit = (uint64_t)__builtin_ctzll(rest_##unit), true);   \
       rest_##unit &= rest_##unit - 1)

//===--- set-up -----------------------------------------------------------===//

static void set_conflicts(tree_t *tree) {
  const gmem_units_t *units = tree->units;
  for (uint32_t u = 0; u < tree->count; ++u) {
    uint32_t buffer = units->members[units->at[u].first];
    for (size_t i = units->conflicts.starts[buffer];
         i < units->conflicts.starts[buffer + 1]; ++i) {
      uint32_t other = units->unit_of[units->conflicts.others[i]];
      if (other != GMEM_NO_BUFFER && other != u)
        tree->conflict[u] |= bit(other);
    }
  }
}

static void set_partners(tree_t *tree) {
  const gmem_units_t *units = tree->units;
  tree->movable = tree->count == 64 ? ~UINT64_C(0) : bit(tree->count) - 1;
  for (size_t i = 0; i < gmem_problem_constraint_count(units->problem); ++i) {
    const gmem_constraint_t *spec = gmem_problem_constraint(units->problem, i);
    uint32_t a = units->unit_of[spec->first];
    bool has_second = spec->kind == GMEM_APART || spec->kind == GMEM_BANKS;
    uint32_t b = has_second ? units->unit_of[spec->second] : a;
    if (a == GMEM_NO_BUFFER || b == GMEM_NO_BUFFER)
      continue;
    if (spec->kind != GMEM_APART) {
      tree->movable &= ~(bit(a) | bit(b));
      continue;
    }
    tree->partner[a] |= bit(b);
    tree->partner[b] |= bit(a);
    tree->penalty[a][b] += spec->penalty;
    tree->penalty[b][a] += spec->penalty;
  }
}

// Units that are live at the begin of each and all conflict with each other.
static void set_cliques(tree_t *tree) {
  const gmem_units_t *units = tree->units;
  for (uint32_t u = 0; u < tree->count; ++u) {
    const gmem_buffer_spec_t *spec =
        gmem_problem_buffer(units->problem, units->members[units->at[u].first]);
    for (size_t r = 0; r < spec->range_count && r < 4; ++r) {
      int64_t time = spec->ranges[r].begin;
      uint64_t clique = bit(u);
      FOR_EACH(v, tree->conflict[u]) {
        const gmem_buffer_spec_t *other = gmem_problem_buffer(
            units->problem, units->members[units->at[v].first]);
        bool is_live = false;
        for (size_t k = 0; k < other->range_count; ++k)
          is_live = is_live || (other->ranges[k].begin <= time &&
                                time < other->ranges[k].end);
        if (is_live && (clique & ~tree->conflict[v]) == 0)
          clique |= bit((uint32_t)v);
      }
      tree->cliques[tree->clique_count++] = clique;
    }
  }
}

// Whether the argument at the top holds.
static bool applies(const gmem_units_t *units) {
  if (units->count == 0 || units->count > MOST_UNITS)
    return false;
  for (uint32_t u = 0; u < units->count; ++u)
    if (units->at[u].count > 1 || units->at[u].pool != units->at[0].pool)
      return false;
  uint64_t ceiling = units->ceiling[units->at[0].pool];
  for (size_t i = 0; i < gmem_problem_constraint_count(units->problem); ++i) {
    const gmem_constraint_t *spec = gmem_problem_constraint(units->problem, i);
    if (spec->kind == GMEM_NEAR ||
        (gmem_has_slices(spec) && ceiling / spec->bytes > MOST_MULTIPLES))
      return false;
  }
  return true;
}

//===--- bounds -----------------------------------------------------------===//

// Whether the units left may fit, and the least peak.
static bool may_fit(const tree_t *tree, uint64_t level, uint64_t *out_peak) {
  uint64_t peak = 0;
  for (size_t i = 0; i < tree->clique_count; ++i) {
    uint64_t top = level, rest = 0, clique = tree->cliques[i];
    FOR_EACH(u, clique & tree->placed) {
      uint64_t end = end_of(tree, (uint32_t)u);
      top = end > top ? end : top;
      peak = end > peak ? end : peak;
    }
    FOR_EACH(u, clique & ~tree->placed)
    rest += size_of(tree, (uint32_t)u);
    if (rest == 0)
      continue;
    if (rest > tree->ceiling || top > tree->ceiling - rest)
      return false;
    peak = top + rest > peak ? top + rest : peak;
  }
  *out_peak = peak;
  return true;
}

// Penalties of units left with placed ones that they cannot get above.
static uint64_t certain_penalty(const tree_t *tree, uint64_t level) {
  uint64_t sum = 0;
  FOR_EACH(u, tree->placed) {
    uint64_t end = end_of(tree, (uint32_t)u);
    if (end <= level)
      continue;
    FOR_EACH(v, tree->partner[u] & ~tree->placed)
    if (size_of(tree, (uint32_t)v) > tree->ceiling - end)
      sum += tree->penalty[u][v];
  }
  return sum;
}

static uint64_t value_of(const tree_t *tree, uint64_t peak, uint64_t penalty) {
  uint64_t a, b, sum;
  if (__builtin_mul_overflow(tree->options->peak_weight, peak, &a) ||
      __builtin_mul_overflow(tree->options->penalty_weight, penalty, &b) ||
      __builtin_add_overflow(a, b, &sum))
    return UINT64_MAX;
  return sum;
}

//===--- choices ----------------------------------------------------------===//

static bool meets(const tree_t *tree, uint32_t unit, uint64_t offset,
                  uint64_t others) {
  uint64_t end = offset + size_of(tree, unit);
  FOR_EACH(v, others & tree->placed)
  if (tree->units->offset[v] < end && offset < end_of(tree, (uint32_t)v))
    return true;
  return false;
}

// Pushes the choice of |unit| at the first aligned offset from |offset| on.
static void choose(tree_t *tree, uint32_t unit, uint64_t offset, uint64_t level,
                   bool after_last) {
  gmem_units_t *units = tree->units;
  const gmem_unit_t *self = &units->at[unit];
  gmem_search_spend(units->search, 1);
  offset += (self->remainder - offset) & (self->alignment - 1);
  if (offset < level || (offset == level && !after_last) ||
      self->size > tree->ceiling || offset > tree->ceiling - self->size ||
      meets(tree, unit, offset, tree->conflict[unit]))
    return;
  units->offset[unit] = offset;
  gmem_cost_t added = gmem_unit_cost(units, unit);
  units->offset[unit] = GMEM_UNPLACED;
  if (added.hard)
    return;
  if (tree->choice_count == MOST_CHOICES * MOST_UNITS) {
    tree->is_cut = true;
    return;
  }
  tree->choices[tree->choice_count++] = (choice_t){offset, added.penalty, unit};
}

// The places of the constraints of a unit.
static void choose_special(tree_t *tree, uint32_t unit, uint64_t level,
                           bool after_last) {
  const gmem_units_t *units = tree->units;
  for (size_t i = units->constraint_from[unit];
       i < units->constraint_from[unit + 1]; ++i) {
    const gmem_constraint_t *spec =
        gmem_problem_constraint(units->problem, units->constraints[i]);
    if (spec->kind == GMEM_AT && spec->pool == units->at[unit].pool)
      choose(tree, unit, spec->bytes, level, after_last);
    if (!gmem_has_slices(spec))
      continue;
    uint64_t over = tree->base % spec->bytes;
    for (uint64_t at = over ? spec->bytes - over : 0; at <= tree->ceiling;
         at += spec->bytes)
      choose(tree, unit, at, level, after_last);
  }
}

static void choose_all(tree_t *tree, uint32_t unit, uint64_t level,
                       uint32_t last) {
  const gmem_unit_t *self = &tree->units->at[unit];
  bool after_last = tree->placed == 0 || unit > last;
  if (self->is_fixed) {
    uint32_t buffer = tree->units->members[self->first];
    choose(tree, unit,
           gmem_problem_buffer(tree->units->problem, buffer)->fixed_offset,
           level, after_last);
    return;
  }
  choose(tree, unit, 0, level, after_last);
  FOR_EACH(v, (tree->conflict[unit] | tree->partner[unit]) & tree->placed)
  choose(tree, unit, end_of(tree, (uint32_t)v), level, after_last);
  choose_special(tree, unit, level, after_last);
}

// Where the first two units end that would be placed without touching anything
// and that only constraints of kind APART concern.
typedef struct cover_s {
  uint64_t first, second; // offsets
  uint32_t unit;          // the one that ends at |first|
} cover_t;

static cover_t find_cover(const tree_t *tree, const choice_t *choices,
                          size_t count) {
  cover_t cover = {UINT64_MAX, UINT64_MAX, MOST_UNITS};
  for (size_t i = 0; i < count; ++i) {
    uint32_t unit = choices[i].unit;
    uint64_t end = choices[i].offset + size_of(tree, unit);
    if (choices[i].added || !(tree->movable & bit(unit)))
      continue;
    if (end < cover.first) {
      if (unit != cover.unit)
        cover.second = cover.first;
      cover.first = end;
      cover.unit = unit;
    } else if (unit != cover.unit && end < cover.second) {
      cover.second = end;
    }
  }
  return cover;
}

static int compare_choices(const void *left, const void *right) {
  const choice_t *a = left, *b = right;
  int order = gmem_compare_numbers(a->offset, b->offset);
  order = order ? order : gmem_compare_numbers(a->added, b->added);
  return order ? order : gmem_compare_numbers(a->unit, b->unit);
}

// Drops the choices that another unit would fit below, sorts the others by
// offset, penalty and unit, and keeps each once. Returns their number.
static size_t filter_choices(const tree_t *tree, choice_t *choices,
                             size_t count) {
  cover_t cover = find_cover(tree, choices, count);
  size_t left = 0, kept = 0;
  for (size_t i = 0; i < count; ++i)
    if (choices[i].offset <
        (choices[i].unit == cover.unit ? cover.second : cover.first))
      choices[left++] = choices[i];
  qsort(choices, left, sizeof *choices, compare_choices);
  for (size_t i = 0; i < left; ++i)
    if (kept == 0 || compare_choices(&choices[i], &choices[kept - 1]) != 0)
      choices[kept++] = choices[i];
  return kept;
}

//===--- the search -------------------------------------------------------===//

static void found(tree_t *tree, uint64_t value) {
  for (uint32_t u = 0; u < tree->count; ++u)
    tree->best[u] = tree->units->offset[u];
  tree->best_value = value;
  tree->has_best = true;
}

// Places the rest from |level| on, after |last| at that offset.
static void search(tree_t *tree, uint64_t level, uint32_t last) {
  gmem_units_t *units = tree->units;
  uint64_t peak, all = units->count == 64 ? ~UINT64_C(0) : bit(tree->count) - 1;
  uint64_t work = (uint64_t)tree->count * tree->count;
  if (!gmem_search_spend(units->search, work))
    tree->is_cut = true;
  if (tree->is_cut || !may_fit(tree, level, &peak))
    return;
  uint64_t penalty = units->cost.penalty + certain_penalty(tree, level);
  uint64_t value = value_of(tree, peak, penalty);
  if (value >= tree->best_value)
    return;
  if (tree->placed == all) {
    found(tree, value);
    return;
  }
  size_t start = tree->choice_count;
  FOR_EACH(u, all & ~tree->placed)
  choose_all(tree, (uint32_t)u, level, last);
  size_t end = start + filter_choices(tree, tree->choices + start,
                                      tree->choice_count - start);
  tree->choice_count = end;
  for (size_t i = start; i < end && !tree->is_cut; ++i) {
    choice_t choice = tree->choices[i];
    gmem_unit_place(units, choice.unit, choice.offset);
    tree->placed |= bit(choice.unit);
    search(tree, choice.offset, choice.unit);
    tree->placed &= ~bit(choice.unit);
    gmem_unit_lift(units, choice.unit);
  }
  tree->choice_count = start;
}

// Searches from no unit placed, for less than the current placement.
static void run(tree_t *tree) {
  gmem_units_t *units = tree->units;
  uint64_t old[MOST_UNITS], peak = 0;
  set_conflicts(tree);
  set_partners(tree);
  set_cliques(tree);
  for (uint32_t u = 0; u < tree->count; ++u) {
    peak = end_of(tree, u) > peak ? end_of(tree, u) : peak;
    old[u] = units->offset[u];
  }
  tree->best_value =
      units->cost.hard ? UINT64_MAX : value_of(tree, peak, units->cost.penalty);
  for (uint32_t u = 0; u < tree->count; ++u)
    gmem_unit_lift(units, u);
  search(tree, 0, 0);
  assert(tree->placed == 0 && units->cost.penalty == 0);
  for (uint32_t u = 0; u < tree->count; ++u)
    gmem_unit_place(units, u, tree->has_best ? tree->best[u] : old[u]);
}

gmem_status_t gmem_penalty_search(gmem_units_t *units,
                                  const gmem_penalty_tree_t *options,
                                  bool *out_ended) {
  *out_ended = false;
  if (!applies(units))
    return GMEM_OK;
  tree_t *tree;
  GMEM_TRY_ZEROS(tree, &units->memory, 1);
  GMEM_TRY_NEW(tree->choices, &units->memory, MOST_CHOICES * MOST_UNITS);
  GMEM_TRY_NEW(tree->cliques, &units->memory, 4 * units->count);
  tree->units = units;
  tree->options = options;
  tree->count = units->count;
  tree->ceiling = units->ceiling[units->at[0].pool];
  tree->base = gmem_problem_pool(units->problem, units->at[0].pool)->base;
  uint64_t old = gmem_search_limit_stage(units->search, options->steps);
  run(tree);
  units->search->stage_limit = old;
  *out_ended = !tree->is_cut;
  gmem_scratch_drop(&units->memory, tree->cliques);
  gmem_scratch_drop(&units->memory, tree->choices);
  gmem_scratch_drop(&units->memory, tree);
  return GMEM_OK;
}
