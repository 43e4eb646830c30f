// penalty_climb.c - local search for a lower penalty below the ceilings.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Ruin and recreate (Schrimpf and others, "Record breaking optimization results
// using the ruin and recreate principle", 2000): a step lifts a unit of a
// broken constraint, what is in its way, sometimes what should be near it, and
// a few of its neighbours, and places them again one after the other where that
// costs least. A step that finds no place for one of them, or costs more, is
// undone, but for a few that cost more. All placements satisfy the conflicts.

#include <assert.h>
#include <string.h>

#include "penalty_climb.h"
#include "unit_places.h"
#include "units_cost.h"

enum {
  MOST_LIFTED = 32,
  MOST_STALE = 400,
  PATIENCE = 60,
  OFFSETS_PER_STEP = 8
};

typedef struct climb_s {
  gmem_units_t *units;
  uint64_t random;
  uint64_t stale; // steps since the best placement was found
  uint32_t lifted[MOST_LIFTED];
  uint64_t old[MOST_LIFTED]; // their offsets
  uint32_t lifted_count;
  bool has_near;  // there are constraints of this kind
  uint64_t *best; // offsets
  gmem_cost_t best_cost;
} climb_t;

static uint64_t below(climb_t *climb, uint64_t count) {
  return gmem_xorshift(&climb->random) % count;
}

static void lift(climb_t *climb, uint32_t unit) {
  gmem_units_t *units = climb->units;
  if (climb->lifted_count == MOST_LIFTED || units->at[unit].is_fixed ||
      units->offset[unit] == GMEM_UNPLACED)
    return;
  climb->old[climb->lifted_count] = units->offset[unit];
  climb->lifted[climb->lifted_count++] = unit;
  gmem_unit_lift(units, unit);
}

//===--- what to lift -----------------------------------------------------===//

// A broken constraint, or NULL after a look at some that are not.
static const gmem_constraint_t *pick_broken(climb_t *climb) {
  const gmem_units_t *units = climb->units;
  size_t count = gmem_problem_constraint_count(units->problem);
  size_t at = below(climb, count);
  for (size_t i = 0; i < count; ++i, at = at + 1 == count ? 0 : at + 1) {
    const gmem_constraint_t *spec = gmem_problem_constraint(units->problem, at);
    gmem_search_spend(units->search, 1);
    if (gmem_units_break(units, spec))
      return spec;
  }
  return NULL;
}

// Lifts the units that are in the way of |buffer| at |offset|.
static void clear_way(climb_t *climb, uint32_t buffer, uint64_t offset) {
  const gmem_units_t *units = climb->units;
  const gmem_conflicts_t *conflicts = &units->conflicts;
  uint64_t end = offset + gmem_problem_buffer(units->problem, buffer)->size;
  gmem_search_spend(units->search,
                    conflicts->starts[buffer + 1] - conflicts->starts[buffer]);
  for (size_t i = conflicts->starts[buffer]; i < conflicts->starts[buffer + 1];
       ++i) {
    uint32_t other = conflicts->others[i], unit = units->unit_of[other];
    if (unit == GMEM_NO_BUFFER || units->offset[unit] == GMEM_UNPLACED ||
        units->at[unit].pool != units->at[units->unit_of[buffer]].pool)
      continue;
    uint64_t begin = units->offset[unit] + units->distance[other];
    if (begin < end &&
        offset < begin + gmem_problem_buffer(units->problem, other)->size)
      lift(climb, unit);
  }
}

static void lift_neighbours(climb_t *climb, uint32_t buffer) {
  const gmem_units_t *units = climb->units;
  const gmem_conflicts_t *conflicts = &units->conflicts;
  size_t first = conflicts->starts[buffer];
  size_t count = conflicts->starts[buffer + 1] - first;
  for (uint64_t n = count ? below(climb, 8) : 0; n > 0; --n) {
    uint32_t other = conflicts->others[first + below(climb, count)];
    lift(climb, units->unit_of[other]);
  }
}

// A unit that should be near others goes far only with them: lifts some that
// such constraints tie to a lifted one.
static void lift_tied(climb_t *climb) {
  enum { STEPS_PER_LIFT = 4 }; // the others move a unit on its own
  const gmem_units_t *units = climb->units;
  if (!climb->has_near || below(climb, STEPS_PER_LIFT) != 0)
    return;
  for (uint32_t k = 0; k < climb->lifted_count; ++k) {
    uint32_t unit = climb->lifted[k];
    size_t end = units->constraint_from[unit + 1];
    gmem_search_spend(units->search, end - units->constraint_from[unit]);
    for (size_t i = units->constraint_from[unit]; i < end; ++i) {
      const gmem_constraint_t *spec =
          gmem_problem_constraint(units->problem, units->constraints[i]);
      if (spec->kind != GMEM_NEAR || below(climb, 2) == 0)
        continue;
      lift(climb, units->unit_of[spec->first]);
      lift(climb, units->unit_of[spec->second]);
    }
  }
}

static void ruin(climb_t *climb) {
  const gmem_units_t *units = climb->units;
  const gmem_constraint_t *spec = pick_broken(climb);
  climb->lifted_count = 0;
  if (!spec)
    return;
  bool has_second = spec->kind != GMEM_AT && spec->kind != GMEM_BOUNDARY;
  uint32_t buffer = has_second && below(climb, 2) ? spec->second : spec->first;
  lift(climb, units->unit_of[buffer]);
  if (climb->lifted_count == 0 && has_second) { // it is fixed
    buffer = buffer == spec->first ? spec->second : spec->first;
    lift(climb, units->unit_of[buffer]);
  }
  if (spec->kind == GMEM_AT)
    clear_way(climb, buffer, spec->bytes);
  else if (has_second && below(climb, 3) == 0)
    lift(climb,
         units->unit_of[buffer == spec->first ? spec->second : spec->first]);
  lift_tied(climb);
  lift_neighbours(climb, buffer);
}

//===--- places again -----------------------------------------------------===//

static void shuffle_lifted(climb_t *climb) {
  bool by_size = below(climb, 2) == 0;
  for (uint32_t i = 1; i < climb->lifted_count; ++i) {
    uint32_t k = (uint32_t)(1 + below(climb, climb->lifted_count - 1));
    const gmem_unit_t *at = climb->units->at;
    uint32_t a = climb->lifted[i], b = climb->lifted[k];
    if (by_size && (i < k) != (at[b].size > at[a].size))
      continue;
    uint64_t old = climb->old[i];
    climb->lifted[i] = b;
    climb->lifted[k] = a;
    climb->old[i] = climb->old[k];
    climb->old[k] = old;
  }
}

static void undo(climb_t *climb) {
  gmem_units_t *units = climb->units;
  for (uint32_t i = 0; i < climb->lifted_count; ++i)
    if (units->offset[climb->lifted[i]] != GMEM_UNPLACED)
      gmem_unit_lift(units, climb->lifted[i]);
  for (uint32_t i = 0; i < climb->lifted_count; ++i)
    gmem_unit_place(units, climb->lifted[i], climb->old[i]);
}

static void step(climb_t *climb) {
  gmem_units_t *units = climb->units;
  gmem_cost_t before = units->cost;
  ruin(climb);
  shuffle_lifted(climb); // but for the first
  bool at_any = below(climb, 2) == 0, fits = true;
  for (uint32_t i = 0; fits && i < climb->lifted_count; ++i)
    fits = gmem_unit_place_cheapest(units, climb->lifted[i],
                                    gmem_unit_places(units, climb->lifted[i]),
                                    at_any ? &climb->random : NULL);
  bool may_rise = below(climb, PATIENCE) == 0;
  if (!fits || (gmem_cost_below(before, units->cost) && !may_rise))
    undo(climb);
}

//===--- the search -------------------------------------------------------===//

static void keep_best(climb_t *climb) {
  gmem_units_t *units = climb->units;
  ++climb->stale;
  if (!gmem_cost_below(units->cost, climb->best_cost))
    return;
  climb->stale = 0;
  climb->best_cost = units->cost;
  memcpy(climb->best, units->offset, units->count * sizeof *climb->best);
  gmem_search_spend(units->search, units->count / OFFSETS_PER_STEP);
}

static void return_to_best(climb_t *climb) {
  gmem_units_t *units = climb->units;
  memcpy(units->offset, climb->best, units->count * sizeof *climb->best);
  units->cost = climb->best_cost;
  gmem_search_spend(units->search, units->count / OFFSETS_PER_STEP);
}

static bool has_near(const gmem_problem_t *problem) {
  for (size_t i = 0; i < gmem_problem_constraint_count(problem); ++i)
    if (gmem_problem_constraint(problem, i)->kind == GMEM_NEAR)
      return true;
  return false;
}

gmem_status_t gmem_penalty_climb(gmem_units_t *units, uint64_t goal,
                                 uint64_t steps) {
  climb_t climb = {.units = units,
                   .random = 88172645463325252u,
                   .has_near = has_near(units->problem)};
  GMEM_TRY_NEW(climb.best, &units->memory, units->count);
  climb.best_cost = (gmem_cost_t){UINT64_MAX, UINT64_MAX};
  keep_best(&climb);
  uint64_t old = gmem_search_limit_stage(units->search, steps);
  while ((climb.best_cost.hard || climb.best_cost.penalty > goal) &&
         gmem_search_spend(units->search, 16)) {
    step(&climb);
    keep_best(&climb);
    if (climb.stale > 0 && climb.stale % MOST_STALE == 0)
      return_to_best(&climb);
  }
  return_to_best(&climb);
  units->search->stage_limit = old;
  gmem_scratch_drop(&units->memory, climb.best);
  return GMEM_OK;
}
