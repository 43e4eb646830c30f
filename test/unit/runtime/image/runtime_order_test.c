// runtime_order_test.c - the set of ranks and the sorts of ids and of extents
// against naive ones, and memory sizes that do not fit.
// RUN: %unit/runtime_order_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdlib.h>
#include <string.h>

#include "buffer_order.h"
#include "check.h"
#include "id_sort.h"
#include "rank_set.h"
#include "runtime_support.h"

static uint32_t random_state = 1;

static uint32_t random_below(uint32_t bound) {
  random_state = random_state * 1664525 + 1013904223;
  return (random_state >> 8) % bound;
}

enum { MAX_SIZE = 5000 };

static uint32_t naive_before(const bool *members, uint32_t rank) {
  while (rank-- > 0)
    if (members[rank])
      return rank;
  return GMEM_RANK_NONE;
}

static uint32_t naive_after(const bool *members, uint32_t size, uint32_t rank) {
  while (++rank < size)
    if (members[rank])
      return rank;
  return GMEM_RANK_NONE;
}

static void check_rank_set(uint32_t size) {
  static bool members[MAX_SIZE];
  gmem_allocator_t libc = gmem_rt_allocator(NULL);
  gmem_rank_set_t set;
  memset(members, 0, sizeof members);
  CHECK(gmem_rank_set_create(&set, size, &libc));
  for (int round = 0; round < 4000; ++round) {
    uint32_t rank = random_below(size), asked = random_below(size);
    // Dense first, then sparse: both need many erasures.
    bool insert = random_below(8) < (round < 2000 ? 6u : 2u);
    members[rank] = insert;
    if (insert)
      gmem_rank_set_insert(&set, rank);
    else
      gmem_rank_set_erase(&set, rank);
    CHECK(gmem_rank_set_before(&set, asked) == naive_before(members, asked));
    CHECK(gmem_rank_set_after(&set, asked) ==
          naive_after(members, size, asked));
  }
  gmem_rank_set_destroy(&set, &libc);
}

static void test_rank_set(void) {
  static const uint32_t sizes[] = {1, 2, 63, 64, 65, 128, 4096, 4097, MAX_SIZE};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i)
    check_rank_set(sizes[i]);
}

static bool key_after(const void *context, uint32_t a, uint32_t b) {
  const uint32_t *keys = context;
  return keys[a] > keys[b];
}

static void test_sort_is_sorted_and_stable(void) {
  static uint32_t keys[MAX_SIZE], ids[MAX_SIZE], scratch[MAX_SIZE];
  for (uint32_t count = 0; count <= MAX_SIZE;
       count = count < 40 ? count + 1 : count * 5) {
    for (uint32_t i = 0; i < count; ++i) {
      ids[i] = i;
      keys[i] = random_below(count / 2 + 1);
    }
    gmem_rt_sort_ids(ids, scratch, count, key_after, keys);
    for (uint32_t i = 1; i < count; ++i)
      CHECK(keys[ids[i - 1]] < keys[ids[i]] ||
            (keys[ids[i - 1]] == keys[ids[i]] && ids[i - 1] < ids[i]));
  }
}

static bool extent_after(const gmem_extent_t *a, const gmem_extent_t *b) {
  return a->region != b->region ? a->region > b->region : a->begin > b->begin;
}

// Offsets that differ in the bytes of |mask|, in |regions| regions.
static void check_extents(uint32_t count, uint64_t mask, uint32_t regions) {
  static gmem_extent_t extents[2 * MAX_SIZE];
  static uint32_t ids[MAX_SIZE], scratch[MAX_SIZE];
  for (uint32_t i = 0; i < count; ++i) {
    ids[i] = 2 * i + 1; // ascending, not all
    extents[ids[i]].begin =
        ((uint64_t)random_below(UINT32_MAX) << 31 ^ random_below(UINT32_MAX)) &
        mask;
    extents[ids[i]].region = random_below(regions);
  }
  gmem_extents_sort(extents, ids, scratch, count);
  for (uint32_t i = 1; i < count; ++i) {
    const gmem_extent_t *a = &extents[ids[i - 1]], *b = &extents[ids[i]];
    CHECK(extent_after(b, a) || (!extent_after(a, b) && ids[i - 1] < ids[i]));
  }
}

// Every byte of an offset counts, also when only that one differs; and regions
// count more.
static void test_extents_are_sorted(void) {
  static const uint32_t counts[] = {0, 1, 2, 3, 255, 256, 257, MAX_SIZE};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
    for (int byte = 0; byte < 8; ++byte)
      for (uint32_t regions = 1; regions <= 64; regions += 63)
        check_extents(counts[i], UINT64_C(0xff) << 8 * byte & INT64_MAX,
                      regions);
    check_extents(counts[i], INT64_MAX, 64);
    check_extents(counts[i], 0, 1); // ties are in the order of ids
    check_extents(counts[i], 0, 64);
  }
}

static void test_sizes_that_wrap(void) {
  gmem_allocator_t libc = gmem_rt_allocator(NULL);
  CHECK(gmem_rt_alloc(&libc, UINT64_MAX / 8 + 2, 8) == NULL);
  CHECK(gmem_rt_alloc(&libc, UINT64_MAX, 2) == NULL);
}

int main(void) {
  test_rank_set();
  test_sort_is_sorted_and_stable();
  test_extents_are_sorted();
  test_sizes_that_wrap();
  return CHECK_RESULT();
}
