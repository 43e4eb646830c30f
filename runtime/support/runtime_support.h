// runtime_support.h - shared by all files of the runtime: host memory through
// the caller's allocator, diagnostics, checked arithmetic.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_RUNTIME_SUPPORT_H_
#define GMEM_RUNTIME_RUNTIME_SUPPORT_H_

#include <assert.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include "gmem/status.h"

// The allocator to use: a copy of |allocator|, or libc when it is NULL.
gmem_allocator_t gmem_rt_allocator(const gmem_allocator_t *allocator);

// Allocates |count| zeroed elements of |size| bytes. NULL if out of memory or
// if the product does not fit in a size_t. A count of 0 allocates one element.
void *gmem_rt_alloc(const gmem_allocator_t *allocator, uint64_t count,
                    size_t size);

// As gmem_rt_alloc, without zeroing the memory.
void *gmem_rt_alloc_raw(const gmem_allocator_t *allocator, uint64_t count,
                        size_t size);

// Frees memory that gmem_rt_alloc returned for the same |count| and |size|.
void gmem_rt_free(const gmem_allocator_t *allocator, void *ptr, uint64_t count,
                  size_t size);

// Fills |diag| (may be NULL) and returns |status|: "return gmem_rt_fail(...)".
gmem_status_t gmem_rt_fail(gmem_diag_t *diag, gmem_status_t status,
                           const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// As gmem_rt_fail, for a failure at byte |offset| of an image that concerns
// |object|.
gmem_status_t gmem_rt_fail_at(gmem_diag_t *diag, gmem_status_t status,
                              uint64_t offset, uint64_t object,
                              const char *format, ...)
    __attribute__((format(printf, 5, 6)));

// As gmem_rt_fail, for a failed system call: stores errno and appends its text.
gmem_status_t gmem_rt_fail_os(gmem_diag_t *diag, gmem_status_t status,
                              const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// As gmem_rt_fail, for the commonest failures.
gmem_status_t gmem_rt_out_of_memory(gmem_diag_t *diag);
gmem_status_t gmem_rt_invalid(gmem_diag_t *diag, const char *text);
gmem_status_t gmem_rt_unsupported(gmem_diag_t *diag, const char *text);

// Allocates |count| zeroed elements for |pointer|, or returns from the calling
// function with OUT_OF_MEMORY.
#define GMEM_RT_ALLOC(pointer, allocator, count, diag)                         \
  do {                                                                         \
    (pointer) = gmem_rt_alloc(allocator, count, sizeof *(pointer));            \
    if (!(pointer))                                                            \
      return gmem_rt_out_of_memory(diag);                                      \
  } while (0)

// Frees the |count| elements at |pointer|, which may be NULL.
#define GMEM_RT_FREE(allocator, pointer, count)                                \
  gmem_rt_free(allocator, pointer, count, sizeof *(pointer))

// Checks an invariant in test builds. The installed library never aborts, and
// has no code for it. A test that plants mistakes defines
// GMEM_RUNTIME_ASSERTS_OFF.
#if defined(GMEM_RUNTIME_ASSERTS) && !defined(GMEM_RUNTIME_ASSERTS_OFF)
#define GMEM_ASSERT(condition) assert(condition)
#else
#define GMEM_ASSERT(condition) ((void)0)
#endif

// Compiles a function for size in a file that is compiled for speed.
#define GMEM_COLD __attribute__((cold))

// The number of bytes of |name| to print with "%.*s": at most 48, so that two
// names fit in one diagnostic, and never part of a UTF-8 character.
int gmem_rt_shown(const char *name);

static inline bool gmem_rt_is_power_of_two(uint64_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}

// Rounds |value| up to a multiple of |align|, a power of two. The sum must not
// wrap around.
static inline uint64_t gmem_rt_round_up(uint64_t value, uint64_t align) {
  GMEM_ASSERT(gmem_rt_is_power_of_two(align) &&
              value <= UINT64_MAX - align + 1);
  return (value + (align - 1)) & ~(align - 1);
}

// The sum, saturated at UINT64_MAX.
static inline uint64_t gmem_rt_sum(uint64_t a, uint64_t b) {
  return a <= UINT64_MAX - b ? a + b : UINT64_MAX;
}

// Binary search in an ascending array of |count| structs of |size| bytes: the
// index of the first one whose member at |keys|, for the first struct, is at
// least |key|; else |count|.
static inline uint32_t gmem_rt_search(const uint32_t *keys, uint32_t count,
                                      size_t size, uint32_t key) {
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (*(const uint32_t *)((const char *)keys + middle * size) < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Drops one of |*references| and returns whether it was the last one. Saturates
// at 0, so that an excess release is harmless.
static inline bool gmem_rt_drop_reference(atomic_uint *references) {
  unsigned before = atomic_load_explicit(references, memory_order_relaxed);
  while (before > 0 && !atomic_compare_exchange_weak_explicit(
                           references, &before, before - 1,
                           memory_order_acq_rel, memory_order_relaxed))
    ;
  return before == 1;
}

#endif // GMEM_RUNTIME_RUNTIME_SUPPORT_H_
