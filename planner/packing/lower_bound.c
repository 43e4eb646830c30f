// lower_bound.c - lower bounds on the peak of every plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Items that share a section occupy disjoint bytes, at addresses that are
// multiples of the granule g. So each occupies its size rounded up to g, except
// for the topmost, which needs no padding. In every section:
//
//   bytes >= first aligned offset + sum of rounded sizes - largest slack
//
// where slack = rounded size - size. Of an item in parts the live bytes [b, e)
// count as roundup(e) - roundup(b), because the granule in which they begin may
// hold the end of another item. The sum of the unrounded sizes is a bound too,
// and the larger of the two is used. So is the end of every fixed item.

#include "packing.h"
#include "planner_memory.h"

// Packings leave out buffers of size 0; their fixed offsets count here.
static uint64_t highest_fixed_buffer(const gmem_problem_t *problem,
                                     uint32_t pool) {
  uint64_t highest = 0;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, i);
    if (!spec->has_fixed_offset || spec->pools[0] != pool)
      continue;
    uint64_t end = spec->fixed_offset + spec->size;
    highest = end > highest ? end : highest;
  }
  return highest;
}

static gmem_status_t bound_of(const gmem_problem_t *problem, uint32_t pool,
                              uint64_t *out_bytes, gmem_diag_t *diag) {
  gmem_packing_t packing;
  gmem_status_t status =
      gmem_packing_create_for_bound(problem, pool, NULL, &packing, diag);
  uint64_t fixed = highest_fixed_buffer(problem, pool);
  if (status == GMEM_OK)
    *out_bytes = fixed > packing.bound ? fixed : packing.bound;
  gmem_packing_destroy(&packing);
  return status;
}

gmem_status_t gmem_lower_bound_of_pool(const gmem_problem_t *problem,
                                       uint32_t pool, uint64_t *out_bytes,
                                       gmem_diag_t *diag) {
  *out_bytes = 0;
  if (pool >= gmem_problem_pool_count(problem))
    return gmem_planner_fail(diag, GMEM_ERR_OUT_OF_RANGE, pool, "unknown pool");
  return bound_of(problem, pool, out_bytes, diag);
}

// One pool above GMEM_MAX_ADDRESS makes the problem infeasible; the sum of
// several pools may legitimately exceed it.
static uint64_t add_pools(uint64_t a, uint64_t b) {
  uint64_t sum;
  if (a == GMEM_UNLIMITED || b == GMEM_UNLIMITED)
    return GMEM_UNLIMITED;
  return gmem_add_bytes(a, b, &sum) ? sum : GMEM_MAX_ADDRESS;
}

gmem_status_t gmem_lower_bound(const gmem_problem_t *problem,
                               uint64_t *out_bytes, gmem_diag_t *diag) {
  uint64_t sum = 0, bytes = 0;
  *out_bytes = 0;
  for (uint32_t i = 0; i < gmem_problem_pool_count(problem); ++i) {
    GMEM_TRY(gmem_lower_bound_of_pool(problem, i, &bytes, diag));
    sum = add_pools(sum, bytes);
  }
  // Only this bound counts buffers with several candidate pools.
  if (gmem_problem_pool_count(problem) > 1) {
    GMEM_TRY(bound_of(problem, GMEM_NO_POOL, &bytes, diag));
    bytes = bytes > GMEM_MAX_ADDRESS ? GMEM_MAX_ADDRESS : bytes;
  }
  *out_bytes = bytes > sum ? bytes : sum;
  return GMEM_OK;
}
