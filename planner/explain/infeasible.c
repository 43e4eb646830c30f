// infeasible.c - finds sets of buffers that do not fit together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// If the pressure at one time exceeds the capacity, the set is taken from the
// buffers live then, largest first, as many as needed. Otherwise it is all
// buffers of the pool, if a search proves that they do not fit. Then buffers
// are removed, in halves, quarters, ... and single ones, while the rest is
// still proved not to fit (a deletion filter; Chinneck, Dravnieks, "Locating
// minimal infeasible constraint sets in linear programs", 1991). At the end the
// search tries whether the rest fits without each single buffer.
//
// For several pools together only the pressure is considered, against the sum
// of their capacities.

#include "infeasible.h"

#include <assert.h>
#include <string.h>

#include "algorithms.h"
#include "few_fit.h"
#include "offset_groups.h"
#include "packing_query.h"
#include "planner_internal.h"
#include "planner_memory.h"
#include "problem_store.h"
#include "search.h"

//===--- feasibility tests ------------------------------------------------===//

// Above this many buffers only the pressure is considered.
enum { MOST_SEARCHED = 4096, MOST_FILTERED = 1024 };

typedef enum verdict_e { UNKNOWN, FITS, TOO_MUCH } verdict_t;

typedef struct filter_s {
  const gmem_problem_t *problem;
  gmem_room_t room;
  const gmem_solve_options_t *options;
  gmem_search_t search;
  gmem_scratch_t memory;
  uint64_t steps_per_test;
  bool *in;           // by buffer: the set
  bool *left;         // by buffer: the set without those being removed
  uint32_t *pool_of;  // by buffer
  gmem_order_t *list; // scratch: two entries per buffer
  gmem_status_t status;
} filter_t;

static bool is_of_several(const filter_t *filter) {
  return filter->room.pool == GMEM_NO_POOL;
}

// Whether the pressure of |left| exceeds the limit.
static verdict_t test_pressure(filter_t *filter) {
  gmem_packing_t packing;
  verdict_t verdict = UNKNOWN;
  if (filter->status != GMEM_OK) // no more tests after a failure
    return UNKNOWN;
  filter->status = gmem_packing_create_for_bound(
      filter->problem, filter->room.pool, filter->left, &packing,
      filter->memory.diag);
  if (filter->status == GMEM_OK && packing.bound > filter->room.limit)
    verdict = TOO_MUCH;
  gmem_packing_destroy(&packing);
  return verdict;
}

static gmem_status_t search_packing(filter_t *filter, gmem_packing_t *packing,
                                    uint64_t *offsets, verdict_t *verdict) {
  gmem_search_t *search = &filter->search;
  gmem_diag_t *diag = filter->memory.diag;
  if (packing->goal < packing->limit)
    packing->goal = packing->limit;
  gmem_search_begin_stage(search, "certificate", filter->steps_per_test);
  search->proved = false;
  gmem_status_t status =
      gmem_pack(gmem_multi_order_pack, packing, search, offsets, diag);
  if (status == GMEM_ERR_OVER_BUDGET || status == GMEM_ERR_OVERLAP)
    return GMEM_OK; // undecided
  GMEM_TRY(status);
  if (gmem_packing_peak(packing, offsets) > packing->limit &&
      packing->count <= MOST_SEARCHED)
    GMEM_TRY(gmem_pack(gmem_exact_pack, packing, search, offsets, diag));
  if (gmem_packing_peak(packing, offsets) <= packing->limit)
    *verdict = FITS;
  else if (search->proved && packing->is_exact &&
           !gmem_problem_traits(filter->problem).has_optional)
    *verdict = TOO_MUCH;
  return GMEM_OK;
}

static gmem_status_t pack_left(filter_t *filter, gmem_packing_t *packing,
                               verdict_t *verdict) {
  uint64_t *offsets;
  GMEM_TRY(gmem_packing_create(filter->problem, filter->room.pool,
                               filter->pool_of, NULL, NULL, packing,
                               filter->memory.diag));
  GMEM_TRY_NEW(offsets, &packing->memory, packing->count);
  return search_packing(filter, packing, offsets, verdict);
}

// Whether the buffers of |left| fit in the one pool, by any method.
static verdict_t test_pool(filter_t *filter) {
  gmem_packing_t packing;
  verdict_t verdict = UNKNOWN;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(filter->problem); ++i)
    filter->pool_of[i] = filter->left[i] ? filter->room.pool : GMEM_NO_POOL;
  filter->status = pack_left(filter, &packing, &verdict);
  gmem_packing_destroy(&packing);
  return verdict;
}

// Whether the buffers of |left| fit, by any method.
static verdict_t test_set(filter_t *filter) {
  verdict_t verdict = test_pressure(filter);
  if (verdict == TOO_MUCH || filter->status != GMEM_OK)
    return verdict;
  if (!is_of_several(filter))
    return test_pool(filter);
  bool fits = false;
  filter->status = gmem_few_fit(filter->problem, filter->left, filter->options,
                                &fits, filter->memory.diag);
  return fits ? FITS : UNKNOWN;
}

// As far as this is worth its time while the set is filtered.
static verdict_t test_quickly(filter_t *filter) {
  return is_of_several(filter) ? test_pressure(filter) : test_set(filter);
}

//===--- the first set ----------------------------------------------------===//

static void copy_set(const filter_t *filter, bool *to, const bool *from) {
  memcpy(to, from, gmem_problem_buffer_count(filter->problem) * sizeof(bool));
}

static size_t count_set(const filter_t *filter) {
  size_t count = 0;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(filter->problem); ++i)
    count += filter->in[i];
  return count;
}

// Selects the buffers without another candidate. Returns their number.
static size_t select_all(filter_t *filter) {
  gmem_packing_t packing;
  if (is_of_several(filter)) {
    copy_set(filter, filter->in, filter->room.only);
    return count_set(filter);
  }
  memset(filter->in, 0,
         gmem_problem_buffer_count(filter->problem) * sizeof(bool));
  filter->status = gmem_packing_create_for_bound(
      filter->problem, filter->room.pool, NULL, &packing, filter->memory.diag);
  for (uint32_t i = 0; filter->status == GMEM_OK && i < packing.member_count;
       ++i)
    filter->in[packing.members[i].buffer] = true;
  gmem_packing_destroy(&packing);
  return count_set(filter);
}

static bool is_in_section(const gmem_packing_t *packing,
                          const gmem_item_t *item, uint32_t section) {
  for (gmem_live_part_t live = {0}; gmem_next_live(packing, item, &live);)
    if (live.span.begin <= section && section < live.span.end)
      return true;
  return false;
}

// Keeps the buffers that are live at the highest pressure, when that exceeds
// the limit; a fixed buffer that ends above the limit suffices alone.
static void keep_peak_section(filter_t *filter, const gmem_packing_t *packing,
                              const uint64_t *needed) {
  uint32_t section = 0;
  for (uint32_t i = 1; i < packing->section_count; ++i)
    if (needed[i] > needed[section])
      section = i;
  uint64_t limit = filter->room.limit;
  bool by_load = needed[section] > limit;
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_item_t *item = &packing->items[i];
    bool is_above =
        gmem_is_fixed(item) && item->fixed_offset + item->size > limit;
    if (by_load ? is_in_section(packing, item, section) : is_above)
      continue;
    for (uint32_t k = item->member; k < gmem_members_end(packing, i); ++k)
      filter->in[packing->members[k].buffer] = false;
  }
}

static gmem_status_t keep_peak(filter_t *filter, gmem_packing_t *packing) {
  uint64_t *needed, most;
  GMEM_TRY(gmem_packing_create_for_bound(filter->problem, filter->room.pool,
                                         filter->in, packing,
                                         filter->memory.diag));
  GMEM_TRY_NEW(needed, &packing->memory, packing->section_count);
  GMEM_TRY(gmem_packing_pressure(packing, needed, &most, filter->memory.diag));
  if (most > filter->room.limit)
    keep_peak_section(filter, packing, needed);
  return GMEM_OK;
}

static void narrow_by_pressure(filter_t *filter) {
  gmem_packing_t packing;
  filter->status = keep_peak(filter, &packing);
  gmem_packing_destroy(&packing);
}

//===--- deletion filter --------------------------------------------------===//

// Lists the buffers of the set, smallest first.
static size_t list_set(filter_t *filter) {
  size_t count = 0;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(filter->problem); ++i)
    if (filter->in[i])
      filter->list[count++] =
          (gmem_order_t){gmem_problem_buffer(filter->problem, i)->size, i};
  gmem_sort_order(filter->list, filter->list + count, count);
  return count;
}

// Sets |left| to the set without list[first .. end).
static void leave_out(filter_t *filter, size_t first, size_t end) {
  copy_set(filter, filter->left, filter->in);
  for (size_t i = first; i < end; ++i) {
    assert(filter->in[filter->list[i].index]);
    filter->left[filter->list[i].index] = false;
  }
}

// Removes list[first .. first + step) if the rest is still infeasible.
static verdict_t try_without(filter_t *filter, size_t first, size_t step) {
  leave_out(filter, first, first + step);
  verdict_t verdict = test_quickly(filter);
  if (verdict == TOO_MUCH)
    copy_set(filter, filter->in, filter->left);
  return verdict;
}

// By pressure alone, removes as many of the smallest buffers as possible.
static void drop_smallest(filter_t *filter) {
  size_t count = list_set(filter), low = 0, high = count;
  while (high - low > 1 && filter->status == GMEM_OK) {
    size_t middle = low + (high - low) / 2;
    leave_out(filter, 0, middle);
    if (test_pressure(filter) == TOO_MUCH)
      low = middle;
    else
      high = middle;
  }
  assert(low == 0 || low < count);
  leave_out(filter, 0, low);
  copy_set(filter, filter->in, filter->left);
}

// Returns whether the rest was placed without every single buffer.
static bool drop_others(filter_t *filter) {
  size_t step = 1, count = list_set(filter);
  bool irreducible = count <= MOST_FILTERED;
  while (step * 2 < count)
    step *= 2;
  for (; step && irreducible && filter->status == GMEM_OK; step /= 2) {
    count = list_set(filter);
    for (size_t i = 0; i < count && filter->status == GMEM_OK; i += step) {
      size_t some = count - i < step ? count - i : step;
      verdict_t verdict =
          some == count ? UNKNOWN : try_without(filter, i, some);
      if (step == 1 && verdict == UNKNOWN && count > 1 &&
          !is_of_several(filter))
        irreducible = false;
    }
  }
  return irreducible;
}

// A buffer that was needed together with others may be redundant after these
// were removed: it must be tested again.
static bool is_irreducible(filter_t *filter) {
  size_t count = list_set(filter);
  for (size_t i = 0; count > 1 && i < count; ++i) {
    leave_out(filter, i, i + 1);
    if (test_set(filter) != FITS || filter->status != GMEM_OK)
      return false;
  }
  return true;
}

// Whether the set has all buffers that can be in no other pool. The packing for
// a bound leaves out optional children inside of live parents, and buffers in
// other branches than theirs.
static bool is_whole(const filter_t *filter) {
  const gmem_problem_t *problem = filter->problem;
  const gmem_offset_groups_t *groups = gmem_problem_offset_groups(problem);
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i)
    if (!filter->in[i] && gmem_problem_buffer(problem, i)->size != 0 &&
        gmem_group_is_only_in(groups, problem, i, filter->room.pool))
      return false;
  return true;
}

static void find_set(filter_t *filter, gmem_infeasible_t *result) {
  size_t count = select_all(filter);
  if (filter->status != GMEM_OK)
    return;
  bool whole = is_of_several(filter) || is_whole(filter);
  result->fits = whole && count == 0;
  if (count == 0)
    return;
  copy_set(filter, filter->left, filter->in);
  verdict_t verdict = test_quickly(filter);
  result->fits = whole && verdict == FITS;
  if (verdict != TOO_MUCH || filter->status != GMEM_OK)
    return;
  narrow_by_pressure(filter);
  copy_set(filter, filter->left, filter->in);
  if (filter->status == GMEM_OK && test_pressure(filter) == TOO_MUCH)
    drop_smallest(filter);
  if (filter->status != GMEM_OK)
    return;
  result->irreducible = drop_others(filter) && is_irreducible(filter);
  copy_set(filter, filter->left, filter->in);
  result->by_load = test_pressure(filter) == TOO_MUCH;
  result->count = list_set(filter);
}

//===--- entry ------------------------------------------------------------===//

static void write_set(const filter_t *filter, uint32_t *buffers) {
  size_t next = 0;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(filter->problem); ++i)
    if (filter->in[i])
      buffers[next++] = i;
}

static gmem_status_t filter_set(filter_t *filter, uint32_t *buffers,
                                gmem_infeasible_t *out_infeasible) {
  size_t count = gmem_problem_buffer_count(filter->problem);
  GMEM_TRY_NEW(filter->in, &filter->memory, count);
  GMEM_TRY_NEW(filter->left, &filter->memory, count);
  GMEM_TRY_NEW(filter->pool_of, &filter->memory, count);
  GMEM_TRY_NEW(filter->list, &filter->memory, 2 * count);
  find_set(filter, out_infeasible);
  GMEM_TRY(filter->status);
  if (out_infeasible->count)
    write_set(filter, buffers);
  return GMEM_OK;
}

gmem_status_t
gmem_find_infeasible_in(const gmem_problem_t *problem, const gmem_room_t *room,
                        const gmem_solve_options_t *options, uint32_t *buffers,
                        gmem_infeasible_t *out_infeasible, gmem_diag_t *diag) {
  gmem_solve_options_t copy;
  *out_infeasible = (gmem_infeasible_t){0};
  GMEM_TRY(gmem_solve_options_copy(options, &copy, diag));
  filter_t filter = {
      .problem = problem,
      .room = *room,
      .options = &copy,
      .search = gmem_search_start(&copy, "certificate", 0),
      .memory = {.allocator = gmem_problem_allocator(problem), .diag = diag}};
  filter.steps_per_test = filter.search.step_limit / 16;
  gmem_status_t status = filter_set(&filter, buffers, out_infeasible);
  gmem_scratch_free(&filter.memory);
  return status;
}

gmem_status_t gmem_find_infeasible(const gmem_problem_t *problem, uint32_t pool,
                                   const gmem_solve_options_t *options,
                                   uint32_t *buffers,
                                   gmem_infeasible_t *out_infeasible,
                                   gmem_diag_t *diag) {
  GMEM_PLANNER_NEED(problem && out_infeasible, diag);
  *out_infeasible = (gmem_infeasible_t){0};
  if (pool >= gmem_problem_pool_count(problem))
    return gmem_planner_fail(diag, GMEM_ERR_OUT_OF_RANGE, pool, "unknown pool");
  gmem_room_t room = {pool, gmem_pool_limit(gmem_problem_pool(problem, pool)),
                      NULL};
  return gmem_find_infeasible_in(problem, &room, options, buffers,
                                 out_infeasible, diag);
}
