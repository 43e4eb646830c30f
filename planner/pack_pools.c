// pack_pools.c - which buffer goes to which pool, and an engine for every pool.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// All buffers start in their first candidate. Pools are packed one after the
// other, the lowest index first; what does not fit in one goes to the next
// candidate of its own, whose pool is then packed (again). A buffer never comes
// back to a pool it has left, so this ends.

#include "pack_pools.h"

//===--- items ------------------------------------------------------------===//

const uint32_t *gmem_item_candidates(const gmem_pools_t *pools,
                                     const gmem_packing_t *packing,
                                     uint32_t item, size_t *out_count) {
  uint32_t buffer = packing->members[packing->items[item].member].buffer;
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(pools->problem, buffer);
  *out_count = spec->has_fixed_offset ? 1 : spec->pool_count;
  return spec->pools;
}

bool gmem_item_can_spill(const gmem_pools_t *pools,
                         const gmem_packing_t *packing, uint32_t item) {
  size_t count;
  uint32_t buffer = packing->members[packing->items[item].member].buffer;
  gmem_item_candidates(pools, packing, item, &count);
  return pools->candidate[buffer] + 1 < count;
}

static void move_on(gmem_pools_t *pools, const gmem_packing_t *packing,
                    uint32_t item) {
  size_t count;
  const uint32_t *candidates =
      gmem_item_candidates(pools, packing, item, &count);
  uint32_t last = gmem_members_end(packing, item);
  for (uint32_t i = packing->items[item].member; i < last; ++i) {
    uint32_t buffer = packing->members[i].buffer;
    uint32_t pool = candidates[++pools->candidate[buffer]];
    pools->pool_of[buffer] = pool;
    pools->visits[pool] = 1;
  }
  pools->spilled = true;
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
  search->step_limit = search->stage_limit = search->steps + left / share;
  search->proved = false;
  ++pools->runs;
  gmem_status_t status = engine->start(packing, search, offsets, diag);
  *out_peak = status == GMEM_OK ? gmem_packing_peak(packing, offsets) : 0;
  if (status == GMEM_OK && engine->improve && *out_peak > packing->goal) {
    gmem_search_found(search, *out_peak);
    status = engine->improve(packing, search, offsets, diag);
    *out_peak = gmem_packing_peak(packing, offsets);
  }
  search->step_limit = limit;
  search->stage_limit = stage_limit;
  if (!search->proved && *out_peak > packing->bound)
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

static gmem_status_t pack_pool(gmem_pools_t *pools, uint32_t pool,
                               gmem_diag_t *diag) {
  gmem_packing_t packing;
  gmem_status_t status = gmem_packing_create(
      pools->problem, pool, pools->pool_of, pools->chosen, &packing, diag);
  uint64_t *offsets = NULL;
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
  for (uint32_t i = 0; i < gmem_problem_pool_count(pools->problem); ++i)
    pools->visits[i] = 1;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(pools->problem); ++i) {
    pools->pool_of[i] = gmem_problem_buffer(pools->problem, i)->pools[0];
    pools->candidate[i] = 0;
  }
}

static bool has_alternatives(const gmem_problem_t *problem) {
  if (gmem_problem_pool_count(problem) < 2)
    return false;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, i);
    if (spec->pool_count > 1 && !spec->has_fixed_offset)
      return true;
  }
  return false;
}

static gmem_status_t pack(gmem_pools_t *pools, gmem_diag_t *diag) {
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
      .pool_of = gmem_planner_alloc(allocator, buffers, sizeof(uint32_t)),
      .candidate = gmem_planner_alloc(allocator, buffers, sizeof(uint32_t)),
      .visits = gmem_planner_alloc(allocator, count, sizeof(uint32_t)),
  };
  gmem_status_t status = GMEM_OK;
  if (pools.pool_of && pools.candidate && pools.visits)
    status = pack(&pools, diag);
  else
    status = gmem_planner_out_of_memory(diag);
  gmem_planner_free(allocator, pools.pool_of, buffers, sizeof(uint32_t));
  gmem_planner_free(allocator, pools.candidate, buffers, sizeof(uint32_t));
  gmem_planner_free(allocator, pools.visits, count, sizeof(uint32_t));
  return status;
}
