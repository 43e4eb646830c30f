// planner_internal.h - helpers shared by the rooms of the planner: checked
// sums, sorting of times, traits of a problem.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_PLANNER_INTERNAL_H_
#define GMEM_PLANNER_PLANNER_INTERNAL_H_

#include "gmem/planner.h"

//===--- checked sums -----------------------------------------------------===//

// *sum = a + b; false when the sum exceeds GMEM_MAX_ADDRESS.
static inline bool gmem_add_bytes(uint64_t a, uint64_t b, uint64_t *sum) {
  *sum = a + b;
  return a <= GMEM_MAX_ADDRESS && b <= GMEM_MAX_ADDRESS - a;
}

static inline bool gmem_is_power_of_two(uint64_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}

// *aligned = the lowest offset >= |offset| at which base + offset is a multiple
// of |alignment|, a power of two; false when it exceeds GMEM_MAX_ADDRESS.
static inline bool gmem_align_offset(uint64_t base, uint64_t offset,
                                     uint64_t alignment, uint64_t *aligned) {
  uint64_t padding = (0 - (base + offset)) & (alignment - 1);
  return gmem_add_bytes(offset, padding, aligned);
}

// The alignment of the address of |buffer| in |pool|.
static inline uint64_t gmem_alignment_in(const gmem_buffer_spec_t *buffer,
                                         const gmem_pool_spec_t *pool) {
  return buffer->alignment > pool->alignment ? buffer->alignment
                                             : pool->alignment;
}

// The largest offset at which a buffer of |pool| may end.
static inline uint64_t gmem_pool_limit(const gmem_pool_spec_t *pool) {
  uint64_t addressable = GMEM_MAX_ADDRESS - pool->base;
  return pool->capacity < addressable ? pool->capacity : addressable;
}

//===--- sorting ----------------------------------------------------------===//

typedef struct gmem_order_s {
  uint64_t key;
  uint32_t index; // of a buffer
} gmem_order_t;

// Maps a time to a key that sorts in the order of time.
static inline uint64_t gmem_time_key(int64_t time) {
  return (uint64_t)time ^ (UINT64_C(1) << 63);
}

//===--- traits of a problem ----------------------------------------------===//

// Properties recorded while a problem is built, so that an algorithm can skip a
// scan of all buffers for cases that do not occur.
typedef struct gmem_traits_s {
  bool has_empty; // a buffer of size 0
  bool has_fixed; // a buffer at a fixed offset
  bool has_moves; // a buffer with several candidate pools, not fixed
} gmem_traits_t;

#endif // GMEM_PLANNER_PLANNER_INTERNAL_H_
