// planner_internal.h - helpers shared by the rooms of the planner: checked
// sums, sorting and searching of keys, traits of a problem.
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

// Maps a time to a key that sorts in the order of time, and back.
static inline uint64_t gmem_time_key(int64_t time) {
  return (uint64_t)time ^ (UINT64_C(1) << 63);
}

static inline int64_t gmem_time_of(uint64_t key) {
  return (int64_t)(key ^ UINT64_C(1) << 63);
}

// sort.c: sorts by key, ascending. Equal keys keep their order, so sorting by
// the minor key first gives a total order, the same on every machine. O(count):
// radix sort, for long arrays. |scratch| has room for |count| entries; no heap.
void gmem_sort_order(gmem_order_t *entries, gmem_order_t *scratch,
                     size_t count);

// The same, and keeps only the first entry of each key. Returns their number.
size_t gmem_sort_distinct(gmem_order_t *entries, gmem_order_t *scratch,
                          size_t count);

// The first of the sorted |entries| whose key is not below |key|; |count| when
// there is none.
static inline size_t gmem_find_key(const gmem_order_t *entries, size_t count,
                                   uint64_t key) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (entries[middle].key < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// The same for plain numbers.
static inline size_t gmem_find_number(const uint32_t *numbers, size_t count,
                                      uint32_t number) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (numbers[middle] < number)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static inline int gmem_compare_numbers(uint64_t a, uint64_t b) {
  return (a > b) - (a < b);
}

// The key of a pair of buffers, in any order.
static inline uint64_t gmem_pair_key(uint32_t a, uint32_t b) {
  return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

//===--- small structures -------------------------------------------------===//

// For painting each number of a range once: |next| of an unpainted number is
// itself, of a painted one a later number. Returns the first unpainted number
// at or after |number|.
static inline uint32_t gmem_next_unpainted(uint32_t *next, uint32_t number) {
  while (next[number] != number) {
    next[number] = next[next[number]];
    number = next[number];
  }
  return number;
}

// xorshift64 (Marsaglia, "Xorshift RNGs", 2003). The state is not 0.
static inline uint64_t gmem_xorshift(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

// A number in [0, limit).
static inline uint32_t gmem_random_below(uint64_t *state, uint32_t limit) {
  return (uint32_t)((gmem_xorshift(state) >> 32) * limit >> 32);
}

// The cheapest of the offsets that are considered one after the other; of equal
// costs a random one. To begin with, |cost| is UINT64_MAX and |ties| 0.
typedef struct gmem_cheapest_s {
  int64_t offset;
  uint64_t cost;
  uint32_t ties; // offsets of this cost so far
} gmem_cheapest_t;

static inline void gmem_consider(gmem_cheapest_t *best, uint64_t offset_key,
                                 uint64_t cost, uint64_t *random) {
  if (cost > best->cost)
    return;
  best->ties = cost < best->cost ? 1 : best->ties + 1;
  best->cost = cost;
  if (best->ties == 1 || gmem_random_below(random, best->ties) == 0)
    best->offset = gmem_time_of(offset_key);
}

// The finalizer of splitmix64 (Steele, Lea, Flood, "Fast splittable
// pseudorandom number generators", 2014).
static inline uint64_t gmem_mix(uint64_t x) {
  x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
  return x ^ x >> 31;
}

//===--- traits of a problem ----------------------------------------------===//

// Properties recorded while a problem is built, so that an algorithm can skip a
// scan of all buffers for cases that do not occur.
typedef struct gmem_traits_s {
  bool has_empty;    // a buffer of size 0
  bool has_fixed;    // a buffer at a fixed offset
  bool has_moves;    // a buffer with several candidate pools, not fixed
  bool has_optional; // an optional alias
  bool is_canonical; // the order of the buffers says more than their names
} gmem_traits_t;

#endif // GMEM_PLANNER_PLANNER_INTERNAL_H_
