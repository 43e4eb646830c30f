// benefit.c - the benefit of placing a buffer in one pool rather than another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "benefit.h"

#include "problem_store.h"

static const uint64_t MOST_TRAFFIC = UINT64_C(1) << 56;

uint64_t gmem_traffic(const gmem_buffer_spec_t *spec) {
  uint64_t uses = spec->uses ? spec->uses : 1, bytes;
  bool is_more = __builtin_mul_overflow(uses, spec->size, &bytes);
  return is_more || bytes > MOST_TRAFFIC ? MOST_TRAFFIC : bytes;
}

// The loss per accessed byte between two candidates.
static uint32_t loss_between(const gmem_problem_t *problem, uint32_t pool,
                             uint32_t next) {
  uint32_t speed = gmem_problem_pool(problem, pool)->speed;
  uint32_t slower = gmem_problem_pool(problem, next)->speed;
  if (speed == 0 || slower == 0)
    return 1;
  return speed > slower ? speed - slower : 0;
}

gmem_benefit_t gmem_benefit_in(const gmem_problem_t *problem, uint32_t buffer,
                               uint32_t pool) {
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, buffer);
  size_t at = 0;
  uint64_t steps = 0;
  if (spec->has_fixed_offset)
    return 0;
  while (at < spec->pool_count && spec->pools[at] != pool)
    ++at;
  for (; at + 1 < spec->pool_count; ++at)
    steps += loss_between(problem, spec->pools[at], spec->pools[at + 1]);
  return (gmem_benefit_t)gmem_traffic(spec) * steps;
}

gmem_benefit_t gmem_plan_worth(const gmem_problem_t *problem,
                               const gmem_placement_t *plan) {
  gmem_benefit_t sum = 0;
  if (!gmem_problem_traits(problem).has_moves)
    return 0;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i)
    sum += gmem_benefit_in(problem, i, plan[i].pool);
  return sum;
}
