// runtime_order_test.c - the set of ranks and the sorts of ids and of buffers
// against naive ones, and memory sizes that do not fit.
// RUN: %unit/runtime_order_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdlib.h>
#include <string.h>

#include "buffer_order.h"
#include "check.h"
#include "id_sort.h"
#include "image_codec.h"
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

//===--- buffers by address -----------------------------------------------===//

static gmem_image_region_t regions[GMEM_PLAN_MAX_REGIONS];
static gmem_image_buffer_t buffers[MAX_SIZE];

static uint64_t random_bits(void) {
  uint64_t bits = 0;
  for (int i = 0; i < 8; ++i)
    bits = bits << 8 | random_below(256);
  return bits;
}

// An image of |count| of |buffers| in regions of |size| bytes, no more.
static gmem_image_view_t view_of(uint32_t count, uint32_t region_count,
                                 uint64_t size) {
  static uint8_t bytes[sizeof regions + sizeof buffers];
  gmem_image_view_t view = {.data = bytes};
  view.section[GMEM_IMAGE_REGIONS].count = region_count;
  for (uint32_t i = 0; i < region_count; ++i) {
    regions[i].size = size;
    gmem_image_convert(gmem_image_kind(GMEM_IMAGE_REGIONS)->fields, &regions[i],
                       bytes + i * sizeof *regions, sizeof *regions);
  }
  view.section[GMEM_IMAGE_BUFFERS].offset = sizeof regions;
  view.section[GMEM_IMAGE_BUFFERS].count = count;
  for (uint32_t i = 0; i < count; ++i)
    gmem_image_convert(gmem_image_kind(GMEM_IMAGE_BUFFERS)->fields, &buffers[i],
                       bytes + sizeof regions + i * sizeof *buffers,
                       sizeof *buffers);
  return view;
}

static bool comes_after(uint64_t a, uint64_t b) {
  if (buffers[a].region != buffers[b].region)
    return buffers[a].region > buffers[b].region;
  if (buffers[a].offset != buffers[b].offset)
    return buffers[a].offset > buffers[b].offset;
  return a > b;
}

// Offsets that differ in the bits of |mask|, in |region_count| regions.
static void check_addresses(uint32_t count, uint64_t mask,
                            uint32_t region_count) {
  static uint64_t ordered[2 * MAX_SIZE];
  uint32_t roots = 0;
  mask &= INT64_MAX / region_count;
  for (uint32_t i = 0; i < count; ++i) {
    buffers[i].offset = random_bits() & mask;
    buffers[i].region = random_below(region_count);
    buffers[i].parent = random_below(4) ? GMEM_NONE : 0;
    roots += buffers[i].parent == GMEM_NONE;
  }
  gmem_image_view_t view = view_of(count, region_count, mask);
  CHECK(gmem_buffers_by_address(&view, ordered) == roots);
  for (uint32_t i = 0; i < roots; ++i) {
    CHECK(ordered[i] < count && buffers[ordered[i]].parent == GMEM_NONE);
    CHECK(i == 0 || comes_after(ordered[i], ordered[i - 1]));
  }
}

// Every byte of an offset counts, also when only that one differs; and regions
// count more, also when all are empty.
static void test_addresses_are_sorted(void) {
  static const uint32_t counts[] = {0, 1, 2, 3, 255, 256, 257, MAX_SIZE};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
    for (uint32_t count = 1; count <= 64; count += 63) {
      for (int byte = 0; byte < 8; ++byte)
        check_addresses(counts[i], UINT64_C(0xff) << 8 * byte, count);
      check_addresses(counts[i], UINT64_MAX, count);
      check_addresses(counts[i], UINT64_C(0x10001) << 20, count);
      check_addresses(counts[i], UINT64_C(1) << 50 | 1, count); // 51 bits apart
      check_addresses(counts[i], 0, count); // ties are in the order of ids
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
  test_addresses_are_sorted();
  test_sizes_that_wrap();
  return CHECK_RESULT();
}
