// penalty_start.c - see penalty_start.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Units go to their named places, the first come first, and the others to where
// they pay least. A unit for which there is no place takes one from those that
// are in its way, which are then placed again: the fewest, counting each as
// often as it was in the way before (guided ejection, Nagata and Braysy 2009).

#include <string.h>

#include "penalty_start.h"
#include "unit_places.h"
#include "units_cost.h"

typedef struct starter_s {
  gmem_units_t *units;
  uint64_t *weight; // by unit
  uint32_t *queue;  // a ring of the units that are not placed
  uint32_t first, waiting;
} starter_t;

static void enqueue(starter_t *starter, uint32_t unit) {
  uint32_t count = starter->units->count;
  starter->queue[(starter->first + starter->waiting++) % count] = unit;
}

bool gmem_names_places(const gmem_units_t *units) {
  for (size_t i = 0; i < gmem_problem_constraint_count(units->problem); ++i)
    if (gmem_problem_constraint(units->problem, i)->kind == GMEM_AT)
      return true;
  return false;
}

//===--- in the way -------------------------------------------------------===//

// The next unit that is in the way of member |k| of |unit| at |offset|, from
// conflict *at on; GMEM_NO_BUFFER: none.
static uint32_t next_in_way(const gmem_units_t *units, uint32_t unit,
                            uint32_t k, uint64_t offset, size_t *at) {
  uint32_t self = units->members[units->at[unit].first + k];
  uint64_t begin = offset + units->distance[self];
  uint64_t end = begin + gmem_problem_buffer(units->problem, self)->size;
  while (*at < units->conflicts.starts[self + 1]) {
    uint32_t other = units->conflicts.others[(*at)++];
    uint32_t met = units->unit_of[other];
    if (met == GMEM_NO_BUFFER || met == unit ||
        units->offset[met] == GMEM_UNPLACED ||
        units->at[met].pool != units->at[unit].pool)
      continue;
    uint64_t low = units->offset[met] + units->distance[other];
    if (low < end &&
        begin < low + gmem_problem_buffer(units->problem, other)->size)
      return met;
  }
  return GMEM_NO_BUFFER;
}

// The sum of the weights of what is in the way; UINT64_MAX: something fixed.
// Counts the work.
static uint64_t weigh(const starter_t *starter, uint32_t unit, uint64_t offset,
                      uint64_t most) {
  const gmem_units_t *units = starter->units;
  uint64_t sum = 0;
  for (uint32_t k = 0; k < units->at[unit].count && sum < most; ++k) {
    uint32_t self = units->members[units->at[unit].first + k], met;
    size_t at = units->conflicts.starts[self];
    while (sum < most &&
           (met = next_in_way(units, unit, k, offset, &at)) != GMEM_NO_BUFFER)
      sum = units->at[met].is_fixed ? UINT64_MAX : sum + starter->weight[met];
    gmem_search_spend(units->search, 1 + at - units->conflicts.starts[self]);
  }
  return sum;
}

static void clear(starter_t *starter, uint32_t unit, uint64_t offset) {
  gmem_units_t *units = starter->units;
  for (uint32_t k = 0; k < units->at[unit].count; ++k) {
    uint32_t self = units->members[units->at[unit].first + k], met;
    size_t at = units->conflicts.starts[self];
    while ((met = next_in_way(units, unit, k, offset, &at)) != GMEM_NO_BUFFER) {
      ++starter->weight[met];
      gmem_unit_lift(units, met);
      enqueue(starter, met);
    }
  }
}

//===--- placing ----------------------------------------------------------===//

// The named place of a unit, if it is one of the free |places|.
static bool take_named(gmem_units_t *units, uint32_t unit, size_t count) {
  for (size_t i = units->constraint_from[unit];
       i < units->constraint_from[unit + 1]; ++i) {
    const gmem_constraint_t *spec =
        gmem_problem_constraint(units->problem, units->constraints[i]);
    uint64_t distance = units->distance[spec->first];
    if (spec->kind != GMEM_AT || spec->pool != units->at[unit].pool ||
        spec->bytes < distance)
      continue;
    for (size_t k = 0; k < count; ++k)
      if (units->places[k] == spec->bytes - distance) {
        gmem_unit_place(units, unit, units->places[k]);
        return true;
      }
  }
  return false;
}

// Places |unit|, at worst where others are. False: a fixed unit is in the way
// everywhere, or the work is used up.
static bool place(starter_t *starter, uint32_t unit) {
  gmem_units_t *units = starter->units;
  size_t count = gmem_unit_places(units, unit);
  if (take_named(units, unit, count) ||
      gmem_unit_place_cheapest(units, unit, count, NULL))
    return true;
  uint64_t chosen = 0, least = UINT64_MAX;
  for (size_t i = 0; i < units->found_count; ++i) {
    if (!gmem_search_spend(units->search, 1))
      return false;
    uint64_t offset = units->found[i].key;
    uint64_t weight = weigh(starter, unit, offset, least);
    if (weight < least) {
      least = weight;
      chosen = offset;
    }
  }
  if (least == UINT64_MAX)
    return false;
  clear(starter, unit, chosen);
  gmem_unit_place(units, unit, chosen);
  return true;
}

// All but the fixed ones; gmem_unit_lift asserts that they are placed.
static void lift_all(starter_t *starter) {
  gmem_units_t *units = starter->units;
  for (uint32_t u = 0; u < units->count; ++u) {
    starter->weight[u] = 1;
    if (!units->at[u].is_fixed)
      gmem_unit_lift(units, u);
  }
}

// Units without a named place wait until the others are placed.
static void place_named(starter_t *starter) {
  gmem_units_t *units = starter->units;
  for (uint32_t u = 0; u < units->count; ++u)
    if (units->offset[u] == GMEM_UNPLACED &&
        !take_named(units, u, gmem_unit_places(units, u)))
      enqueue(starter, u);
}

gmem_status_t gmem_penalty_start(gmem_units_t *units, uint64_t steps,
                                 bool *out_fits) {
  starter_t starter = {.units = units};
  GMEM_TRY_NEW(starter.weight, &units->memory, units->count);
  GMEM_TRY_NEW(starter.queue, &units->memory, units->count);
  uint64_t old = gmem_search_limit_stage(units->search, steps);
  lift_all(&starter);
  place_named(&starter);
  *out_fits = true;
  while (starter.waiting && *out_fits) {
    uint32_t unit = starter.queue[starter.first];
    starter.first = (starter.first + 1) % units->count;
    --starter.waiting;
    *out_fits = gmem_search_spend(units->search, 16) && place(&starter, unit);
  }
  units->search->stage_limit = old;
  gmem_scratch_drop(&units->memory, starter.queue);
  gmem_scratch_drop(&units->memory, starter.weight);
  return GMEM_OK;
}
