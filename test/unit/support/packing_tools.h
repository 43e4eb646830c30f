// packing_tools.h - what the tests of the packing engines share: packings of
// small problems, and a check of placements that looks at every pair.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEST_UNIT_PACKING_TOOLS_H_
#define GMEM_TEST_UNIT_PACKING_TOOLS_H_

#include <string.h>

#include "packing.h"
#include "planner_reference.h"
#include "search.h"

static inline gmem_search_t search_of(uint64_t steps) {
  return (gmem_search_t){.step_limit = steps,
                         .stage_limit = steps,
                         .stage = "test",
                         .peak = GMEM_UNLIMITED};
}

// The packing of |pool|, when every buffer goes to its first candidate.
static inline gmem_packing_t packing_of(const gmem_problem_t *problem,
                                        uint32_t pool) {
  uint32_t count = gmem_problem_buffer_count(problem);
  uint32_t *pool_of = calloc((size_t)count + 1, sizeof *pool_of);
  gmem_packing_t packing;
  for (uint32_t i = 0; pool_of && i < count; ++i)
    pool_of[i] = gmem_problem_buffer(problem, i)->pools[0];
  if (!pool_of || gmem_packing_create(problem, pool, pool_of, NULL, NULL,
                                      &packing, NULL) != GMEM_OK)
    abort();
  free(pool_of);
  return packing;
}

// The largest sum of sizes that are live together; 0 when there are gaps.
static inline uint64_t load_of(const gmem_packing_t *packing) {
  uint64_t most = 0;
  for (uint32_t section = 0; section < packing->section_count; ++section) {
    uint64_t load = 0;
    for (uint32_t i = 0; i < packing->count; ++i)
      if (packing->items[i].begin <= section && section < packing->items[i].end)
        load += packing->items[i].size;
    most = load > most ? load : most;
  }
  return packing->is_plain ? most : 0;
}

static inline uint64_t *offsets_for(const gmem_packing_t *packing) {
  uint64_t *offsets = calloc((size_t)packing->count + 1, sizeof *offsets);
  if (!offsets)
    abort();
  return offsets;
}

static inline bool member_holds(const gmem_packing_t *packing,
                                gmem_member_t member, uint64_t offset) {
  const gmem_buffer_spec_t *spec =
      gmem_problem_buffer(packing->problem, member.buffer);
  const gmem_pool_spec_t *pool =
      gmem_problem_pool(packing->problem, packing->pool);
  if (spec->has_fixed_offset && spec->fixed_offset != offset)
    return false;
  return (pool->base + offset) % spec->alignment == 0 &&
         (pool->base + offset) % pool->alignment == 0;
}

// Whether the buffers of |packing| are aligned, where they are fixed, and
// nowhere two of them that meet; capacities do not count.
static inline bool placement_holds(const gmem_packing_t *packing,
                                   const uint64_t *offsets) {
  for (uint32_t i = 0; i < packing->member_count; ++i) {
    gmem_member_t a = packing->members[i];
    uint64_t a_offset = offsets[a.item] + a.offset;
    const gmem_buffer_spec_t *x =
        gmem_problem_buffer(packing->problem, a.buffer);
    if (!member_holds(packing, a, a_offset))
      return false;
    for (uint32_t k = i + 1; k < packing->member_count; ++k) {
      gmem_member_t b = packing->members[k];
      uint64_t b_offset = offsets[b.item] + b.offset;
      const gmem_buffer_spec_t *y =
          gmem_problem_buffer(packing->problem, b.buffer);
      int64_t time = 0;
      if (a_offset < b_offset + y->size && b_offset < a_offset + x->size &&
          reference_meeting(x, y, &time))
        return false;
    }
  }
  return true;
}

// One pool of alignment 1 with |count| random buffers of random names; all of
// them plain when |is_plain|, else some have alignments, gaps or are fixed.
static inline gmem_problem_t *random_pool(uint64_t *seed, uint32_t count,
                                          bool is_plain) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (uint32_t i = 0; i < count; ++i) {
    if (!is_plain) {
      add_random_buffer(problem, seed, false);
      continue;
    }
    int64_t begin = random_below(seed, 1 + count);
    add_buffer(problem, begin, begin + 1 + random_below(seed, 12),
               1 + random_below(seed, 40), 1);
  }
  return problem;
}

#endif // GMEM_TEST_UNIT_PACKING_TOOLS_H_
