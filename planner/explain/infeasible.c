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

#include <string.h>

#include "algorithms.h"
#include "exact.h"
#include "few_fit.h"
#include "packing.h"
#include "packing_query.h"
#include "planner_memory.h"
#include "pressure.h"
#include "problem_store.h"
#include "search.h"
#include "sort.h"

//===--- feasibility tests ------------------------------------------------===//

// Above this many buffers only the pressure is considered.
enum { MOST_SEARCHED = 4096, MOST_FILTERED = 1024 };

typedef enum verdict_e { UNKNOWN, FITS, TOO_MUCH } verdict_t;

typedef struct filter_s {
  const gmem_problem_t *problem;
  gmem_room_t room;
  const gmem_solve_options_t *options;
  gmem_search_t search;
  bool has_optional;
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
static verdict_t test_pressure(filter_t *filter, gmem_diag_t *diag) {
  gmem_packing_t packing;
  verdict_t verdict = UNKNOWN;
  if (filter->status != GMEM_OK) // no more tests after a failure
    return UNKNOWN;
  filter->status = gmem_packing_create_for_bound(
      filter->problem, filter->room.pool, filter->left, &packing, diag);
  if (filter->status == GMEM_OK && packing.bound > filter->room.limit)
    verdict = TOO_MUCH;
  gmem_packing_destroy(&packing);
  return verdict;
}

static verdict_t search_packing(filter_t *filter, gmem_packing_t *packing,
                                uint64_t *offsets, gmem_diag_t *diag) {
  gmem_search_t *search = &filter->search;
  bool proved = false;
  if (packing->goal < packing->limit)
    packing->goal = packing->limit;
  gmem_search_begin_stage(search, "certificate", filter->steps_per_test);
  filter->status = gmem_multi_order_pack(packing, search, offsets, diag);
  if (filter->status == GMEM_ERR_OVER_BUDGET ||
      filter->status == GMEM_ERR_OVERLAP) {
    filter->status = GMEM_OK; // undecided
    return UNKNOWN;
  }
  if (filter->status == GMEM_OK &&
      gmem_packing_peak(packing, offsets) > packing->limit &&
      packing->count <= MOST_SEARCHED)
    filter->status = gmem_exact_pack(packing, search, offsets, &proved, diag);
  if (filter->status != GMEM_OK)
    return UNKNOWN;
  if (gmem_packing_peak(packing, offsets) <= packing->limit)
    return FITS;
  bool is_proof = proved && packing->is_exact && !filter->has_optional;
  return is_proof ? TOO_MUCH : UNKNOWN;
}

// Whether the buffers of |left| fit in the one pool, by any method.
static verdict_t test_pool(filter_t *filter, gmem_diag_t *diag) {
  gmem_packing_t packing;
  verdict_t verdict = UNKNOWN;
  uint32_t pool = filter->room.pool;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(filter->problem); ++i)
    filter->pool_of[i] = filter->left[i] ? pool : GMEM_NO_POOL;
  filter->status = gmem_packing_create(filter->problem, pool, filter->pool_of,
                                       NULL, &packing, diag);
  uint64_t *offsets = NULL;
  if (filter->status == GMEM_OK) {
    offsets =
        gmem_planner_alloc(packing.allocator, packing.count, sizeof *offsets);
    if (offsets)
      verdict = search_packing(filter, &packing, offsets, diag);
    else
      filter->status = gmem_planner_out_of_memory(diag);
  }
  gmem_planner_free(packing.allocator, offsets, packing.count, sizeof *offsets);
  gmem_packing_destroy(&packing);
  return verdict;
}

// Whether the buffers of |left| fit, by any method.
static verdict_t test_set(filter_t *filter, gmem_diag_t *diag) {
  verdict_t verdict = test_pressure(filter, diag);
  if (verdict == TOO_MUCH || filter->status != GMEM_OK)
    return verdict;
  if (!is_of_several(filter))
    return test_pool(filter, diag);
  bool fits = false;
  filter->status =
      gmem_few_fit(filter->problem, filter->left, filter->options, &fits, diag);
  return fits ? FITS : UNKNOWN;
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
static size_t select_all(filter_t *filter, gmem_diag_t *diag) {
  gmem_packing_t packing;
  if (is_of_several(filter)) {
    copy_set(filter, filter->in, filter->room.only);
    return count_set(filter);
  }
  memset(filter->in, 0,
         gmem_problem_buffer_count(filter->problem) * sizeof(bool));
  filter->status = gmem_packing_create_for_bound(
      filter->problem, filter->room.pool, NULL, &packing, diag);
  for (uint32_t i = 0; filter->status == GMEM_OK && i < packing.member_count;
       ++i)
    filter->in[packing.members[i].buffer] = true;
  gmem_packing_destroy(&packing);
  return count_set(filter);
}

static bool is_in_section(const gmem_packing_t *packing,
                          const gmem_item_t *item, uint32_t section) {
  if (item->part_count == 0)
    return item->begin <= section && section < item->end;
  for (uint32_t i = 0; i < item->part_count; ++i) {
    const gmem_part_t *part = &packing->parts[item->part + i];
    for (uint32_t k = 0; k < part->span_count; ++k)
      if (packing->spans[part->span + k].begin <= section &&
          section < packing->spans[part->span + k].end)
        return true;
  }
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
    bool is_above = item->fixed_offset != GMEM_NOT_FIXED &&
                    item->fixed_offset + item->size > limit;
    if (by_load ? is_in_section(packing, item, section) : is_above)
      continue;
    for (uint32_t k = item->member; k < gmem_members_end(packing, i); ++k)
      filter->in[packing->members[k].buffer] = false;
  }
}

static void narrow_by_pressure(filter_t *filter, gmem_diag_t *diag) {
  gmem_packing_t packing;
  filter->status = gmem_packing_create_for_bound(
      filter->problem, filter->room.pool, filter->in, &packing, diag);
  size_t sections = packing.section_count;
  uint64_t *needed =
      gmem_planner_alloc(packing.allocator, sections, sizeof *needed);
  uint64_t most = 0;
  if (filter->status == GMEM_OK)
    filter->status = needed
                         ? gmem_packing_pressure(&packing, needed, &most, diag)
                         : gmem_planner_out_of_memory(diag);
  if (filter->status == GMEM_OK && most > filter->room.limit)
    keep_peak_section(filter, &packing, needed);
  gmem_planner_free(packing.allocator, needed, sections, sizeof *needed);
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

// Removes list[first .. first + step) if the rest is still infeasible.
static verdict_t try_without(filter_t *filter, size_t first, size_t step,
                             gmem_diag_t *diag) {
  copy_set(filter, filter->left, filter->in);
  for (size_t i = first; i < first + step; ++i)
    filter->left[filter->list[i].index] = false;
  verdict_t verdict = is_of_several(filter) ? test_pressure(filter, diag)
                                            : test_set(filter, diag);
  if (verdict == TOO_MUCH)
    copy_set(filter, filter->in, filter->left);
  return verdict;
}

// By pressure alone, removes as many of the smallest buffers as possible.
static void drop_smallest(filter_t *filter, gmem_diag_t *diag) {
  size_t count = list_set(filter), low = 0, high = count;
  while (high - low > 1 && filter->status == GMEM_OK) {
    size_t middle = low + (high - low) / 2;
    copy_set(filter, filter->left, filter->in);
    for (size_t i = 0; i < middle; ++i)
      filter->left[filter->list[i].index] = false;
    if (test_pressure(filter, diag) == TOO_MUCH)
      low = middle;
    else
      high = middle;
  }
  for (size_t i = 0; i < low; ++i)
    filter->in[filter->list[i].index] = false;
}

// Returns whether the rest was placed without every single buffer.
static bool drop_others(filter_t *filter, gmem_diag_t *diag) {
  size_t step = 1, count = list_set(filter);
  bool irreducible = count <= MOST_FILTERED;
  while (step * 2 < count)
    step *= 2;
  for (; step && irreducible && filter->status == GMEM_OK; step /= 2) {
    count = list_set(filter);
    for (size_t i = 0; i < count && filter->status == GMEM_OK; i += step) {
      size_t some = count - i < step ? count - i : step;
      verdict_t verdict =
          some == count ? UNKNOWN : try_without(filter, i, some, diag);
      if (step == 1 && verdict == UNKNOWN && count > 1 &&
          !is_of_several(filter))
        irreducible = false;
    }
  }
  return irreducible;
}

// A buffer that was needed together with others may be redundant after these
// were removed: it must be tested again.
static bool is_irreducible(filter_t *filter, gmem_diag_t *diag) {
  size_t count = list_set(filter);
  for (size_t i = 0; count > 1 && i < count; ++i) {
    copy_set(filter, filter->left, filter->in);
    filter->left[filter->list[i].index] = false;
    if (test_set(filter, diag) != FITS || filter->status != GMEM_OK)
      return false;
  }
  return true;
}

static void find_set(filter_t *filter, gmem_infeasible_t *result,
                     gmem_diag_t *diag) {
  size_t count = select_all(filter, diag);
  if (filter->status != GMEM_OK)
    return;
  result->fits = count == 0;
  if (count == 0)
    return;
  copy_set(filter, filter->left, filter->in);
  verdict_t verdict = is_of_several(filter) ? test_pressure(filter, diag)
                                            : test_set(filter, diag);
  result->fits = verdict == FITS;
  if (verdict != TOO_MUCH || filter->status != GMEM_OK)
    return;
  narrow_by_pressure(filter, diag);
  copy_set(filter, filter->left, filter->in);
  if (filter->status == GMEM_OK && test_pressure(filter, diag) == TOO_MUCH)
    drop_smallest(filter, diag);
  if (filter->status != GMEM_OK)
    return;
  result->irreducible =
      drop_others(filter, diag) && is_irreducible(filter, diag);
  copy_set(filter, filter->left, filter->in);
  result->by_load = test_pressure(filter, diag) == TOO_MUCH;
  result->count = list_set(filter);
}

//===--- entry ------------------------------------------------------------===//

static bool has_optional(const gmem_problem_t *problem) {
  for (size_t i = 0; i < gmem_problem_alias_count(problem); ++i)
    if (gmem_problem_alias(problem, i)->is_optional)
      return true;
  return false;
}

static void write_set(const filter_t *filter, uint32_t *buffers) {
  size_t next = 0;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(filter->problem); ++i)
    if (filter->in[i])
      buffers[next++] = i;
}

gmem_status_t
gmem_find_infeasible_in(const gmem_problem_t *problem, const gmem_room_t *room,
                        const gmem_solve_options_t *options, uint32_t *buffers,
                        gmem_infeasible_t *out_infeasible, gmem_diag_t *diag) {
  static const gmem_solve_options_t defaults = {0};
  options = options ? options : &defaults;
  *out_infeasible = (gmem_infeasible_t){0};
  GMEM_TRY(gmem_solve_options_check(options, diag));
  const gmem_allocator_t *allocator = gmem_problem_allocator(problem);
  size_t count = gmem_problem_buffer_count(problem);
  filter_t filter = {
      .problem = problem,
      .room = *room,
      .options = options,
      .search = gmem_search_start(options, "certificate", 0),
      .has_optional = has_optional(problem),
      .in = gmem_planner_alloc(allocator, count, sizeof(bool)),
      .left = gmem_planner_alloc(allocator, count, sizeof(bool)),
      .pool_of = gmem_planner_alloc(allocator, count, sizeof(uint32_t)),
      .list = gmem_planner_alloc(allocator, 2 * count, sizeof(gmem_order_t)),
  };
  filter.steps_per_test = filter.search.step_limit / 16;
  if (filter.in && filter.left && filter.pool_of && filter.list)
    find_set(&filter, out_infeasible, diag);
  else
    filter.status = gmem_planner_out_of_memory(diag);
  if (filter.status == GMEM_OK && out_infeasible->count)
    write_set(&filter, buffers);
  gmem_planner_free(allocator, filter.in, count, sizeof(bool));
  gmem_planner_free(allocator, filter.left, count, sizeof(bool));
  gmem_planner_free(allocator, filter.pool_of, count, sizeof(uint32_t));
  gmem_planner_free(allocator, filter.list, 2 * count, sizeof(gmem_order_t));
  return filter.status;
}

gmem_status_t gmem_find_infeasible(const gmem_problem_t *problem, uint32_t pool,
                                   const gmem_solve_options_t *options,
                                   uint32_t *buffers,
                                   gmem_infeasible_t *out_infeasible,
                                   gmem_diag_t *diag) {
  *out_infeasible = (gmem_infeasible_t){0};
  if (pool >= gmem_problem_pool_count(problem))
    return gmem_planner_fail(diag, GMEM_ERR_OUT_OF_RANGE, pool, "unknown pool");
  gmem_room_t room = {pool, gmem_pool_limit(gmem_problem_pool(problem, pool)),
                      NULL};
  return gmem_find_infeasible_in(problem, &room, options, buffers,
                                 out_infeasible, diag);
}
