// pack_pools.c - which buffer goes to which pool, and an engine for every pool.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// All buffers start in their first candidate. Pools are packed one after the
// other, the lowest index first; what does not fit in one goes to the next
// candidate of its own, whose pool is then packed (again). A buffer never comes
// back to a pool it has left, so this ends.

#include <string.h>

#include "pack_pools.h"
#include "pool_search.h"

//===--- items ------------------------------------------------------------===//

// The first candidate pool of |buffer| at or after *position in its list, or in
// that of its group; false when there is none.
static bool find_candidate(const gmem_pools_t *pools, uint32_t buffer,
                           uint32_t *position, uint32_t *out_pool) {
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(pools->problem, buffer);
  size_t count = spec->has_fixed_offset ? 1 : spec->pool_count;
  if (pools->ties && spec->size) {
    gmem_group_t group = gmem_ties_group(pools->ties, pools->problem, buffer);
    spec = gmem_problem_buffer(pools->problem, group.pools_of);
    if (group.pools_of != buffer || group.candidates != UINT64_MAX) {
      uint64_t left =
          *position < 64 ? group.candidates >> *position << *position : 0;
      *position = left ? (uint32_t)__builtin_ctzll(left) : UINT32_MAX;
      count = spec->pool_count;
    }
  }
  if (*position >= count)
    return false;
  *out_pool = spec->pools[*position];
  return true;
}

bool gmem_next_pool(const gmem_pools_t *pools, uint32_t buffer,
                    uint32_t *out_pool) {
  uint32_t position = pools->candidate[buffer] + 1;
  return find_candidate(pools, buffer, &position, out_pool);
}

bool gmem_item_can_spill(const gmem_pools_t *pools,
                         const gmem_packing_t *packing, uint32_t item) {
  uint32_t pool;
  return gmem_next_pool(
      pools, packing->members[packing->items[item].member].buffer, &pool);
}

static void move_on(gmem_pools_t *pools, const gmem_packing_t *packing,
                    uint32_t item) {
  uint32_t pool = packing->pool, last = gmem_members_end(packing, item);
  for (uint32_t i = packing->items[item].member; i < last; ++i) {
    uint32_t buffer = packing->members[i].buffer;
    ++pools->candidate[buffer];
    find_candidate(pools, buffer, &pools->candidate[buffer], &pool);
    pools->pool_of[buffer] = pool;
    pools->visits[pool] = 1;
  }
}

//===--- over budget ------------------------------------------------------===//

// The member of |item| that ends last.
static uint32_t last_member(const gmem_packing_t *packing, uint32_t item) {
  uint32_t first = packing->items[item].member, found = first;
  uint64_t highest = 0;
  for (uint32_t i = first; i < gmem_members_end(packing, item); ++i) {
    const gmem_member_t *member = &packing->members[i];
    uint64_t end = member->offset +
                   gmem_problem_buffer(packing->problem, member->buffer)->size;
    if (end > highest) {
      highest = end;
      found = i;
    }
  }
  return packing->members[found].buffer;
}

gmem_status_t gmem_fail_over_limit(const gmem_packing_t *packing,
                                   const uint64_t *offsets, gmem_diag_t *diag) {
  uint32_t first = GMEM_NO_ITEM;
  for (uint32_t i = 0; i < packing->count; ++i)
    if (offsets[i] + packing->items[i].size > packing->limit &&
        (first == GMEM_NO_ITEM || offsets[i] < offsets[first]))
      first = i;
  return gmem_fail_without_room(packing->problem, last_member(packing, first),
                                packing->pool, diag);
}

static gmem_status_t check_fixed(const gmem_problem_t *problem,
                                 gmem_diag_t *diag) {
  if (!gmem_problem_traits(problem).has_fixed)
    return GMEM_OK;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, i);
    if (!spec->has_fixed_offset)
      continue;
    uint64_t limit =
        gmem_pool_limit(gmem_problem_pool(problem, spec->pools[0]));
    if (spec->fixed_offset > limit || spec->size > limit - spec->fixed_offset)
      return gmem_fail_without_room(problem, i, spec->pools[0], diag);
  }
  return GMEM_OK;
}

//===--- one pool ---------------------------------------------------------===//

gmem_status_t gmem_run_engine(gmem_pools_t *pools,
                              const gmem_packing_t *packing, uint32_t share,
                              uint64_t *offsets, uint64_t *out_peak,
                              gmem_diag_t *diag) {
  gmem_search_t *search = pools->search;
  const gmem_engine_t *engine = pools->engine;
  uint64_t limit = search->step_limit, stage_limit = search->stage_limit;
  uint64_t left = limit > search->steps ? limit - search->steps : 0;
  search->step_limit = search->stage_limit =
      search->steps + left / share / pools->share;
  search->proved = false;
  gmem_status_t status = engine->start(packing, search, offsets, diag);
  *out_peak = status == GMEM_OK ? gmem_packing_peak(packing, offsets) : 0;
  if (status == GMEM_OK && engine->improve && *out_peak > packing->goal) {
    status = engine->improve(packing, search, offsets, diag);
    *out_peak = gmem_packing_peak(packing, offsets);
  }
  search->step_limit = limit;
  search->stage_limit = stage_limit;
  if (!packing->is_exact || (!search->proved && *out_peak > packing->bound))
    pools->proved = false;
  return status;
}

static void write_items(gmem_pools_t *pools, const gmem_packing_t *packing,
                        const uint64_t *offsets) {
  for (uint32_t i = 0; i < packing->count; ++i) {
    if (offsets[i] == GMEM_NOT_FIXED) {
      move_on(pools, packing, i);
      continue;
    }
    for (uint32_t k = packing->items[i].member;
         k < gmem_members_end(packing, i); ++k)
      pools->plan[packing->members[k].buffer] = (gmem_placement_t){
          offsets[i] + packing->members[k].offset, packing->pool};
  }
}

static bool anything_can_spill(const gmem_pools_t *pools,
                               const gmem_packing_t *packing) {
  if (!gmem_problem_traits(pools->problem).has_moves)
    return false;
  for (uint32_t i = 0; i < packing->count; ++i)
    if (gmem_item_can_spill(pools, packing, i))
      return true;
  return false;
}

static gmem_status_t place_items(gmem_pools_t *pools,
                                 const gmem_packing_t *packing,
                                 uint64_t *offsets, gmem_diag_t *diag) {
  uint64_t peak = GMEM_UNLIMITED;
  gmem_status_t status = GMEM_OK;
  bool can_spill = anything_can_spill(pools, packing);
  if (packing->bound <= packing->limit || !can_spill) {
    status = gmem_run_engine(pools, packing, can_spill ? 2 : 1, offsets, &peak,
                             diag);
    if (status == GMEM_OK && peak <= packing->limit)
      return GMEM_OK;
    if (status != GMEM_OK && (status != GMEM_ERR_OVER_BUDGET || !can_spill))
      return status;
  }
  if (!can_spill)
    return gmem_fail_over_limit(packing, offsets, diag);
  return gmem_choose_stay(pools, packing, offsets, diag);
}

// Sends |misfit| and all that are tied to it to their next pool; false when
// there is none.
static bool send_on(gmem_pools_t *pools, uint32_t misfit) {
  int64_t distance;
  uint32_t root = gmem_ties_root(pools->ties, misfit, &distance);
  uint32_t position = pools->candidate[misfit] + 1, pool;
  if (!find_candidate(pools, misfit, &position, &pool))
    return false;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(pools->problem); ++i) {
    if (gmem_ties_root(pools->ties, i, &distance) != root)
      continue;
    pools->candidate[i] = position;
    pools->pool_of[i] = pool;
  }
  pools->visits[pool] = 1;
  return true;
}

// The packing of all that are in |pool| and can be there.
static gmem_status_t create_packing(gmem_pools_t *pools, uint32_t pool,
                                    gmem_packing_t *packing,
                                    gmem_diag_t *diag) {
  for (;;) {
    gmem_status_t status = gmem_packing_create(
        pools->problem, pool, pools->pool_of, pools->chosen, packing, diag);
    if (status != GMEM_ERR_INVALID_ARGUMENT ||
        packing->misfit == GMEM_NO_BUFFER || !send_on(pools, packing->misfit))
      return status;
    gmem_packing_destroy(packing);
  }
}

static gmem_status_t pack_pool(gmem_pools_t *pools, uint32_t pool,
                               gmem_diag_t *diag) {
  gmem_packing_t packing;
  gmem_status_t status = create_packing(pools, pool, &packing, diag);
  uint64_t *offsets = NULL;
  if (status == GMEM_OK && pools->search->takes_bound)
    pools->search->lower_bound = packing.bound;
  if (status == GMEM_OK && pools->ceiling != GMEM_UNLIMITED &&
      packing.bound >= pools->ceiling)
    status = gmem_planner_fail(diag, GMEM_ERR_OVER_BUDGET, GMEM_NO_BUFFER,
                               "there is a better plan than any like this");
  if (status == GMEM_OK && packing.count) {
    offsets =
        gmem_planner_alloc(pools->allocator, packing.count, sizeof *offsets);
    status = offsets ? place_items(pools, &packing, offsets, diag)
                     : gmem_planner_out_of_memory(diag);
    if (status == GMEM_OK)
      write_items(pools, &packing, offsets);
  }
  gmem_planner_free(pools->allocator, offsets, packing.count, sizeof *offsets);
  gmem_packing_destroy(&packing);
  return status;
}

//===--- all pools --------------------------------------------------------===//

static gmem_status_t pack_all(gmem_pools_t *pools, gmem_diag_t *diag) {
  uint32_t count = gmem_problem_pool_count(pools->problem);
  for (uint32_t pool = 0; pool < count;) {
    if (!pools->visits[pool]) {
      ++pool;
      continue;
    }
    pools->visits[pool] = 0;
    gmem_status_t status = pack_pool(pools, pool, diag);
    if (status != GMEM_OK)
      return status;
    pool = 0; // one before may have to be packed again
  }
  return GMEM_OK;
}

// Empty buffers are in no packing: they lie in the first pool with an address
// for them.
static gmem_status_t place_empty(gmem_pools_t *pools, gmem_diag_t *diag) {
  uint32_t count = gmem_problem_buffer_count(pools->problem);
  if (!gmem_problem_traits(pools->problem).has_empty)
    return GMEM_OK;
  for (uint32_t i = 0; i < count; ++i) {
    if (gmem_problem_buffer(pools->problem, i)->size)
      continue;
    gmem_status_t status =
        gmem_place_empty(pools->problem, i, &pools->plan[i], diag);
    if (status != GMEM_OK)
      return status;
  }
  return GMEM_OK;
}

static void start_in_first_pools(gmem_pools_t *pools) {
  uint32_t pool_count = gmem_problem_pool_count(pools->problem);
  uint32_t count = gmem_problem_buffer_count(pools->problem);
  for (uint32_t i = 0; i < pool_count; ++i)
    pools->visits[i] = 1;
  memset(pools->candidate, 0, count * sizeof *pools->candidate);
  memset(pools->pool_of, 0, count * sizeof *pools->pool_of);
  for (uint32_t i = 0; pool_count > 1 && i < count; ++i) {
    find_candidate(pools, i, &pools->candidate[i], &pools->pool_of[i]);
  }
}

static bool has_alternatives(const gmem_problem_t *problem) {
  return gmem_problem_pool_count(problem) > 1 &&
         gmem_problem_traits(problem).has_moves;
}

gmem_status_t gmem_pack_once(gmem_pools_t *pools, gmem_diag_t *diag) {
  start_in_first_pools(pools);
  pools->proved = true;
  gmem_status_t status = check_fixed(pools->problem, diag);
  if (status == GMEM_OK)
    status = pack_all(pools, diag);
  if (status == GMEM_OK)
    status = place_empty(pools, diag);
  pools->search->proved = pools->proved && !has_alternatives(pools->problem);
  return status;
}

//===--- all pools together -----------------------------------------------===//

// Whether some buffer that could move is not where it is worth most; without a
// plan, whether there is another way.
static bool may_be_better(const gmem_pools_t *pools) {
  return pools->engine->searches_pools && has_alternatives(pools->problem);
}

gmem_status_t gmem_improve_pools(gmem_pools_t *pools, gmem_status_t status,
                                 gmem_diag_t *diag) {
  bool has_plan = status == GMEM_OK, found = false;
  // What was sent to a pool that has no address for it might have stayed.
  bool may_exist = has_plan || status == GMEM_ERR_OVER_BUDGET ||
                   status == GMEM_ERR_INVALID_ARGUMENT;
  if (!may_exist || !may_be_better(pools))
    return status;
  gmem_diag_t own = {0};
  gmem_status_t searched = gmem_pool_search(pools, has_plan, &found, &own);
  pools->search->proved = false;
  if (searched == GMEM_OK)
    return found ? GMEM_OK : status;
  if (diag)
    *diag = own;
  return searched;
}

//===--- entry ------------------------------------------------------------===//

static bool has_optional(const gmem_problem_t *problem) {
  for (size_t i = 0; i < gmem_problem_alias_count(problem); ++i)
    if (gmem_problem_alias(problem, i)->is_optional)
      return true;
  return false;
}

gmem_status_t gmem_pack_pools(const gmem_problem_t *problem,
                              gmem_search_t *search, gmem_placement_t *plan,
                              void *engine, gmem_diag_t *diag) {
  uint32_t buffers = gmem_problem_buffer_count(problem);
  uint32_t count = gmem_problem_pool_count(problem);
  const gmem_allocator_t *allocator = gmem_problem_allocator(problem);
  gmem_pools_t pools = {
      .problem = problem,
      .allocator = allocator,
      .search = search,
      .engine = engine,
      .plan = plan,
      .ties = gmem_problem_ties(problem),
      .share = 1,
      .ceiling = GMEM_UNLIMITED,
      .pool_of = gmem_planner_alloc(allocator, buffers, sizeof(uint32_t)),
      .candidate = gmem_planner_alloc(allocator, buffers, sizeof(uint32_t)),
      .visits = gmem_planner_alloc(allocator, count, sizeof(uint32_t)),
  };
  gmem_status_t status = GMEM_OK;
  search->is_partial = count > 1 || has_optional(problem);
  if (!pools.pool_of || !pools.candidate || !pools.visits)
    status = gmem_planner_out_of_memory(diag);
  else if (has_optional(problem))
    status = gmem_pack_with_choices(&pools, diag);
  else
    status = gmem_improve_pools(&pools, gmem_pack_once(&pools, diag), diag);
  gmem_planner_free(allocator, pools.pool_of, buffers, sizeof(uint32_t));
  gmem_planner_free(allocator, pools.candidate, buffers, sizeof(uint32_t));
  gmem_planner_free(allocator, pools.visits, count, sizeof(uint32_t));
  return status;
}
