// penalty_bound.c - a lower bound of the penalty of placements below the
// ceilings.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "penalty_bound.h"

// Each soft constraint by itself: two buffers that should be apart must share
// bytes if they do not fit below the ceiling beside the buffers that are live
// at one time of the first and conflict with the second. A buffer that may go
// to another pool, or in place of another, is left out.

typedef struct bound_s {
  gmem_units_t *units;
  bool *may_leave; // by buffer
} bound_t;

static const gmem_buffer_spec_t *spec_of(const bound_t *bound,
                                         uint32_t buffer) {
  return gmem_problem_buffer(bound->units->problem, buffer);
}

static void mark_movable(bound_t *bound) {
  const gmem_problem_t *problem = bound->units->problem;
  for (uint32_t i = 0; i < bound->units->buffer_count; ++i) {
    const gmem_buffer_spec_t *spec = spec_of(bound, i);
    bound->may_leave[i] =
        spec->size == 0 || (spec->pool_count > 1 && !spec->has_fixed_offset);
  }
  for (size_t i = 0; i < gmem_problem_alias_count(problem); ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(problem, i);
    bound->may_leave[alias->child] = bound->may_leave[alias->parent] = true;
  }
}

static bool has_conflict(const gmem_conflicts_t *conflicts, uint32_t a,
                         uint32_t b) {
  size_t from = conflicts->starts[a];
  size_t count = conflicts->starts[a + 1] - from;
  size_t at = gmem_find_number(conflicts->others + from, count, b);
  return at < count && conflicts->others[from + at] == b;
}

// Whether the buffer is live at |time|, has no branches, and stays in |pool|:
// those that are live at one time conflict with each other.
static bool counts(const bound_t *bound, uint32_t buffer, uint32_t pool,
                   int64_t time) {
  const gmem_buffer_spec_t *spec = spec_of(bound, buffer);
  if (bound->may_leave[buffer] || spec->pools[0] != pool || spec->branch_count)
    return false;
  for (size_t i = 0; i < spec->range_count; ++i)
    if (spec->ranges[i].begin <= time && time < spec->ranges[i].end)
      return true;
  return false;
}

// The bytes of the buffers that are live at |time| and conflict with both.
static uint64_t load_beside(const bound_t *bound, uint32_t first,
                            uint32_t second, int64_t time) {
  const gmem_conflicts_t *conflicts = &bound->units->conflicts;
  uint32_t pool = spec_of(bound, first)->pools[0];
  uint64_t sum = 0;
  gmem_search_spend(bound->units->search,
                    conflicts->starts[first + 1] - conflicts->starts[first]);
  for (size_t i = conflicts->starts[first]; i < conflicts->starts[first + 1];
       ++i) {
    uint32_t other = conflicts->others[i];
    if (other != second && counts(bound, other, pool, time) &&
        has_conflict(conflicts, second, other) &&
        !gmem_add_bytes(sum, spec_of(bound, other)->size, &sum))
      return GMEM_MAX_ADDRESS;
  }
  return sum;
}

static bool must_share(bound_t *bound, const gmem_constraint_t *constraint) {
  uint32_t first = constraint->first, second = constraint->second;
  const gmem_buffer_spec_t *a = spec_of(bound, first),
                           *b = spec_of(bound, second);
  if (bound->may_leave[first] || bound->may_leave[second] ||
      a->pools[0] != b->pools[0] ||
      has_conflict(&bound->units->conflicts, first, second))
    return false;
  uint64_t ceiling = bound->units->ceiling[a->pools[0]], both;
  if (!gmem_add_bytes(a->size, b->size, &both) || both > ceiling)
    return true;
  const gmem_conflicts_t *conflicts = &bound->units->conflicts;
  for (size_t i = conflicts->starts[first];
       i < conflicts->starts[first + 1] &&
       gmem_search_spend(bound->units->search, 1);
       ++i) { // the load rises where a buffer begins
    int64_t time = spec_of(bound, conflicts->others[i])->ranges[0].begin;
    if (load_beside(bound, first, second, time) > ceiling - both)
      return true;
  }
  return false;
}

static bool is_forced(bound_t *bound, const gmem_constraint_t *spec) {
  const gmem_buffer_spec_t *first = spec_of(bound, spec->first);
  if (spec->kind == GMEM_APART)
    return must_share(bound, spec);
  if (spec->kind != GMEM_AT || bound->may_leave[spec->first])
    return false;
  uint64_t ceiling = bound->units->ceiling[first->pools[0]];
  return spec->pool != first->pools[0] || first->size > ceiling ||
         spec->bytes > ceiling - first->size;
}

gmem_status_t gmem_penalty_bound(gmem_units_t *units, uint64_t steps,
                                 uint64_t *out_bound) {
  bound_t bound = {.units = units};
  uint64_t sum = 0;
  size_t count = gmem_problem_constraint_count(units->problem);
  uint64_t old = gmem_search_limit_stage(units->search, steps);
  GMEM_TRY_NEW(bound.may_leave, &units->memory, units->buffer_count);
  mark_movable(&bound);
  for (size_t i = 0; i < count && gmem_search_spend(units->search, 1); ++i) {
    const gmem_constraint_t *spec = gmem_problem_constraint(units->problem, i);
    if (spec->penalty != GMEM_HARD && is_forced(&bound, spec))
      sum += spec->penalty;
  }
  units->search->stage_limit = old;
  gmem_scratch_drop(&units->memory, bound.may_leave);
  *out_bound = sum;
  return GMEM_OK;
}
