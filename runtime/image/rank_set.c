// rank_set.c - a set of small integers with neighbour queries.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rank_set.h"

#include "runtime_support.h"

static uint64_t words_of(uint64_t bits) { return (bits + 63) / 64; }

bool gmem_rank_set_create(gmem_rank_set_t *set, uint32_t size,
                          const gmem_allocator_t *allocator) {
  uint64_t first[GMEM_RANK_LEVELS], total = 0;
  *set = (gmem_rank_set_t){0};
  for (uint64_t bits = size; set->level_count == 0 || bits > 1;) {
    first[set->level_count++] = total;
    bits = words_of(bits);
    total += bits;
  }
  set->words = gmem_rt_alloc(allocator, total, sizeof(uint64_t));
  if (!set->words)
    return false;
  set->word_count = total;
  for (uint32_t i = 0; i < set->level_count; ++i)
    set->level[i] = set->words + first[i];
  return true;
}

void gmem_rank_set_destroy(gmem_rank_set_t *set,
                           const gmem_allocator_t *allocator) {
  gmem_rt_free(allocator, set->words, set->word_count, sizeof(uint64_t));
  *set = (gmem_rank_set_t){0};
}

void gmem_rank_set_insert(gmem_rank_set_t *set, uint32_t rank) {
  GMEM_ASSERT(rank / 64 < set->word_count);
  for (uint32_t i = 0; i < set->level_count; ++i, rank /= 64)
    set->level[i][rank / 64] |= UINT64_C(1) << rank % 64;
}

void gmem_rank_set_erase(gmem_rank_set_t *set, uint32_t rank) {
  GMEM_ASSERT(rank / 64 < set->word_count);
  for (uint32_t i = 0; i < set->level_count; ++i, rank /= 64) {
    set->level[i][rank / 64] &= ~(UINT64_C(1) << rank % 64);
    if (set->level[i][rank / 64] != 0)
      return;
  }
}

uint32_t gmem_rank_set_before(const gmem_rank_set_t *set, uint32_t rank) {
  for (uint32_t i = 0; i < set->level_count; ++i, rank /= 64) {
    uint64_t below = (UINT64_C(1) << rank % 64) - 1;
    uint64_t word = set->level[i][rank / 64] & below;
    if (word == 0)
      continue;
    rank = rank / 64 * 64 + 63 - (uint32_t)__builtin_clzll(word);
    while (i-- > 0)
      rank = rank * 64 + 63 - (uint32_t)__builtin_clzll(set->level[i][rank]);
    return rank;
  }
  return GMEM_RANK_NONE;
}

uint32_t gmem_rank_set_after(const gmem_rank_set_t *set, uint32_t rank) {
  for (uint32_t i = 0; i < set->level_count; ++i, rank /= 64) {
    uint64_t above = ~UINT64_C(1) << rank % 64;
    uint64_t word = set->level[i][rank / 64] & above;
    if (word == 0)
      continue;
    rank = rank / 64 * 64 + (uint32_t)__builtin_ctzll(word);
    while (i-- > 0)
      rank = rank * 64 + (uint32_t)__builtin_ctzll(set->level[i][rank]);
    return rank;
  }
  return GMEM_RANK_NONE;
}
