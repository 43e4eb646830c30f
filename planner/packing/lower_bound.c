// lower_bound.c - lower bounds on the peak of every plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Items that share a section occupy disjoint bytes. So of the addresses that
// are multiples of a granule g, each lies in the live bytes of one of them at
// most. Live bytes [b, e) of an item whose alignment is at least g contain
// (roundup(e) - roundup(b)) / g of these addresses; of an item with a smaller
// alignment a they contain at least floor((e - b + r - 1) / g), where r in
// 1 .. a is the distance from a multiple of a: at worst the bytes begin r bytes
// after such an address. With n of them in all, the last is at least (n - 1) g
// bytes above the first, and either the bytes that contain it are those of an
// item with its least number, and extend beyond by g - slack, or there are n +
// 1. In every section and for every granule:
//
//   bytes >= first aligned offset + n g - largest slack
//
// The granules are the alignments of the items, so that an item of a small
// alignment does not take from the others what theirs costs; and 1, the sum of
// the sizes. The end of every fixed item is a bound, too.
//
// With optional aliases, an item has the alignment of the pool unless one of
// its buffers may start inside another (relations.c), and counts while none of
// its possible parents is live (uncovered_ranges.c): such buffers share no
// bytes, whichever aliases are used.

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
  GMEM_PLANNER_NEED(problem && out_bytes, diag);
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
  GMEM_PLANNER_NEED(problem && out_bytes, diag);
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
