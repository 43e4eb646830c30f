// planner_reference.h - what the planner's tests compare with: seeded small
// problems, and a check of plans that looks at every pair of buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEST_UNIT_PLANNER_REFERENCE_H_
#define GMEM_TEST_UNIT_PLANNER_REFERENCE_H_

#include <stdlib.h>

#include "gmem/planner.h"

//===--- random numbers ---------------------------------------------------===//

static inline uint32_t next_random(uint64_t *seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*seed >> 33);
}

// A number in [0, limit).
static inline uint32_t random_below(uint64_t *seed, uint32_t limit) {
  return next_random(seed) % limit;
}

//===--- problems ---------------------------------------------------------===//

static inline void add_random_pools(gmem_problem_t *problem, uint64_t *seed) {
  static const char *const names[] = {"fast", "middle", "slow"};
  uint32_t count = 1 + random_below(seed, 3), index;
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t alignment = UINT64_C(1) << random_below(seed, 4);
    gmem_pool_spec_t pool = {.name = names[i],
                             .alignment = alignment,
                             .base = alignment * random_below(seed, 5),
                             .capacity = 32 + random_below(seed, 64)};
    if (i + 1 == count) // the last has room for all
      pool.capacity = GMEM_UNLIMITED;
    if (gmem_problem_add_pool(problem, &pool, &index, NULL) != GMEM_OK)
      abort();
  }
}

static inline size_t random_ranges(gmem_live_range_t *ranges, uint64_t *seed) {
  size_t count = random_below(seed, 4) ? 1 : 1 + random_below(seed, 3);
  int64_t time = (int64_t)random_below(seed, 12) - 4;
  for (size_t i = 0; i < count; ++i) {
    int64_t end = time + 1 + random_below(seed, 5);
    ranges[i] = (gmem_live_range_t){time, end};
    time = end + random_below(seed, 3);
  }
  return count;
}

// Candidates in a random order that ends in the last pool.
static inline size_t random_candidates(uint32_t *pools, uint32_t pool_count,
                                       uint64_t *seed) {
  size_t count = 0;
  for (uint32_t pool = 0; pool + 1 < pool_count; ++pool)
    if (random_below(seed, 2))
      pools[count++] = pool;
  if (count == 2 && random_below(seed, 2)) {
    pools[0] = 1;
    pools[1] = 0;
  }
  pools[count++] = pool_count - 1;
  return count;
}

static inline void add_random_buffer(gmem_problem_t *problem, uint64_t *seed) {
  gmem_live_range_t ranges[3];
  uint32_t pools[3], index;
  uint32_t pool_count = gmem_problem_pool_count(problem);
  gmem_buffer_spec_t spec = {.name = "b", .ranges = ranges, .pools = pools};
  spec.range_count = random_ranges(ranges, seed);
  spec.pool_count = random_candidates(pools, pool_count, seed);
  spec.size = random_below(seed, 8) ? 1 + random_below(seed, 20) : 0;
  spec.alignment = UINT64_C(1) << random_below(seed, 5);
  if (random_below(seed, 4) == 0)
    spec.pools = NULL;
  // The problem refuses what does not suit: a misaligned fixed offset.
  spec.has_fixed_offset = random_below(seed, 8) == 0;
  spec.fixed_offset = random_below(seed, 16) * UINT64_C(4);
  if (gmem_problem_add_buffer(problem, &spec, &index, NULL) != GMEM_OK &&
      !spec.has_fixed_offset)
    abort();
}

// A problem of up to |most| buffers in one to three pools.
static inline gmem_problem_t *random_problem(uint64_t *seed, uint32_t most) {
  gmem_problem_t *problem = NULL;
  if (gmem_problem_create(NULL, &problem, NULL) != GMEM_OK)
    abort();
  add_random_pools(problem, seed);
  uint32_t count = random_below(seed, most + 1);
  for (uint32_t i = 0; i < count; ++i)
    add_random_buffer(problem, seed);
  return problem;
}

//===--- every pair -------------------------------------------------------===//

// The first time at which both are live; false when there is none.
static inline bool reference_meeting(const gmem_buffer_spec_t *a,
                                     const gmem_buffer_spec_t *b,
                                     int64_t *out_time) {
  bool met = false;
  for (size_t i = 0; i < a->range_count; ++i)
    for (size_t k = 0; k < b->range_count; ++k) {
      gmem_live_range_t x = a->ranges[i], y = b->ranges[k];
      int64_t begin = x.begin > y.begin ? x.begin : y.begin;
      int64_t end = x.end < y.end ? x.end : y.end;
      if (begin < end && (!met || begin < *out_time)) {
        met = true;
        *out_time = begin;
      }
    }
  return met;
}

static inline gmem_violation_t reference_alone(const gmem_buffer_spec_t *spec,
                                               const gmem_problem_t *problem,
                                               gmem_placement_t placement) {
  bool listed = false;
  size_t candidates = spec->has_fixed_offset ? 1 : spec->pool_count;
  for (size_t i = 0; i < candidates; ++i)
    listed = listed || spec->pools[i] == placement.pool;
  if (!listed)
    return GMEM_VIOLATION_POOL;
  if (spec->has_fixed_offset && placement.offset != spec->fixed_offset)
    return GMEM_VIOLATION_FIXED;
  const gmem_pool_spec_t *pool = gmem_problem_pool(problem, placement.pool);
  uint64_t address = pool->base + placement.offset;
  if (address % spec->alignment || address % pool->alignment)
    return GMEM_VIOLATION_ALIGNMENT;
  if (placement.offset > GMEM_MAX_ADDRESS / 4 || // far outside, in these tests
      placement.offset + spec->size > pool->capacity)
    return GMEM_VIOLATION_CAPACITY;
  return GMEM_VIOLATION_NONE;
}

static inline bool reference_earlier(const gmem_check_result_t *a,
                                     const gmem_check_result_t *b) {
  if (b->violation == GMEM_VIOLATION_NONE)
    return true;
  if (a->time != b->time)
    return a->time < b->time;
  if (a->first != b->first)
    return a->first < b->first;
  return a->second < b->second;
}

static inline gmem_check_result_t reference_pair(const gmem_problem_t *problem,
                                                 const gmem_placement_t *plan,
                                                 uint32_t i, uint32_t k) {
  const gmem_buffer_spec_t *a = gmem_problem_buffer(problem, i);
  const gmem_buffer_spec_t *b = gmem_problem_buffer(problem, k);
  gmem_check_result_t result = {.first = i, .second = k, .pool = plan[i].pool};
  uint64_t a_end = plan[i].offset + a->size, b_end = plan[k].offset + b->size;
  result.begin =
      plan[i].offset > plan[k].offset ? plan[i].offset : plan[k].offset;
  result.end = a_end < b_end ? a_end : b_end;
  if (plan[i].pool == plan[k].pool && result.begin < result.end &&
      reference_meeting(a, b, &result.time))
    result.violation = GMEM_VIOLATION_OVERLAP;
  return result;
}

// What gmem_check has to find, the slow and plain way.
static inline gmem_check_result_t
reference_check(const gmem_problem_t *problem, const gmem_placement_t *plan) {
  uint32_t count = gmem_problem_buffer_count(problem);
  gmem_check_result_t best = {.violation = GMEM_VIOLATION_NONE};
  for (uint32_t i = 0; i < count; ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, i);
    gmem_check_result_t alone = {.violation =
                                     reference_alone(spec, problem, plan[i]),
                                 .first = i,
                                 .second = GMEM_NO_BUFFER,
                                 .pool = plan[i].pool,
                                 .time = spec->ranges[0].begin};
    if (alone.violation != GMEM_VIOLATION_NONE) {
      if (reference_earlier(&alone, &best))
        best = alone;
      continue;
    }
    for (uint32_t k = i + 1; k < count; ++k) {
      const gmem_buffer_spec_t *other = gmem_problem_buffer(problem, k);
      if (reference_alone(other, problem, plan[k]) != GMEM_VIOLATION_NONE)
        continue;
      gmem_check_result_t pair = reference_pair(problem, plan, i, k);
      if (pair.violation == GMEM_VIOLATION_OVERLAP &&
          reference_earlier(&pair, &best))
        best = pair;
    }
  }
  return best;
}

static inline bool same_result(const gmem_check_result_t *a,
                               const gmem_check_result_t *b) {
  if (a->violation != b->violation)
    return false;
  if (a->violation == GMEM_VIOLATION_NONE)
    return true;
  return a->first == b->first && a->second == b->second && a->pool == b->pool &&
         a->time == b->time && a->begin == b->begin && a->end == b->end;
}

// One unlimited pool of alignment 1 and base 0.
static inline gmem_problem_t *
one_pool_problem(uint64_t capacity, uint64_t alignment, uint64_t base) {
  gmem_problem_t *problem = NULL;
  uint32_t index;
  gmem_pool_spec_t pool = {.name = "memory",
                           .capacity = capacity,
                           .alignment = alignment,
                           .base = base};
  if (gmem_problem_create(NULL, &problem, NULL) != GMEM_OK ||
      gmem_problem_add_pool(problem, &pool, &index, NULL) != GMEM_OK)
    abort();
  return problem;
}

// Adds a buffer that is live within [begin, end); returns its index.
static inline uint32_t add_buffer(gmem_problem_t *problem, int64_t begin,
                                  int64_t end, uint64_t size,
                                  uint64_t alignment) {
  gmem_live_range_t range = {begin, end};
  gmem_buffer_spec_t spec = {
      .size = size, .alignment = alignment, .ranges = &range, .range_count = 1};
  uint32_t index;
  if (gmem_problem_add_buffer(problem, &spec, &index, NULL) != GMEM_OK)
    abort();
  return index;
}

static inline uint32_t add_fixed(gmem_problem_t *problem, int64_t begin,
                                 int64_t end, uint64_t size, uint64_t offset) {
  gmem_live_range_t range = {begin, end};
  gmem_buffer_spec_t spec = {.size = size,
                             .alignment = 1,
                             .ranges = &range,
                             .range_count = 1,
                             .has_fixed_offset = true,
                             .fixed_offset = offset};
  uint32_t index;
  if (gmem_problem_add_buffer(problem, &spec, &index, NULL) != GMEM_OK)
    abort();
  return index;
}

#endif // GMEM_TEST_UNIT_PLANNER_REFERENCE_H_
