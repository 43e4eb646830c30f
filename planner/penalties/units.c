// units.c - see units.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>

#include "problem_store.h"
#include "unit_places.h"
#include "units.h"
#include "units_cost.h"

enum { MOST_PAIRS = 1 << 22 }; // some 200 MB of lists

//===--- groups -----------------------------------------------------------===//

static uint32_t find_root(uint32_t *up, uint32_t buffer) {
  while (up[buffer] != buffer)
    buffer = up[buffer] = up[up[buffer]];
  return buffer;
}

// The lower index becomes the root, so that units are in order of their first
// buffers.
static void join(uint32_t *up, uint32_t a, uint32_t b) {
  a = find_root(up, a);
  b = find_root(up, b);
  up[a > b ? a : b] = a > b ? b : a;
}

static bool is_empty(const gmem_units_t *units, uint32_t buffer) {
  return gmem_problem_buffer(units->problem, buffer)->size == 0;
}

static void join_aliases(const gmem_units_t *units,
                         const gmem_placement_t *plan, uint32_t *up) {
  for (size_t i = 0; i < gmem_problem_alias_count(units->problem); ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(units->problem, i);
    gmem_placement_t child = plan[alias->child], parent = plan[alias->parent];
    bool is_used = child.pool == parent.pool && child.offset >= parent.offset &&
                   child.offset - parent.offset == alias->offset;
    assert(is_used || alias->is_optional || is_empty(units, alias->child));
    if (is_used && !is_empty(units, alias->child))
      join(up, alias->child, alias->parent);
  }
}

static void join_blocks(const gmem_units_t *units, uint32_t *up) {
  for (size_t i = 0; i < gmem_problem_block_count(units->problem); ++i) {
    const gmem_block_spec_t *block = gmem_problem_block(units->problem, i);
    uint32_t first = GMEM_NO_BUFFER;
    for (size_t k = 0; k < block->count; ++k) {
      if (is_empty(units, block->buffers[k]))
        continue;
      if (first == GMEM_NO_BUFFER)
        first = block->buffers[k];
      join(up, first, block->buffers[k]);
    }
  }
}

// Sets |unit_of|, and the number of buffers of each unit in |count|.
static void number_units(gmem_units_t *units, uint32_t *up) {
  for (uint32_t i = 0; i < units->buffer_count; ++i) {
    units->unit_of[i] = GMEM_NO_BUFFER;
    if (is_empty(units, i))
      continue;
    uint32_t root = find_root(up, i);
    if (root == i)
      units->at[units->count++] = (gmem_unit_t){.count = 0};
    units->unit_of[i] = root == i ? units->count - 1 : units->unit_of[root];
    ++units->at[units->unit_of[i]].count;
  }
}

//===--- units ------------------------------------------------------------===//

static void list_members(gmem_units_t *units) {
  uint32_t next = 0;
  for (uint32_t u = 0; u < units->count; ++u) {
    units->at[u].first = next;
    next += units->at[u].count;
    units->at[u].count = 0;
  }
  for (uint32_t i = 0; i < units->buffer_count; ++i)
    if (units->unit_of[i] != GMEM_NO_BUFFER) {
      gmem_unit_t *unit = &units->at[units->unit_of[i]];
      units->members[unit->first + unit->count++] = i;
    }
}

// The plan is aligned, and every unit has a buffer that the alignment of the
// pool applies to: moving by the largest alignment keeps all buffers aligned.
static void measure(gmem_units_t *units, uint32_t index,
                    const gmem_placement_t *plan) {
  gmem_unit_t *unit = &units->at[index];
  const uint32_t *members = units->members + unit->first;
  uint64_t low = UINT64_MAX, high = 0;
  unit->pool = plan[members[0]].pool;
  unit->alignment = gmem_problem_pool(units->problem, unit->pool)->alignment;
  for (uint32_t k = 0; k < unit->count; ++k) {
    const gmem_buffer_spec_t *spec =
        gmem_problem_buffer(units->problem, members[k]);
    uint64_t begin = plan[members[k]].offset, end = begin + spec->size;
    low = begin < low ? begin : low;
    high = end > high ? end : high;
    if (spec->alignment > unit->alignment)
      unit->alignment = spec->alignment;
    unit->is_fixed = unit->is_fixed || spec->has_fixed_offset;
  }
  for (uint32_t k = 0; k < unit->count; ++k)
    units->distance[members[k]] = plan[members[k]].offset - low;
  unit->size = high - low;
  unit->remainder = low & (unit->alignment - 1);
  units->offset[index] = low;
}

//===--- constraints ------------------------------------------------------===//

// The units of a constraint, each once. Returns their number.
static int units_of(const gmem_units_t *units, const gmem_constraint_t *spec,
                    uint32_t of[2]) {
  bool has_second = spec->kind != GMEM_BOUNDARY && spec->kind != GMEM_AT;
  of[0] = units->unit_of[spec->first];
  of[1] = has_second ? units->unit_of[spec->second] : of[0];
  if (of[0] == GMEM_NO_BUFFER || of[1] == GMEM_NO_BUFFER)
    return 0; // constraints do not apply to empty buffers
  return of[0] == of[1] ? 1 : 2;
}

static gmem_status_t list_constraints(gmem_units_t *units) {
  const gmem_problem_t *problem = units->problem;
  size_t count = gmem_problem_constraint_count(problem), *from;
  uint32_t of[2];
  GMEM_TRY_ZEROS(from, &units->memory, (size_t)units->count + 2);
  GMEM_TRY_NEW(units->constraints, &units->memory, 2 * count);
  for (size_t i = 0; i < count; ++i)
    for (int n = units_of(units, gmem_problem_constraint(problem, i), of); n;)
      ++from[of[--n] + 2];
  for (uint32_t u = 0; u < units->count; ++u)
    from[u + 2] += from[u + 1];
  for (int others = 0; others < 2; ++others)
    for (size_t i = 0; i < count; ++i) {
      const gmem_constraint_t *spec = gmem_problem_constraint(problem, i);
      if (gmem_has_slices(spec) == (others == 0))
        for (int n = units_of(units, spec, of); n;)
          units->constraints[from[of[--n] + 1]++] = (uint32_t)i;
    }
  units->constraint_from = from;
  return GMEM_OK;
}

// The cost when all units are placed: every constraint once.
static gmem_cost_t whole_cost(const gmem_units_t *units) {
  gmem_cost_t cost = {0, 0};
  for (size_t i = 0; i < gmem_problem_constraint_count(units->problem); ++i) {
    const gmem_constraint_t *spec = gmem_problem_constraint(units->problem, i);
    if (!gmem_units_break(units, spec))
      continue;
    cost.hard += spec->penalty == GMEM_HARD;
    cost.penalty += spec->penalty == GMEM_HARD ? 0 : spec->penalty;
  }
  return cost;
}

//===--- creation ---------------------------------------------------------===//

static gmem_status_t create(gmem_units_t *units, const gmem_placement_t *plan) {
  gmem_scratch_t *memory = &units->memory;
  uint32_t count = units->buffer_count, *up;
  GMEM_TRY_NEW(up, memory, count);
  GMEM_TRY_NEW(units->at, memory, count);
  GMEM_TRY_NEW(units->members, memory, count);
  GMEM_TRY_NEW(units->unit_of, memory, count);
  GMEM_TRY_ZEROS(units->distance, memory, count);
  GMEM_TRY_NEW(units->offset, memory, count);
  GMEM_TRY_NEW(units->ceiling, memory, gmem_problem_pool_count(units->problem));
  for (uint32_t i = 0; i < count; ++i)
    up[i] = i;
  join_aliases(units, plan, up);
  join_blocks(units, up);
  number_units(units, up);
  list_members(units);
  for (uint32_t u = 0; u < units->count; ++u)
    measure(units, u, plan);
  GMEM_TRY(list_constraints(units));
  GMEM_TRY(gmem_conflicts_create(units->problem, MOST_PAIRS, &units->conflicts,
                                 memory->diag));
  units->cost = whole_cost(units);
  return gmem_unit_places_alloc(units);
}

gmem_status_t gmem_units_create(const gmem_problem_t *problem,
                                gmem_search_t *search,
                                const gmem_placement_t *plan,
                                gmem_units_t *units, gmem_diag_t *diag) {
  *units = (gmem_units_t){
      .problem = problem,
      .search = search,
      .buffer_count = gmem_problem_buffer_count(problem),
      .memory = {.allocator = gmem_problem_allocator(problem), .diag = diag}};
  return create(units, plan);
}

void gmem_units_destroy(gmem_units_t *units) {
  gmem_conflicts_destroy(units->problem, &units->conflicts);
  gmem_scratch_free(&units->memory);
}

void gmem_units_write(const gmem_units_t *units, gmem_placement_t *plan) {
  for (uint32_t i = 0; i < units->buffer_count; ++i) {
    uint32_t unit = units->unit_of[i];
    if (unit == GMEM_NO_BUFFER)
      continue;
    assert(units->offset[unit] != GMEM_UNPLACED);
    plan[i].pool = units->at[unit].pool;
    plan[i].offset = units->offset[unit] + units->distance[i];
  }
}

bool gmem_units_cover_all_plans(const gmem_units_t *units) {
  for (uint32_t i = 0; i < units->buffer_count; ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(units->problem, i);
    if (spec->pool_count > 1 && !spec->has_fixed_offset)
      return false;
  }
  return !gmem_problem_traits(units->problem).has_optional;
}
