// checker.c - state shared by all parts of the plan checker.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker.h"

#include <assert.h>

static bool comes_before(const gmem_check_result_t *a,
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

void gmem_check_found(gmem_checker_t *checker,
                      const gmem_check_result_t *found) {
  if (comes_before(found, &checker->first))
    checker->first = *found;
}

void gmem_check_found_overlap(gmem_checker_t *checker,
                              const gmem_check_block_t *a,
                              const gmem_check_block_t *b, int64_t time) {
  bool in_order = a->buffer < b->buffer;
  gmem_check_result_t found = {.violation = GMEM_VIOLATION_OVERLAP,
                               .first = in_order ? a->buffer : b->buffer,
                               .second = in_order ? b->buffer : a->buffer,
                               .pool = a->pool,
                               .time = time,
                               .begin =
                                   a->begin > b->begin ? a->begin : b->begin,
                               .end = a->end < b->end ? a->end : b->end};
  assert(a->pool == b->pool && found.begin < found.end);
  gmem_check_found(checker, &found);
}

void gmem_check_order_blocks(gmem_checker_t *checker) {
  const gmem_check_block_t *blocks = checker->blocks;
  gmem_check_entry_t *order = checker->order;
  size_t count = checker->block_count;
  for (size_t i = 0; i < count; ++i)
    order[i] = (gmem_check_entry_t){blocks[i].begin, (uint32_t)i};
  gmem_check_sort(order, checker->scratch, count);
  if (gmem_problem_pool_count(checker->problem) == 1)
    return;
  for (size_t i = 0; i < count; ++i)
    order[i].key = blocks[order[i].index].pool;
  gmem_check_sort(order, checker->scratch, count);
}
