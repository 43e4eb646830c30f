// problem_store.c - read access to a problem: pools, buffers, conflicts,
// aliases, blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "problem_store.h"

uint32_t gmem_problem_pool_count(const gmem_problem_t *problem) {
  return (uint32_t)problem->pool_count;
}

uint32_t gmem_problem_buffer_count(const gmem_problem_t *problem) {
  return (uint32_t)problem->buffer_count;
}

const gmem_pool_spec_t *gmem_problem_pool(const gmem_problem_t *problem,
                                          uint32_t pool) {
  return &problem->pools[pool];
}

const gmem_buffer_spec_t *gmem_problem_buffer(const gmem_problem_t *problem,
                                              uint32_t buffer) {
  return &problem->buffers[buffer];
}

gmem_traits_t gmem_problem_traits(const gmem_problem_t *problem) {
  return problem->traits;
}

const gmem_allocator_t *gmem_problem_allocator(const gmem_problem_t *problem) {
  return &problem->allocator;
}

size_t gmem_problem_conflict_count(const gmem_problem_t *problem) {
  return problem->conflict_count;
}

void gmem_problem_conflict(const gmem_problem_t *problem, size_t index,
                           uint32_t *out_first, uint32_t *out_second) {
  *out_first = problem->conflicts[index].first;
  *out_second = problem->conflicts[index].second;
}

size_t gmem_problem_alias_count(const gmem_problem_t *problem) {
  return problem->alias_count;
}

const gmem_alias_spec_t *gmem_problem_alias(const gmem_problem_t *problem,
                                            size_t index) {
  return &problem->aliases[index];
}

size_t gmem_problem_block_count(const gmem_problem_t *problem) {
  return problem->set_count;
}

const gmem_block_spec_t *gmem_problem_block(const gmem_problem_t *problem,
                                            size_t index) {
  return &problem->sets[index];
}

const gmem_offset_groups_t *
gmem_problem_offset_groups(const gmem_problem_t *problem) {
  return problem->groups.count ? &problem->groups : NULL;
}
