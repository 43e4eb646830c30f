// check_constraints.c - checks hard constraints and adds up the penalties of
// soft ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker.h"

// The bytes of a buffer as addresses [begin, end) of its pool.
typedef struct range_s {
  uint64_t begin, end;
  uint32_t pool;
} range_t;

static range_t range_of(const gmem_problem_t *problem,
                        const gmem_placement_t *plan, uint32_t buffer) {
  uint64_t begin =
      gmem_problem_pool(problem, plan[buffer].pool)->base + plan[buffer].offset;
  return (range_t){begin, begin + gmem_problem_buffer(problem, buffer)->size,
                   plan[buffer].pool};
}

static bool is_empty_range(const range_t *range) {
  return range->begin == range->end;
}

// The interleaved banks repeat every |bytes| * |banks|: compares the slices of
// the two that begin at their first ones, modulo |banks|.
static bool share_bank(const range_t *a, const range_t *b, uint64_t bytes,
                       uint64_t banks) {
  uint64_t a_first = a->begin / bytes, a_count = (a->end - 1) / bytes - a_first;
  uint64_t b_first = b->begin / bytes, b_count = (b->end - 1) / bytes - b_first;
  uint64_t from_a = (b_first % banks + banks - a_first % banks) % banks;
  uint64_t from_b = (banks - from_a) % banks;
  return from_a <= a_count || from_b <= b_count;
}

static bool breaks_pair(const gmem_constraint_t *spec, const range_t *a,
                        const range_t *b) {
  bool in_one_pool = a->pool == b->pool;
  if (is_empty_range(b))
    return false;
  if (spec->kind == GMEM_NEAR) {
    uint64_t distance =
        a->begin > b->begin ? a->begin - b->begin : b->begin - a->begin;
    return !in_one_pool || distance > spec->bytes;
  }
  if (!in_one_pool)
    return false;
  if (spec->kind == GMEM_APART)
    return a->begin < b->end && b->begin < a->end;
  return share_bank(a, b, spec->bytes, spec->banks);
}

bool gmem_plan_breaks(const gmem_problem_t *problem,
                      const gmem_placement_t *plan, size_t constraint) {
  const gmem_constraint_t *spec = gmem_problem_constraint(problem, constraint);
  range_t first = range_of(problem, plan, spec->first);
  if (is_empty_range(&first))
    return false;
  if (spec->kind == GMEM_AT)
    return first.pool != spec->pool || plan[spec->first].offset != spec->bytes;
  if (spec->kind == GMEM_BOUNDARY)
    return first.begin / spec->bytes != (first.end - 1) / spec->bytes;
  range_t second = range_of(problem, plan, spec->second);
  return breaks_pair(spec, &first, &second);
}

uint64_t gmem_plan_penalty(const gmem_problem_t *problem,
                           const gmem_placement_t *plan) {
  uint64_t sum = 0; // at most GMEM_MAX_ADDRESS: gmem_problem_add_constraint
  for (size_t i = 0; i < gmem_problem_constraint_count(problem); ++i) {
    uint64_t penalty = gmem_problem_constraint(problem, i)->penalty;
    if (penalty != GMEM_HARD && gmem_plan_breaks(problem, plan, i))
      sum += penalty;
  }
  return sum;
}

void gmem_check_constraints(gmem_checker_t *checker) {
  const gmem_problem_t *problem = checker->problem;
  for (size_t i = 0; i < gmem_problem_constraint_count(problem); ++i) {
    const gmem_constraint_t *spec = gmem_problem_constraint(problem, i);
    bool has_second = spec->kind == GMEM_BANKS || spec->kind == GMEM_NEAR;
    if (spec->penalty != GMEM_HARD ||
        checker->first.violation != GMEM_VIOLATION_NONE ||
        !gmem_plan_breaks(problem, checker->plan, i))
      continue;
    checker->first = (gmem_check_result_t){
        .violation =
            (gmem_violation_t)(GMEM_VIOLATION_BANKS + spec->kind - GMEM_BANKS),
        .first = spec->first,
        .second = has_second ? spec->second : GMEM_NO_BUFFER,
        .pool = checker->plan[spec->first].pool,
        .time = gmem_problem_buffer(problem, spec->first)->ranges[0].begin};
  }
}
