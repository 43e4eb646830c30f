// tools_latency_test.c - quantiles of times that are counted in slots: exact
// for small times, within 1/32 above for all, and never above the longest one.
// RUN: %unit/tools_latency_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "latency.h"

#include <stdlib.h>

#include "check.h"

static gmem_latency_t *make(void) {
  gmem_latency_t *latency = calloc(1, sizeof *latency);
  CHECK(latency);
  if (!latency)
    exit(1);
  return latency;
}

static void test_none(void) {
  gmem_latency_t *none = make();
  CHECK(gmem_latency_quantile(none, 500) == 0);
  CHECK(gmem_latency_quantile(none, 1000) == 0);
  free(none);
}

static void test_small(void) {
  gmem_latency_t *latency = make();
  for (uint64_t i = 1; i <= 60; ++i)
    gmem_latency_add(latency, i);
  CHECK(latency->count == 60 && latency->longest == 60);
  CHECK(gmem_latency_quantile(latency, 0) == 0);
  CHECK(gmem_latency_quantile(latency, 500) == 30);
  CHECK(gmem_latency_quantile(latency, 900) == 54);
  CHECK(gmem_latency_quantile(latency, 1000) == 60);
  free(latency);
}

// Each number alone, below one that is longer: its slot ends at it or a little
// above.
static void test_precision(void) {
  for (uint64_t number = 1; number < UINT64_C(1) << 62;
       number += number / 3 + 1) {
    gmem_latency_t *latency = make();
    gmem_latency_add(latency, number);
    gmem_latency_add(latency, UINT64_MAX);
    uint64_t half = gmem_latency_quantile(latency, 500);
    CHECK(half >= number && half - number <= number / 32);
    CHECK(gmem_latency_quantile(latency, 1000) == UINT64_MAX);
    free(latency);
  }
}

static void test_merge(void) {
  gmem_latency_t *all = make(), *one = make(), *two = make();
  for (uint64_t i = 0; i < 1000; ++i) {
    gmem_latency_add(i % 2 ? one : two, i * i);
    gmem_latency_add(all, i * i);
  }
  gmem_latency_merge(one, two);
  CHECK(one->count == all->count && one->longest == all->longest);
  for (unsigned q = 0; q <= 1000; q += 50)
    CHECK(gmem_latency_quantile(one, q) == gmem_latency_quantile(all, q));
  free(two);
  free(one);
  free(all);
}

int main(void) {
  test_none();
  test_small();
  test_precision();
  test_merge();
  return CHECK_RESULT();
}
