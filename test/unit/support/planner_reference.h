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

// Fills |order| with 0 .. count - 1, in random order if there is a |seed|.
static inline void shuffle(uint64_t *seed, uint32_t *order, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    order[i] = i;
  for (uint32_t i = count; seed && i > 1; --i) {
    uint32_t other = random_below(seed, i), kept = order[i - 1];
    order[i - 1] = order[other];
    order[other] = kept;
  }
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

// Up to two of three choices, |branches| has room for two.
static inline size_t random_branches(gmem_branch_t *branches, uint64_t *seed) {
  size_t count = 0;
  for (uint32_t choice = 0; choice < 3 && count < 2; ++choice)
    if (random_below(seed, 3) == 0)
      branches[count++] =
          (gmem_branch_t){choice * 7, random_below(seed, 2) * 9};
  return count;
}

static inline void add_random_buffer(gmem_problem_t *problem, uint64_t *seed,
                                     bool in_branches) {
  gmem_live_range_t ranges[3];
  gmem_branch_t branches[2];
  uint32_t pools[3], index;
  uint32_t pool_count = gmem_problem_pool_count(problem);
  gmem_buffer_spec_t spec = {.name = "b", .ranges = ranges, .pools = pools};
  spec.range_count = random_ranges(ranges, seed);
  spec.pool_count = random_candidates(pools, pool_count, seed);
  spec.size = random_below(seed, 8) ? 1 + random_below(seed, 20) : 0;
  spec.alignment = UINT64_C(1) << random_below(seed, 5);
  spec.branches = branches;
  if (in_branches && random_below(seed, 2))
    spec.branch_count = random_branches(branches, seed);
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
    add_random_buffer(problem, seed, false);
  return problem;
}

//===--- relations --------------------------------------------------------===//

// An alias that may be refused.
static inline void add_random_alias(gmem_problem_t *problem, uint64_t *seed) {
  uint32_t count = gmem_problem_buffer_count(problem);
  gmem_alias_spec_t alias = {.child = random_below(seed, count),
                             .parent = random_below(seed, count),
                             .is_optional = random_below(seed, 2)};
  uint64_t child = gmem_problem_buffer(problem, alias.child)->size;
  uint64_t parent = gmem_problem_buffer(problem, alias.parent)->size;
  if (child <= parent && random_below(seed, 2))
    alias.offset = random_below(seed, (uint32_t)(parent - child) + 1);
  gmem_status_t status = gmem_problem_add_alias(problem, &alias, NULL);
  (void)status;
}

static inline void add_random_block(gmem_problem_t *problem, uint64_t *seed) {
  uint32_t buffers[4], count = gmem_problem_buffer_count(problem);
  gmem_block_spec_t block = {.buffers = buffers,
                             .count = 1 + random_below(seed, 4)};
  for (size_t i = 0; i < block.count; ++i)
    buffers[i] = random_below(seed, count);
  gmem_status_t status = gmem_problem_add_block(problem, &block, NULL);
  (void)status;
}

static inline void add_random_conflict(gmem_problem_t *problem,
                                       uint64_t *seed) {
  uint32_t count = gmem_problem_buffer_count(problem);
  gmem_status_t status = gmem_problem_add_conflict(
      problem, random_below(seed, count), random_below(seed, count), NULL);
  (void)status;
}

// A problem of up to |most| buffers with aliases, blocks, conflicts, branches;
// not all of them can be solved.
static inline gmem_problem_t *random_related_problem(uint64_t *seed,
                                                     uint32_t most) {
  gmem_problem_t *problem = NULL;
  if (gmem_problem_create(NULL, &problem, NULL) != GMEM_OK)
    abort();
  add_random_pools(problem, seed);
  uint32_t kinds = random_below(seed, 16);
  for (uint32_t i = 1 + random_below(seed, most); i; --i)
    add_random_buffer(problem, seed, kinds & 1);
  if (gmem_problem_buffer_count(problem) == 0)
    return problem;
  for (uint32_t i = random_below(seed, 4); kinds & 2 && i; --i)
    add_random_conflict(problem, seed);
  for (uint32_t i = random_below(seed, 6); kinds & 4 && i; --i)
    add_random_alias(problem, seed);
  for (uint32_t i = random_below(seed, 3); kinds & 8 && i; --i)
    add_random_block(problem, seed);
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

// What the relations of a problem say under a plan.
typedef struct reference_facts_s {
  bool *inside;      // by buffer: the alignment of the pool does not count
  uint32_t *storage; // by buffer: the same for views of one storage
} reference_facts_t;

static inline bool reference_in_place(const gmem_alias_spec_t *alias,
                                      const gmem_placement_t *plan) {
  return plan[alias->child].pool == plan[alias->parent].pool &&
         plan[alias->child].offset ==
             plan[alias->parent].offset + alias->offset;
}

// One round over all aliases; whether it changed anything.
static inline bool reference_round(const gmem_problem_t *problem,
                                   const gmem_placement_t *plan,
                                   reference_facts_t *facts) {
  bool changed = false;
  for (size_t i = 0; i < gmem_problem_alias_count(problem); ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(problem, i);
    uint32_t c = alias->child, p = alias->parent;
    if (gmem_problem_buffer(problem, c)->size == 0)
      continue;
    if (!alias->is_optional && facts->storage[c] != facts->storage[p]) {
      uint32_t least = facts->storage[c] < facts->storage[p]
                           ? facts->storage[c]
                           : facts->storage[p];
      facts->storage[c] = facts->storage[p] = least;
      changed = true;
    }
    if (!reference_in_place(alias, plan))
      continue;
    if ((alias->offset > 0 || facts->inside[p]) && !facts->inside[c])
      facts->inside[c] = changed = true;
  }
  return changed;
}

static inline reference_facts_t reference_facts(const gmem_problem_t *problem,
                                                const gmem_placement_t *plan) {
  uint32_t count = gmem_problem_buffer_count(problem);
  reference_facts_t facts = {calloc(count + 1, sizeof(bool)),
                             calloc(count + 1, sizeof(uint32_t))};
  for (uint32_t i = 0; i < count; ++i)
    facts.storage[i] = i;
  for (size_t i = 0; i < gmem_problem_block_count(problem); ++i) {
    const gmem_block_spec_t *block = gmem_problem_block(problem, i);
    bool behind = false;
    for (size_t k = 0; k < block->count; ++k) {
      uint32_t buffer = block->buffers[k];
      bool is_empty = gmem_problem_buffer(problem, buffer)->size == 0;
      facts.inside[buffer] = facts.inside[buffer] || (behind && !is_empty);
      behind = behind || !is_empty;
    }
  }
  while (reference_round(problem, plan, &facts))
    ;
  return facts;
}

static inline void reference_free(reference_facts_t *facts) {
  free(facts->inside);
  free(facts->storage);
}

static inline gmem_violation_t
reference_alone_in(const gmem_buffer_spec_t *spec,
                   const gmem_problem_t *problem, gmem_placement_t placement,
                   bool inside) {
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
  if (address % spec->alignment || (!inside && address % pool->alignment))
    return GMEM_VIOLATION_ALIGNMENT;
  if (placement.offset > GMEM_MAX_ADDRESS / 4 || // far outside, in these tests
      placement.offset + spec->size > pool->capacity)
    return GMEM_VIOLATION_CAPACITY;
  return GMEM_VIOLATION_NONE;
}

static inline gmem_violation_t reference_alone(const gmem_buffer_spec_t *spec,
                                               const gmem_problem_t *problem,
                                               gmem_placement_t placement) {
  return reference_alone_in(spec, problem, placement, false);
}

static inline bool reference_earlier(const gmem_check_result_t *a,
                                     const gmem_check_result_t *b) {
  if (b->violation == GMEM_VIOLATION_NONE)
    return true;
  if (a->time != b->time)
    return a->time < b->time;
  if (a->first != b->first)
    return a->first < b->first;
  if (a->second != b->second)
    return a->second < b->second;
  return a->violation < b->violation;
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

static inline bool reference_may_share(const gmem_problem_t *problem,
                                       const gmem_placement_t *plan,
                                       const reference_facts_t *facts,
                                       uint32_t a, uint32_t b) {
  if (facts->storage[a] == facts->storage[b])
    return true;
  for (size_t i = 0; i < gmem_problem_alias_count(problem); ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(problem, i);
    if (alias->is_optional && reference_in_place(alias, plan) &&
        ((alias->child == a && alias->parent == b) ||
         (alias->child == b && alias->parent == a)))
      return true;
  }
  const gmem_buffer_spec_t *x = gmem_problem_buffer(problem, a);
  const gmem_buffer_spec_t *y = gmem_problem_buffer(problem, b);
  for (size_t i = 0; i < x->branch_count; ++i)
    for (size_t k = 0; k < y->branch_count; ++k)
      if (x->branches[i].choice == y->branches[k].choice &&
          x->branches[i].arm != y->branches[k].arm)
        return true;
  return false;
}

// The check of one plan while it is made.
typedef struct reference_s {
  const gmem_problem_t *problem;
  const gmem_placement_t *plan;
  reference_facts_t facts;
  gmem_check_result_t best;
} reference_t;

static inline bool reference_takes_part(const reference_t *reference,
                                        uint32_t i) {
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(reference->problem, i);
  return spec->size > 0 &&
         reference_alone_in(spec, reference->problem, reference->plan[i],
                            reference->facts.inside[i]) == GMEM_VIOLATION_NONE;
}

static inline void reference_found(reference_t *reference,
                                   gmem_check_result_t found) {
  if (found.violation != GMEM_VIOLATION_NONE &&
      reference_earlier(&found, &reference->best))
    reference->best = found;
}

// One of two that are tied: |first| should lie |distance| above |second|.
static inline void reference_tie(reference_t *reference,
                                 gmem_violation_t violation, uint32_t first,
                                 uint32_t second, uint64_t distance) {
  const gmem_placement_t *plan = reference->plan;
  if (!reference_takes_part(reference, first) ||
      !reference_takes_part(reference, second) ||
      (plan[first].pool == plan[second].pool &&
       plan[first].offset == plan[second].offset + distance))
    return;
  reference_found(
      reference,
      (gmem_check_result_t){
          .violation = violation,
          .first = first,
          .second = second,
          .pool = plan[first].pool,
          .time =
              gmem_problem_buffer(reference->problem, first)->ranges[0].begin});
}

// Each but the first behind the one before, at a multiple of its alignment.
static inline void reference_block(reference_t *reference,
                                   const gmem_block_spec_t *block) {
  uint64_t place = 0, last_place = 0, last_size = 0;
  uint32_t last = GMEM_NO_BUFFER;
  for (size_t i = 0; i < block->count; ++i) {
    uint32_t buffer = block->buffers[i];
    const gmem_buffer_spec_t *spec =
        gmem_problem_buffer(reference->problem, buffer);
    if (spec->size == 0)
      continue;
    for (place = last_place + last_size; place % spec->alignment; ++place)
      ;
    if (last != GMEM_NO_BUFFER)
      reference_tie(reference, GMEM_VIOLATION_BLOCK, buffer, last,
                    place - last_place);
    last = buffer;
    last_place = place;
    last_size = spec->size;
  }
}

static inline void reference_ties(reference_t *reference) {
  const gmem_problem_t *problem = reference->problem;
  for (size_t i = 0; i < gmem_problem_alias_count(problem); ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(problem, i);
    if (!alias->is_optional)
      reference_tie(reference, GMEM_VIOLATION_ALIAS, alias->child,
                    alias->parent, alias->offset);
  }
  for (size_t i = 0; i < gmem_problem_block_count(problem); ++i)
    reference_block(reference, gmem_problem_block(problem, i));
  for (size_t i = 0; i < gmem_problem_conflict_count(problem); ++i) {
    uint32_t a, b;
    gmem_problem_conflict(problem, i, &a, &b);
    gmem_check_result_t pair =
        reference_pair(problem, reference->plan, a < b ? a : b, a < b ? b : a);
    if (!reference_takes_part(reference, a) ||
        !reference_takes_part(reference, b) || pair.begin >= pair.end ||
        reference->plan[a].pool != reference->plan[b].pool)
      continue;
    pair.violation = GMEM_VIOLATION_CONFLICT;
    pair.time = gmem_problem_buffer(problem, pair.first)->ranges[0].begin;
    reference_found(reference, pair);
  }
}

static inline void reference_look_at(reference_t *reference, uint32_t i) {
  const gmem_problem_t *problem = reference->problem;
  const gmem_placement_t *plan = reference->plan;
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, i);
  reference_found(reference,
                  (gmem_check_result_t){
                      .violation = reference_alone_in(
                          spec, problem, plan[i], reference->facts.inside[i]),
                      .first = i,
                      .second = GMEM_NO_BUFFER,
                      .pool = plan[i].pool,
                      .time = spec->ranges[0].begin});
  if (!reference_takes_part(reference, i))
    return;
  for (uint32_t k = i + 1; k < gmem_problem_buffer_count(problem); ++k) {
    if (plan[k].pool != plan[i].pool || !reference_takes_part(reference, k))
      continue;
    gmem_check_result_t pair = reference_pair(problem, plan, i, k);
    if (pair.violation == GMEM_VIOLATION_OVERLAP &&
        !reference_may_share(problem, plan, &reference->facts, i, k))
      reference_found(reference, pair);
  }
}

// What gmem_check has to find, the slow and plain way.
static inline gmem_check_result_t
reference_check(const gmem_problem_t *problem, const gmem_placement_t *plan) {
  reference_t reference = {.problem = problem,
                           .plan = plan,
                           .facts = reference_facts(problem, plan)};
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i)
    reference_look_at(&reference, i);
  reference_ties(&reference);
  reference_free(&reference.facts);
  return reference.best;
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
