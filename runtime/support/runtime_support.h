// runtime_support.h - what every file of the runtime needs: host memory through
// the caller's allocator, diagnostics, checked arithmetic.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_RUNTIME_SUPPORT_H_
#define GMEM_RUNTIME_RUNTIME_SUPPORT_H_

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include "gmem/status.h"

// Hands a failure to the caller unchanged.
#define GMEM_RT_TRY(call)                                                      \
  do {                                                                         \
    gmem_status_t try_status = (call);                                         \
    if (try_status != GMEM_OK)                                                 \
      return try_status;                                                       \
  } while (0)

// The allocator to use: a copy of |allocator|, or libc when it is NULL.
gmem_allocator_t gmem_rt_allocator(const gmem_allocator_t *allocator);

// Room for |count| elements of |size| bytes, all zero, or NULL when there is
// none or the product does not fit in a size_t. A count of 0 gives room for 1.
void *gmem_rt_alloc(const gmem_allocator_t *allocator, uint64_t count,
                    size_t size);

// The same without the zeroing, for what is filled at once.
void *gmem_rt_alloc_raw(const gmem_allocator_t *allocator, uint64_t count,
                        size_t size);

// Gives back what gmem_rt_alloc gave for the same |count| and |size|.
void gmem_rt_free(const gmem_allocator_t *allocator, void *ptr, uint64_t count,
                  size_t size);

// Fills |diag| (may be NULL) and returns |status|: "return gmem_rt_fail(...)".
gmem_status_t gmem_rt_fail(gmem_diag_t *diag, gmem_status_t status,
                           const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// The same for a failure at byte |offset| of an image, of object |object|.
gmem_status_t gmem_rt_fail_at(gmem_diag_t *diag, gmem_status_t status,
                              uint64_t offset, uint64_t object,
                              const char *format, ...)
    __attribute__((format(printf, 5, 6)));

// The same for a failure of the system: errno, and what it stands for.
gmem_status_t gmem_rt_fail_os(gmem_diag_t *diag, gmem_status_t status,
                              const char *format, ...)
    __attribute__((format(printf, 3, 4)));

gmem_status_t gmem_rt_out_of_memory(gmem_diag_t *diag);

// How many bytes of |name| a message shows ("%.*s"): at most 48, and never half
// a UTF-8 character, so that two names fit in one diagnostic.
int gmem_rt_shown(const char *name);

static inline bool gmem_rt_is_power_of_two(uint64_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}

// |value| rounded up to a multiple of |align|, a power of two. The caller knows
// that the sum does not wrap.
static inline uint64_t gmem_rt_round_up(uint64_t value, uint64_t align) {
  return (value + (align - 1)) & ~(align - 1);
}

// The sum, or UINT64_MAX when it is more.
static inline uint64_t gmem_rt_sum(uint64_t a, uint64_t b) {
  return a <= UINT64_MAX - b ? a + b : UINT64_MAX;
}

// Drops one of |*references| and returns whether it was the last. Once there
// are none, they stay at none: a release too many must not end a program.
static inline bool gmem_rt_drop_reference(atomic_uint *references) {
  unsigned before = atomic_load_explicit(references, memory_order_relaxed);
  while (before > 0 && !atomic_compare_exchange_weak_explicit(
                           references, &before, before - 1,
                           memory_order_acq_rel, memory_order_relaxed))
    ;
  return before == 1;
}

#endif // GMEM_RUNTIME_RUNTIME_SUPPORT_H_
