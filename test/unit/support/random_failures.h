// random_failures.h - host memory and a provider that fail now and then, and
// know what has not come back. Thread-safe.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEST_UNIT_RANDOM_FAILURES_H_
#define GMEM_TEST_UNIT_RANDOM_FAILURES_H_

#include <stdatomic.h>
#include <stdlib.h>

#include "gmem/provider.h"

// A well-mixed number for each |n|.
static inline uint64_t mixed(uint64_t n) {
  n += UINT64_C(0x9E3779B97F4A7C15);
  n = (n ^ (n >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  n = (n ^ (n >> 27)) * UINT64_C(0x94D049BB133111EB);
  return n ^ (n >> 31);
}

// Whether something fails, one time in |one_in| (0: never). The times are
// always the same; which thread has the bad luck is not.
typedef struct dice_s {
  uint64_t seed;
  atomic_uint one_in;
  atomic_uint_least64_t throws, failures;
} dice_t;

static inline bool dice_fail(dice_t *dice) {
  unsigned one_in = atomic_load(&dice->one_in);
  uint64_t n = atomic_fetch_add(&dice->throws, 1);
  if (one_in == 0 || mixed(dice->seed + n) % one_in != 0)
    return false;
  atomic_fetch_add(&dice->failures, 1);
  return true;
}

//===--- host memory ------------------------------------------------------===//

typedef struct shaky_heap_s {
  dice_t dice;
  atomic_long live_blocks, live_bytes;
} shaky_heap_t;

static inline void *shaky_alloc(void *user, size_t size, size_t align) {
  shaky_heap_t *heap = (shaky_heap_t *)user;
  (void)align;
  void *memory = dice_fail(&heap->dice) ? NULL : malloc(size);
  if (!memory)
    return NULL;
  atomic_fetch_add(&heap->live_blocks, 1);
  atomic_fetch_add(&heap->live_bytes, (long)size);
  return memory;
}

static inline void shaky_free(void *user, void *memory, size_t size,
                              size_t align) {
  shaky_heap_t *heap = (shaky_heap_t *)user;
  (void)align;
  atomic_fetch_sub(&heap->live_blocks, 1);
  atomic_fetch_sub(&heap->live_bytes, (long)size);
  free(memory);
}

static inline gmem_allocator_t shaky_allocator(shaky_heap_t *heap) {
  return (gmem_allocator_t){heap, shaky_alloc, shaky_free};
}

//===--- memory of a device -----------------------------------------------===//

// |inner| with failures.
typedef struct shaky_provider_s {
  gmem_provider_t inner;
  dice_t dice;
  atomic_long live_ranges, live_bytes;
} shaky_provider_t;

static inline gmem_status_t
shaky_acquire(void *user, uint64_t size, uint64_t align, uint64_t fixed_device,
              uint32_t flags, gmem_range_t *out_range, gmem_diag_t *diag) {
  shaky_provider_t *it = (shaky_provider_t *)user;
  *out_range = (gmem_range_t){0};
  if (dice_fail(&it->dice))
    return GMEM_ERR_IO;
  gmem_status_t status = it->inner.acquire(
      it->inner.user, size, align, fixed_device, flags, out_range, diag);
  if (status != GMEM_OK)
    return status;
  atomic_fetch_add(&it->live_ranges, 1);
  atomic_fetch_add(&it->live_bytes, (long)out_range->size);
  return GMEM_OK;
}

static inline void shaky_release(void *user, const gmem_range_t *range) {
  shaky_provider_t *it = (shaky_provider_t *)user;
  atomic_fetch_sub(&it->live_ranges, 1);
  atomic_fetch_sub(&it->live_bytes, (long)range->size);
  it->inner.release(it->inner.user, range);
}

static inline gmem_status_t shaky_seal(void *user, gmem_range_t *range,
                                       gmem_diag_t *diag) {
  shaky_provider_t *it = (shaky_provider_t *)user;
  return dice_fail(&it->dice) ? GMEM_ERR_IO
                              : it->inner.seal(it->inner.user, range, diag);
}

static inline gmem_provider_t shaky_provider(shaky_provider_t *it) {
  return (gmem_provider_t){.user = it,
                           .granularity = it->inner.granularity,
                           .acquire = shaky_acquire,
                           .release = shaky_release,
                           .seal = shaky_seal};
}

#endif // GMEM_TEST_UNIT_RANDOM_FAILURES_H_
