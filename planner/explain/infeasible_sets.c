// infeasible_sets.c - finds sets of pools that are too small together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The buffers whose candidates are all in a set of pools cannot have more bytes
// live at one time than the total capacity of the set (Hall's condition, with
// bytes). Only unions of candidate lists need to be tested: any other pool in a
// set only adds capacity. In addition, each buffer must fit in one of its
// candidates by itself.

#include <assert.h>

#include "infeasible.h"
#include "items.h"
#include "offset_groups.h"
#include "problem_store.h"

// Above these limits only the first pools and sets are tested, and fewer in
// large problems.
enum { MOST_POOLS = 64, MOST_SETS = 256 };
static const uint64_t MOST_LOOKS = UINT64_C(1)
                                   << 26; // visits of buffers, in total

typedef struct sets_s {
  const gmem_problem_t *problem;
  const gmem_solve_options_t *options;
  uint32_t *buffers, *pools; // results, with |found|
  gmem_infeasible_t *found;
  gmem_scratch_t memory;
  uint64_t *reach; // by buffer: a bit for each candidate pool; 0: empty, or a
                   // candidate without a bit
  bool *only;      // by buffer: belongs to the set
  uint64_t sets[MOST_SETS];
  size_t count;
} sets_t;

//===--- the sets ---------------------------------------------------------===//

// A buffer with a candidate pool without a bit belongs to no set.
static uint64_t reach_of(const gmem_problem_t *problem, uint32_t buffer) {
  const gmem_offset_groups_t *groups = gmem_problem_offset_groups(problem);
  uint64_t reach = 0;
  if (gmem_problem_buffer(problem, buffer)->size == 0)
    return 0;
  for (uint32_t at = 0, pool;
       gmem_group_candidate(groups, problem, buffer, &at, &pool); ++at) {
    if (pool >= MOST_POOLS)
      return 0;
    reach |= UINT64_C(1) << pool;
  }
  return reach;
}

static void add_set(sets_t *sets, uint64_t set) {
  if (!set || sets->count == MOST_SETS)
    return;
  for (size_t i = 0; i < sets->count; ++i)
    if (sets->sets[i] == set)
      return;
  sets->sets[sets->count++] = set;
}

static bool comes_before(uint64_t a, uint64_t b) {
  int in_a = __builtin_popcountll(a), in_b = __builtin_popcountll(b);
  return in_a != in_b ? in_a < in_b : a < b;
}

// Sorts the sets by size, smallest first.
static void sort_sets(sets_t *sets) {
  for (size_t i = 1; i < sets->count; ++i) {
    uint64_t moved = sets->sets[i];
    size_t k = i;
    for (; k && comes_before(moved, sets->sets[k - 1]); --k)
      sets->sets[k] = sets->sets[k - 1];
    sets->sets[k] = moved;
  }
}

static void list_sets(sets_t *sets) {
  uint64_t last = 0;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(sets->problem); ++i) {
    sets->reach[i] = reach_of(sets->problem, i);
    if (sets->reach[i] != last) // consecutive buffers are often alike
      add_set(sets, last = sets->reach[i]);
  }
  for (size_t i = 1; i < sets->count; ++i)
    for (size_t k = 0; k < i; ++k)
      add_set(sets, sets->sets[i] | sets->sets[k]);
  sort_sets(sets);
}

//===--- one set ----------------------------------------------------------===//

// The total capacity of the set, at most UINT64_MAX.
static uint64_t limit_of(const sets_t *sets, uint64_t set) {
  uint64_t sum = 0;
  for (uint64_t left = set; left; left &= left - 1) {
    uint64_t limit = gmem_pool_limit(
        gmem_problem_pool(sets->problem, (uint32_t)__builtin_ctzll(left)));
    if (__builtin_add_overflow(sum, limit, &sum))
      return UINT64_MAX;
  }
  return sum;
}

// Marks the buffers whose candidates are all in the set; returns the sum of
// their sizes, at most UINT64_MAX.
static uint64_t mark_members(sets_t *sets, uint64_t set) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(sets->problem); ++i) {
    uint64_t size = gmem_problem_buffer(sets->problem, i)->size;
    sets->only[i] = sets->reach[i] && !(sets->reach[i] & ~set);
    if (sets->only[i] && __builtin_add_overflow(sum, size, &sum))
      sum = UINT64_MAX;
  }
  return sum;
}

static size_t write_pools(const sets_t *sets, uint64_t set) {
  size_t count = 0;
  assert(set != 0);
  for (; set; set &= set - 1)
    sets->pools[count++] = (uint32_t)__builtin_ctzll(set);
  return count;
}

static bool is_larger_than_all(const sets_t *sets, uint32_t buffer) {
  uint64_t size = gmem_problem_buffer(sets->problem, buffer)->size;
  for (uint64_t left = sets->reach[buffer]; left; left &= left - 1)
    if (size <= gmem_pool_limit(gmem_problem_pool(
                    sets->problem, (uint32_t)__builtin_ctzll(left))))
      return false;
  return true;
}

// The first buffer that is larger than each of its candidate pools, if any.
static void search_large(const sets_t *sets) {
  for (uint32_t i = 0; i < gmem_problem_buffer_count(sets->problem); ++i) {
    if (!sets->reach[i] || !is_larger_than_all(sets, i))
      continue;
    sets->buffers[0] = i;
    *sets->found =
        (gmem_infeasible_t){.count = 1,
                            .irreducible = true,
                            .by_load = true,
                            .pool_count = write_pools(sets, sets->reach[i])};
    return;
  }
}

// The first set of several pools that is too small.
static gmem_status_t search_sets(sets_t *sets) {
  uint64_t looks = 0;
  for (size_t i = 0; i < sets->count && looks < MOST_LOOKS; ++i) {
    uint64_t set = sets->sets[i], limit = limit_of(sets, set);
    looks += gmem_problem_buffer_count(sets->problem);
    if (!(set & (set - 1)) || mark_members(sets, set) <= limit)
      continue;
    gmem_room_t room = {GMEM_NO_POOL, limit, sets->only};
    GMEM_TRY(gmem_find_infeasible_in(sets->problem, &room, sets->options,
                                     sets->buffers, sets->found,
                                     sets->memory.diag));
    sets->found->pool_count = sets->found->count ? write_pools(sets, set) : 0;
    if (sets->found->count)
      return GMEM_OK;
  }
  *sets->found = (gmem_infeasible_t){0};
  return GMEM_OK;
}

//===--- entry ------------------------------------------------------------===//

// The first pool that is too small by itself. |fits|: the buffers without
// another candidate were placed, in every pool.
static gmem_status_t search_pools(sets_t *sets) {
  bool fit = true;
  for (uint32_t i = 0; i < gmem_problem_pool_count(sets->problem); ++i) {
    GMEM_TRY(gmem_find_infeasible(sets->problem, i, sets->options,
                                  sets->buffers, sets->found,
                                  sets->memory.diag));
    fit = fit && sets->found->fits;
    if (sets->found->count) {
      sets->pools[0] = i;
      sets->found->pool_count = 1;
      return GMEM_OK;
    }
  }
  sets->found->fits = fit;
  return GMEM_OK;
}

static gmem_status_t search_all(sets_t *sets) {
  size_t count = gmem_problem_buffer_count(sets->problem);
  GMEM_TRY(search_pools(sets));
  if (sets->found->count)
    return GMEM_OK;
  bool fit = sets->found->fits;
  GMEM_TRY_NEW(sets->reach, &sets->memory, count);
  GMEM_TRY_NEW(sets->only, &sets->memory, count);
  list_sets(sets);
  search_large(sets);
  if (!sets->found->count)
    GMEM_TRY(search_sets(sets));
  sets->found->fits = fit && !sets->found->count;
  return GMEM_OK;
}

gmem_status_t gmem_find_shortage(const gmem_problem_t *problem,
                                 const gmem_solve_options_t *options,
                                 uint32_t *buffers, uint32_t *pools,
                                 gmem_infeasible_t *out_infeasible,
                                 gmem_diag_t *diag) {
  GMEM_PLANNER_NEED(problem && out_infeasible, diag);
  *out_infeasible = (gmem_infeasible_t){.fits = true};
  sets_t sets = {
      .problem = problem,
      .options = options,
      .buffers = buffers,
      .pools = pools,
      .found = out_infeasible,
      .memory = {.allocator = gmem_problem_allocator(problem), .diag = diag}};
  gmem_status_t status = search_all(&sets);
  gmem_scratch_free(&sets.memory);
  return status;
}
