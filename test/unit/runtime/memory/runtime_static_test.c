// runtime_static_test.c - memory that is there already, given out in pieces.
// RUN: %unit/runtime_static_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "failing_heap.h"
#include "gmem/provider.h"

enum { WINDOW = 4096 };

static _Alignas(WINDOW) uint8_t window[WINDOW];

static gmem_provider_t make(uint64_t device) {
  gmem_provider_t provider;
  memset(window, 'w', WINDOW);
  CHECK(gmem_provider_static(window, device, WINDOW, NULL, &provider) ==
        GMEM_OK);
  return provider;
}

static gmem_status_t get(gmem_provider_t *provider, uint64_t size,
                         uint64_t align, uint64_t fixed, gmem_range_t *range) {
  return provider->acquire(provider->user, size, align, fixed, 0, range, NULL);
}

static uint64_t offset_of(const gmem_range_t *range) {
  return (uint64_t)((uint8_t *)range->host - window);
}

//===--- one after the other ----------------------------------------------===//

static void test_first_fit_and_joining(void) {
  gmem_provider_t provider = make(0x10000);
  gmem_range_t a, b, c, d;
  CHECK(get(&provider, 1000, 1, GMEM_ANY_ADDRESS, &a) == GMEM_OK);
  CHECK(get(&provider, 24, 1, GMEM_ANY_ADDRESS, &b) == GMEM_OK);
  CHECK(get(&provider, 3072, 1024, GMEM_ANY_ADDRESS, &c) == GMEM_OK);
  CHECK(offset_of(&a) == 0 && offset_of(&b) == 1000 && offset_of(&c) == 1024);
  CHECK(a.device == 0x10000 && b.device == 0x10000 + 1000 && b.size == 24);
  CHECK(window[0] == 0 && window[WINDOW - 1] == 0);
  CHECK(get(&provider, 1, 1, GMEM_ANY_ADDRESS, &d) == GMEM_ERR_OUT_OF_MEMORY);
  CHECK(d.host == NULL && d.size == 0);
  provider.release(provider.user, &a);
  provider.release(provider.user, &c);
  CHECK(get(&provider, 3073, 1, GMEM_ANY_ADDRESS, &d) ==
        GMEM_ERR_OUT_OF_MEMORY);
  CHECK(get(&provider, 1000, 1, GMEM_ANY_ADDRESS, &a) == GMEM_OK);
  CHECK(offset_of(&a) == 0); // the first hole it fits into
  provider.release(provider.user, &a);
  provider.release(provider.user, &b); // between two free pieces
  CHECK(get(&provider, WINDOW, WINDOW, GMEM_ANY_ADDRESS, &a) == GMEM_OK);
  provider.release(provider.user, &a);
  gmem_provider_destroy(&provider);
  CHECK(provider.user == NULL && provider.acquire == NULL);
}

static void test_bytes_are_zeroed_each_time(void) {
  gmem_provider_t provider = make(0);
  for (int round = 0; round < 2; ++round) {
    gmem_range_t range;
    CHECK(get(&provider, 100, 64, GMEM_ANY_ADDRESS, &range) == GMEM_OK);
    for (int i = 0; i < 100; ++i)
      CHECK(window[i] == 0);
    CHECK(window[100] == 'w'); // nobody asked for it
    memset(range.host, 'x', 100);
    provider.release(provider.user, &range);
  }
  gmem_provider_destroy(&provider);
}

static void test_fixed_addresses(void) {
  gmem_provider_t provider = make(0x10000);
  gmem_range_t a, b;
  CHECK(get(&provider, 256, 256, 0x10400, &a) == GMEM_OK);
  CHECK(a.device == 0x10400 && offset_of(&a) == 0x400);
  static const uint64_t taken[] = {0x10400, 0x10300, 0x10100, 0x0FF00,
                                   0x11000, 0x10F00, 0x100};
  for (size_t i = 0; i < sizeof taken / sizeof *taken; ++i)
    CHECK(get(&provider, 1024, 256, taken[i], &b) ==
          (i < 3 ? GMEM_ERR_OUT_OF_MEMORY : GMEM_ERR_UNSUPPORTED)); // outside
  CHECK(get(&provider, 1, 256, 0x10401, &b) == GMEM_ERR_UNSUPPORTED);
  CHECK(get(&provider, 768, 256, 0x10500, &b) == GMEM_OK);
  provider.release(provider.user, &b);
  provider.release(provider.user, &a);
  gmem_provider_destroy(&provider);
}

// Both addresses are aligned, or it is refused.
static void test_addresses_that_differ(void) {
  gmem_provider_t provider = make(0x10040); // 64 off
  gmem_range_t range;
  CHECK(get(&provider, 1, 64, GMEM_ANY_ADDRESS, &range) == GMEM_OK);
  provider.release(provider.user, &range);
  CHECK(get(&provider, 1, 128, GMEM_ANY_ADDRESS, &range) ==
        GMEM_ERR_UNSUPPORTED);
  gmem_provider_destroy(&provider);
  CHECK(gmem_provider_static(window + 64, 0x10040, 1024, NULL, &provider) ==
        GMEM_OK); // both 64 off
  CHECK(get(&provider, 1, 256, GMEM_ANY_ADDRESS, &range) == GMEM_OK);
  CHECK(range.device == 0x10100 && range.host == window + 0x100);
  provider.release(provider.user, &range);
  gmem_provider_destroy(&provider);
}

static void test_device_memory(void) {
  gmem_provider_t provider;
  gmem_range_t range;
  uint64_t top = UINT64_MAX - WINDOW + 1; // up to the last address there is
  CHECK(gmem_provider_static(NULL, top, WINDOW, NULL, &provider) == GMEM_OK);
  CHECK(get(&provider, WINDOW, WINDOW, GMEM_ANY_ADDRESS, &range) == GMEM_OK);
  CHECK(range.host == NULL && range.device == top && range.size == WINDOW);
  provider.release(provider.user, &range);
  CHECK(get(&provider, 1, UINT64_C(1) << 63, GMEM_ANY_ADDRESS, &range) ==
        GMEM_ERR_OUT_OF_MEMORY);
  CHECK(get(&provider, 2, 1, UINT64_MAX - 1, &range) == GMEM_OK);
  provider.release(provider.user, &range);
  CHECK(get(&provider, 3, 1, UINT64_MAX - 1, &range) == GMEM_ERR_UNSUPPORTED);
  gmem_provider_destroy(&provider);
}

// Whoever plans for other addresses than there are is told which there are;
// this was reported as too little memory.
static void test_what_is_missing_is_said(void) {
  gmem_provider_t provider = make(0x10000);
  gmem_range_t first, range;
  gmem_diag_t diag;
  CHECK(get(&provider, 1024, 1, 0x10400, &first) == GMEM_OK);
  CHECK(provider.acquire(provider.user, 2049, 1, GMEM_ANY_ADDRESS, 0, &range,
                         &diag) == GMEM_ERR_OUT_OF_MEMORY);
  CHECK(strcmp(diag.text, "2049 bytes do not fit: 3072 of 4096 are left, 2048 "
                          "of them together") == 0);
  CHECK(provider.acquire(provider.user, 16, 1, 0x10400, 0, &range, &diag) ==
        GMEM_ERR_OUT_OF_MEMORY); // in use
  static const uint64_t never[] = {0xfff0, 0x10ff8, 0x20000, 0};
  for (int i = 0; i < 4; ++i) {
    CHECK(provider.acquire(provider.user, 16, 1, never[i], 0, &range, &diag) ==
          GMEM_ERR_UNSUPPORTED);
    CHECK(strstr(diag.text, "not in the window of 4096 bytes at 0x10000"));
  }
  provider.release(provider.user, &first);
  gmem_provider_destroy(&provider);
}

static void test_bad_arguments(void) {
  gmem_provider_t provider;
  gmem_range_t range;
  CHECK(gmem_provider_static(window, 0, 0, NULL, &provider) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_provider_static(window, UINT64_MAX, 2, NULL, &provider) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_provider_static(window, 0, UINT64_MAX, NULL, &provider) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(provider.user == NULL && provider.acquire == NULL);
  CHECK(gmem_provider_static(window, 0, 1, NULL, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  provider = make(0);
  CHECK(get(&provider, 1, 3, GMEM_ANY_ADDRESS, &range) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(get(&provider, 1, 0, GMEM_ANY_ADDRESS, &range) ==
        GMEM_ERR_INVALID_ARGUMENT);
  static const uint64_t sizes[] = {0, WINDOW + 1, UINT64_MAX};
  for (int i = 0; i < 3; ++i)
    CHECK(get(&provider, sizes[i], 1, GMEM_ANY_ADDRESS, &range) ==
          GMEM_ERR_OUT_OF_MEMORY);
  CHECK(provider.acquire(provider.user, 1, 1, GMEM_ANY_ADDRESS,
                         GMEM_RANGE_SHAREABLE, &range,
                         NULL) == GMEM_ERR_UNSUPPORTED);
  CHECK(provider.acquire(provider.user, 1, 1, GMEM_ANY_ADDRESS,
                         GMEM_RANGE_SEALABLE | GMEM_RANGE_PREFAULT |
                             GMEM_RANGE_NO_DUMP,
                         &range, NULL) == GMEM_OK);
  provider.release(provider.user, &range);
  provider.release(provider.user, &range); // once too often does nothing
  CHECK(get(&provider, WINDOW, 1, GMEM_ANY_ADDRESS, &range) == GMEM_OK);
  gmem_provider_destroy(&provider);
}

static void test_every_allocation_fails(void) {
  for (size_t k = 1; k <= 5; ++k) {
    heap_t heap = {.fail_at = k};
    gmem_allocator_t own = {&heap, heap_alloc, heap_free};
    gmem_provider_t provider;
    gmem_range_t range = {0};
    gmem_status_t status =
        gmem_provider_static(window, 0, WINDOW, &own, &provider);
    CHECK(status == (k <= 2 ? GMEM_ERR_OUT_OF_MEMORY : GMEM_OK));
    CHECK((provider.user == NULL) == (k <= 2));
    if (status == GMEM_OK) {
      size_t blocks = heap.live_blocks;
      status = get(&provider, 64, 64, GMEM_ANY_ADDRESS, &range);
      CHECK(status == (k <= 4 ? GMEM_ERR_OUT_OF_MEMORY : GMEM_OK));
      CHECK(status == GMEM_OK || heap.live_blocks == blocks);
      if (status != GMEM_OK) // now it works
        CHECK(get(&provider, 64, 64, GMEM_ANY_ADDRESS, &range) == GMEM_OK);
    }
    gmem_provider_destroy(&provider); // also of what is out
    CHECK(heap.live_blocks == 0 && heap.live_bytes == 0);
  }
}

//===--- against a map of bytes -------------------------------------------===//

static uint64_t next_random(uint64_t *state) {
  *state =
      *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return *state >> 33;
}

// The lowest place of |size| free bytes, or WINDOW.
static uint64_t lowest_fit(const bool *used, uint64_t size, uint64_t align) {
  for (uint64_t at = 0; at + size <= WINDOW; at += align) {
    uint64_t count = 0;
    while (count < size && !used[at + count])
      ++count;
    if (count == size)
      return at;
  }
  return WINDOW;
}

static void test_random_calls(void) {
  enum { RANGES = 24, CALLS = 4000 };
  static bool used[WINDOW];
  gmem_provider_t provider = make(0);
  gmem_range_t ranges[RANGES] = {0};
  uint64_t random = 1;
  for (int call = 0; call < CALLS; ++call) {
    gmem_range_t *range = &ranges[next_random(&random) % RANGES];
    if (range->size > 0) {
      memset(used + range->device, 0, range->size);
      provider.release(provider.user, range);
      *range = (gmem_range_t){0};
      continue;
    }
    uint64_t size = 1 + next_random(&random) % 400;
    uint64_t align = UINT64_C(1) << next_random(&random) % 10;
    uint64_t expected = lowest_fit(used, size, align);
    gmem_status_t status = get(&provider, size, align, GMEM_ANY_ADDRESS, range);
    CHECK(status == (expected < WINDOW ? GMEM_OK : GMEM_ERR_OUT_OF_MEMORY));
    if (status != GMEM_OK)
      continue;
    CHECK(range->device == expected && range->size == size);
    memset(used + range->device, 1, size);
  }
  gmem_provider_destroy(&provider);
}

//===--- many threads -----------------------------------------------------===//

// Takes pieces, marks them as its own, and finds no one else's marks.
static void *take_and_mark(void *user) {
  gmem_provider_t *provider = user;
  uint64_t random = (uint64_t)(uintptr_t)&random;
  uint8_t mark = (uint8_t)(1 + random / 4096 % 255);
  for (int i = 0; i < 500; ++i) {
    gmem_range_t range;
    uint64_t size = 1 + next_random(&random) % 900;
    if (get(provider, size, 8, GMEM_ANY_ADDRESS, &range) != GMEM_OK)
      continue;
    uint8_t *bytes = range.host;
    for (uint64_t at = 0; at < size; ++at)
      CHECK(bytes[at] == 0);
    memset(bytes, mark, size);
    for (uint64_t at = 0; at < size; ++at)
      CHECK(bytes[at] == mark);
    provider->release(provider->user, &range);
  }
  return NULL;
}

static void test_threads(void) {
  enum { THREADS = 6 };
  pthread_t threads[THREADS];
  gmem_provider_t provider = make(0);
  gmem_range_t all;
  for (int i = 0; i < THREADS; ++i)
    CHECK(pthread_create(&threads[i], NULL, take_and_mark, &provider) == 0);
  for (int i = 0; i < THREADS; ++i)
    pthread_join(threads[i], NULL);
  CHECK(get(&provider, WINDOW, 1, GMEM_ANY_ADDRESS, &all) == GMEM_OK);
  gmem_provider_destroy(&provider);
}

int main(void) {
  test_first_fit_and_joining();
  test_bytes_are_zeroed_each_time();
  test_fixed_addresses();
  test_addresses_that_differ();
  test_device_memory();
  test_what_is_missing_is_said();
  test_bad_arguments();
  test_every_allocation_fails();
  test_random_calls();
  test_threads();
  return CHECK_RESULT();
}
