// unit_places.c - the offsets at which one unit may be placed among others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A placed buffer in conflict with a buffer of the unit forbids an open
// interval of offsets. Places are tried where the unit touches something: the
// bottom of the pool, either end of a buffer that it must or should not share
// bytes with, the next boundary or slice of banks from there, or the place that
// a constraint names. The places are sorted, and a sweep over the intervals by
// their low ends keeps those in none.

#include <assert.h>

#include "unit_places.h"

enum { MOST_SLICES = 8, MOST_VARIANTS = 32 };

typedef struct lister_s {
  gmem_units_t *units;
  const gmem_unit_t *unit;
  uint64_t limit; // the highest offset
  uint64_t base;
  size_t interval_count, place_count;
  uint64_t looks; // at conflicts and constraints
} lister_t;

//===--- room -------------------------------------------------------------===//

// Places per touched end: itself, and those at slices or boundaries.
static size_t variants_of(const gmem_units_t *units, uint32_t unit) {
  size_t count = 1;
  for (size_t i = units->constraint_from[unit];
       i < units->constraint_from[unit + 1]; ++i) {
    const gmem_constraint_t *spec =
        gmem_problem_constraint(units->problem, units->constraints[i]);
    if (spec->kind == GMEM_BANKS)
      count += spec->banks < MOST_SLICES ? spec->banks : MOST_SLICES;
    else
      count += spec->kind == GMEM_BOUNDARY;
  }
  return count < MOST_VARIANTS ? count : MOST_VARIANTS + MOST_SLICES;
}

static size_t room_of(const gmem_units_t *units, uint32_t unit) {
  const gmem_unit_t *self = &units->at[unit];
  size_t ends = 2; // the bottom
  for (uint32_t k = 0; k < self->count; ++k) {
    uint32_t buffer = units->members[self->first + k];
    ends += 2 * (units->conflicts.starts[buffer + 1] -
                 units->conflicts.starts[buffer]);
  }
  ends += 4 * (units->constraint_from[unit + 1] - units->constraint_from[unit]);
  return ends * variants_of(units, unit);
}

gmem_status_t gmem_unit_places_alloc(gmem_units_t *units) {
  size_t most = 1;
  for (uint32_t u = 0; u < units->count; ++u) {
    size_t room = room_of(units, u);
    most = room > most ? room : most;
  }
  units->most_places = most;
  GMEM_TRY_NEW(units->places, &units->memory, most);
  GMEM_TRY_NEW(units->low, &units->memory, 2 * most);
  GMEM_TRY_NEW(units->high, &units->memory, most);
  GMEM_TRY_ZEROS(units->found, &units->memory, 2 * most);
  return GMEM_OK;
}

//===--- places -----------------------------------------------------------===//

static void put(lister_t *lister, uint64_t offset) {
  const gmem_unit_t *unit = lister->unit;
  uint64_t up = (unit->remainder - offset) & (unit->alignment - 1);
  if (offset > lister->limit || up > lister->limit - offset)
    return;
  assert(lister->place_count < lister->units->most_places);
  lister->units->found[lister->place_count++].key = offset + up;
}

// The first offset from |offset| on at which byte |distance| of the unit is at
// a multiple of |bytes|.
static uint64_t next_multiple(const lister_t *lister, uint64_t offset,
                              uint64_t distance, uint64_t bytes) {
  uint64_t over = (lister->base + offset + distance) % bytes;
  return over ? offset + (bytes - over) : offset;
}

// A place where the unit touches something, and those that follow from it.
static void touch(lister_t *lister, uint64_t offset) {
  const gmem_units_t *units = lister->units;
  uint32_t index = (uint32_t)(lister->unit - units->at);
  size_t left = MOST_VARIANTS;
  put(lister, offset);
  if (offset > lister->limit)
    return;
  for (size_t i = units->constraint_from[index];
       left && i < units->constraint_from[index + 1]; ++i) {
    const gmem_constraint_t *spec =
        gmem_problem_constraint(units->problem, units->constraints[i]);
    if (!gmem_has_slices(spec)) // these come first
      break;
    ++lister->looks;
    uint32_t self =
        units->unit_of[spec->first] == index ? spec->first : spec->second;
    uint64_t at =
        next_multiple(lister, offset, units->distance[self], spec->bytes);
    uint32_t slices = spec->kind == GMEM_BOUNDARY ? 1 : spec->banks;
    slices = slices < MOST_SLICES ? slices : MOST_SLICES;
    for (; slices && left && at <= lister->limit; --slices, --left) {
      put(lister, at);
      at += spec->bytes;
    }
  }
}

// Lets byte |distance| of the unit be at |offset|, if that is in the pool.
static void touch_byte(lister_t *lister, uint64_t offset, uint64_t distance) {
  if (offset >= distance)
    touch(lister, offset - distance);
}

// Below: the highest aligned offset, so that the unit ends there or before.
static void touch_below(lister_t *lister, uint64_t end, uint64_t distance,
                        uint64_t size) {
  const gmem_unit_t *unit = lister->unit;
  if (end < distance + size)
    return;
  uint64_t offset = end - distance - size;
  uint64_t down = (offset - unit->remainder) & (unit->alignment - 1);
  if (offset >= down)
    touch(lister, offset - down);
}

//===--- neighbours -------------------------------------------------------===//

static bool is_beside(const lister_t *lister, uint32_t buffer,
                      uint64_t *out_offset) {
  const gmem_units_t *units = lister->units;
  uint32_t unit = units->unit_of[buffer];
  if (unit == GMEM_NO_BUFFER || &units->at[unit] == lister->unit ||
      units->offset[unit] == GMEM_UNPLACED ||
      units->at[unit].pool != lister->unit->pool)
    return false;
  *out_offset = units->offset[unit] + units->distance[buffer];
  return true;
}

static void add_neighbour(lister_t *lister, uint32_t self, uint32_t other,
                          bool is_conflict) {
  gmem_units_t *units = lister->units;
  uint64_t begin;
  if (!is_beside(lister, other, &begin))
    return;
  uint64_t end = begin + gmem_problem_buffer(units->problem, other)->size;
  uint64_t size = gmem_problem_buffer(units->problem, self)->size;
  uint64_t distance = units->distance[self];
  touch_byte(lister, end, distance);
  touch_below(lister, begin, distance, size);
  if (!is_conflict)
    return;
  size_t index = lister->interval_count++;
  units->low[index] =
      (gmem_order_t){gmem_time_key((int64_t)begin - (int64_t)(distance + size)),
                     (uint32_t)index};
  units->high[index] = gmem_time_key((int64_t)end - (int64_t)distance);
}

static void add_conflicts(lister_t *lister) {
  const gmem_units_t *units = lister->units;
  for (uint32_t k = 0; k < lister->unit->count; ++k) {
    uint32_t self = units->members[lister->unit->first + k];
    size_t first = units->conflicts.starts[self];
    size_t end = units->conflicts.starts[self + 1];
    for (size_t i = first; i < end; ++i)
      add_neighbour(lister, self, units->conflicts.others[i], true);
    lister->looks += end - first;
  }
}

static void add_constraint(lister_t *lister, const gmem_constraint_t *spec,
                           uint32_t self, uint32_t other) {
  uint64_t distance = lister->units->distance[self], begin;
  if (spec->kind == GMEM_APART)
    add_neighbour(lister, self, other, false);
  if (spec->kind == GMEM_AT && spec->pool == lister->unit->pool)
    touch_byte(lister, spec->bytes, distance);
  if (spec->kind != GMEM_NEAR || !is_beside(lister, other, &begin))
    return;
  touch_byte(lister, begin > spec->bytes ? begin - spec->bytes : 0, distance);
  touch_below(lister, begin + spec->bytes, distance, 0);
}

static void add_constraints(lister_t *lister) {
  const gmem_units_t *units = lister->units;
  uint32_t index = (uint32_t)(lister->unit - units->at);
  for (size_t i = units->constraint_from[index];
       i < units->constraint_from[index + 1]; ++i) {
    const gmem_constraint_t *spec =
        gmem_problem_constraint(units->problem, units->constraints[i]);
    bool is_first = units->unit_of[spec->first] == index;
    ++lister->looks;
    add_constraint(lister, spec, is_first ? spec->first : spec->second,
                   is_first ? spec->second : spec->first);
  }
}

//===--- the sweep --------------------------------------------------------===//

// Keeps the places in no interval, each once, ascending. Returns their number.
static size_t keep_free(const lister_t *lister) {
  gmem_units_t *units = lister->units;
  size_t room = units->most_places, next = 0, kept = 0;
  size_t count = gmem_sort_distinct(units->found, units->found + room,
                                    lister->place_count);
  units->found_count = count;
  gmem_search_spend(units->search, lister->looks + 4 * (lister->interval_count +
                                                        lister->place_count));
  uint64_t reached = 0; // by the intervals that begin below the place
  gmem_sort_order(units->low, units->low + room, lister->interval_count);
  for (size_t i = 0; i < count; ++i) {
    uint64_t place = units->found[i].key, key = gmem_time_key((int64_t)place);
    for (; next < lister->interval_count && units->low[next].key < key; ++next)
      if (units->high[units->low[next].index] > reached)
        reached = units->high[units->low[next].index];
    if (reached <= key)
      units->places[kept++] = place;
  }
  return kept;
}

size_t gmem_unit_places(gmem_units_t *units, uint32_t unit) {
  const gmem_unit_t *self = &units->at[unit];
  uint64_t ceiling = units->ceiling[self->pool];
  assert(units->offset[unit] == GMEM_UNPLACED);
  if (self->size > ceiling)
    return 0;
  lister_t lister = {.units = units,
                     .unit = self,
                     .limit = ceiling - self->size,
                     .base =
                         gmem_problem_pool(units->problem, self->pool)->base};
  touch(&lister, 0);
  add_conflicts(&lister);
  add_constraints(&lister);
  return keep_free(&lister);
}
