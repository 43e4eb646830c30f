// rank_set.h - a set of small integers with neighbour queries.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tree of 64-bit words: bit i of level 0 is set if i is in the set, bit j of
// level k + 1 if word j of level k is not zero. Every operation visits at most
// 5 levels, without recursion.

#ifndef GMEM_RUNTIME_RANK_SET_H_
#define GMEM_RUNTIME_RANK_SET_H_

#include <stdbool.h>

#include "gmem/status.h"

enum { GMEM_RANK_LEVELS = 6 }; // 64^6 > 2^32

#define GMEM_RANK_NONE UINT32_MAX

typedef struct gmem_rank_set_s {
  uint64_t *words; // all levels, level 0 first
  uint64_t word_count;
  uint64_t *level[GMEM_RANK_LEVELS]; // into |words|
  uint32_t level_count;
} gmem_rank_set_t;

// Creates the empty set of ranks below |size|. Returns false if out of memory.
bool gmem_rank_set_create(gmem_rank_set_t *set, uint32_t size,
                          const gmem_allocator_t *allocator);
void gmem_rank_set_destroy(gmem_rank_set_t *set,
                           const gmem_allocator_t *allocator);

// |rank| must be below the size.
void gmem_rank_set_insert(gmem_rank_set_t *set, uint32_t rank);
void gmem_rank_set_erase(gmem_rank_set_t *set, uint32_t rank);

// The largest member below |rank| and the smallest above, or GMEM_RANK_NONE.
uint32_t gmem_rank_set_before(const gmem_rank_set_t *set, uint32_t rank);
uint32_t gmem_rank_set_after(const gmem_rank_set_t *set, uint32_t rank);

#endif // GMEM_RUNTIME_RANK_SET_H_
