// units_cost.c - which constraints a placement of units breaks. Independent of
// planner/check, which verifies the result.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>

#include "units_cost.h"

// Whether intervals of slices of an interleave meet in a bank: a slice of
// either is in the bank of the first one of the other.
static bool meet_in_bank(uint64_t a, uint64_t a_end, uint64_t b, uint64_t b_end,
                         const gmem_constraint_t *spec) {
  uint64_t a_slice = a / spec->bytes, b_slice = b / spec->bytes;
  uint64_t a_more = (a_end - 1) / spec->bytes - a_slice;
  uint64_t b_more = (b_end - 1) / spec->bytes - b_slice;
  uint64_t gap = b_slice >= a_slice
                     ? (b_slice - a_slice) % spec->banks
                     : spec->banks - 1 - (a_slice - b_slice - 1) % spec->banks;
  return gap <= a_more || (gap ? spec->banks - gap : 0) <= b_more;
}

static bool breaks_pair(const gmem_constraint_t *spec, uint64_t base,
                        uint64_t a, uint64_t a_size, uint64_t b,
                        uint64_t b_size) {
  switch (spec->kind) {
  case GMEM_APART:
    return a < b + b_size && b < a + a_size;
  case GMEM_BANKS:
    return meet_in_bank(base + a, base + a + a_size, base + b,
                        base + b + b_size, spec);
  default:
    assert(spec->kind == GMEM_NEAR);
    return (a < b ? b - a : a - b) > spec->bytes;
  }
}

bool gmem_units_break(const gmem_units_t *units,
                      const gmem_constraint_t *spec) {
  uint32_t unit = units->unit_of[spec->first];
  if (unit == GMEM_NO_BUFFER || units->offset[unit] == GMEM_UNPLACED)
    return false;
  uint32_t pool = units->at[unit].pool;
  uint64_t base = gmem_problem_pool(units->problem, pool)->base;
  uint64_t size = gmem_problem_buffer(units->problem, spec->first)->size;
  uint64_t at = units->offset[unit] + units->distance[spec->first];
  if (spec->kind == GMEM_AT)
    return pool != spec->pool || at != spec->bytes;
  if (spec->kind == GMEM_BOUNDARY)
    return (base + at) % spec->bytes + size > spec->bytes;
  uint32_t other = units->unit_of[spec->second];
  if (other == GMEM_NO_BUFFER || units->offset[other] == GMEM_UNPLACED)
    return false;
  if (units->at[other].pool != pool)
    return spec->kind == GMEM_NEAR;
  return breaks_pair(spec, base, at, size,
                     units->offset[other] + units->distance[spec->second],
                     gmem_problem_buffer(units->problem, spec->second)->size);
}

// The cost of the constraints of |unit|; of some of them if that is above
// |most|. Counts the work.
static gmem_cost_t cost_up_to(const gmem_units_t *units, uint32_t unit,
                              gmem_cost_t most) {
  gmem_cost_t cost = {0, 0};
  size_t first = units->constraint_from[unit], i = first;
  for (; i < units->constraint_from[unit + 1] && !gmem_cost_below(most, cost);
       ++i) {
    const gmem_constraint_t *spec =
        gmem_problem_constraint(units->problem, units->constraints[i]);
    if (!gmem_units_break(units, spec))
      continue;
    if (spec->penalty == GMEM_HARD)
      ++cost.hard;
    else
      cost.penalty += spec->penalty;
  }
  gmem_search_spend(units->search, 1 + i - first);
  return cost;
}

gmem_cost_t gmem_unit_cost(const gmem_units_t *units, uint32_t unit) {
  return cost_up_to(units, unit, (gmem_cost_t){UINT64_MAX, UINT64_MAX});
}

void gmem_unit_place(gmem_units_t *units, uint32_t unit, uint64_t offset) {
  assert(units->offset[unit] == GMEM_UNPLACED);
  units->offset[unit] = offset;
  gmem_cost_t added = gmem_unit_cost(units, unit);
  units->cost.hard += added.hard;
  units->cost.penalty += added.penalty;
}

void gmem_unit_lift(gmem_units_t *units, uint32_t unit) {
  assert(units->offset[unit] != GMEM_UNPLACED);
  gmem_cost_t removed = gmem_unit_cost(units, unit);
  units->cost.hard -= removed.hard;
  units->cost.penalty -= removed.penalty;
  units->offset[unit] = GMEM_UNPLACED;
}

bool gmem_unit_place_cheapest(gmem_units_t *units, uint32_t unit, size_t count,
                              uint64_t *random) {
  gmem_cost_t least = {UINT64_MAX, UINT64_MAX};
  uint64_t chosen = 0, ties = 0;
  for (size_t i = 0;
       i < count && (i == 0 || gmem_search_spend(units->search, 1)); ++i) {
    units->offset[unit] = units->places[i];
    gmem_cost_t cost = cost_up_to(units, unit, least);
    if (gmem_cost_below(least, cost))
      continue;
    ties = gmem_cost_below(cost, least) ? 1 : ties + 1;
    if (ties == 1 || (random && gmem_xorshift(random) % ties == 0))
      chosen = units->places[i];
    least = cost;
  }
  units->offset[unit] = GMEM_UNPLACED;
  if (count)
    gmem_unit_place(units, unit, chosen);
  return count > 0;
}
