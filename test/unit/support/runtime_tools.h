// runtime_tools.h - what most tests of the runtime begin with: a plan of a
// description, and how a pool is doing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEST_UNIT_RUNTIME_TOOLS_H_
#define GMEM_TEST_UNIT_RUNTIME_TOOLS_H_

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "gmem/runtime.h"

// |desc| as a plan whose memory is |allocator|'s, by way of an image.
static inline gmem_plan_t *plan_on(const gmem_plan_desc_t *desc,
                                   const gmem_allocator_t *allocator) {
  void *data = NULL;
  size_t size = 0;
  gmem_plan_t *plan = NULL;
  gmem_diag_t diag = {.text = ""};
  gmem_status_t status = gmem_plan_write(desc, NULL, &data, &size, &diag);
  if (status == GMEM_OK)
    status = gmem_plan_load_memory(data, size, 0, allocator, &plan, &diag);
  if (status != GMEM_OK) {
    fprintf(stderr, "no plan: %s\n", diag.text);
    exit(1); // nothing can be tested
  }
  gmem_plan_data_free(NULL, data, size);
  return plan;
}

static inline gmem_plan_t *plan_of(const gmem_plan_desc_t *desc) {
  return plan_on(desc, NULL);
}

static inline gmem_pool_stats_t stats_of(gmem_pool_t *pool) {
  gmem_pool_stats_t stats;
  gmem_pool_stats(pool, &stats);
  return stats;
}

// Returns once |count| threads really wait.
static inline void until_waiting(gmem_pool_t *pool, uint32_t count) {
  struct timespec pause = {0, 50000};
  while (stats_of(pool).waiting != count)
    nanosleep(&pause, NULL);
}

static inline int64_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static inline bool all_are(const uint8_t *bytes, uint64_t size, uint8_t value) {
  for (uint64_t i = 0; i < size; ++i)
    if (bytes[i] != value)
      return false;
  return true;
}

#endif // GMEM_TEST_UNIT_RUNTIME_TOOLS_H_
