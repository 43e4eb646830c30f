// address_memories.c - see address_memories.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "address_memories.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int compare_ranges(const void *a, const void *b) {
  const gmem_address_range_t *left = a, *right = b;
  if (left->pool != right->pool)
    return left->pool < right->pool ? -1 : 1;
  if (left->begin != right->begin)
    return left->begin < right->begin ? -1 : 1;
  return (left->end > right->end) - (left->end < right->end);
}

// Adds memory |number| of a pool, which begins at |base|.
static gmem_status_t add_memory(gmem_memory_t *memory, gmem_bump_t *arena,
                                const gmem_pool_entry_t *pool, uint32_t number,
                                uint64_t base, gmem_diag_t *diag) {
  enum { ROOM = 16 }; // of a point, a number and the NUL
  char *name;
  size_t room = pool->name.length + ROOM;
  GMEM_TRY_ALLOC(name, arena, room, diag);
  if (number)
    snprintf(name, room, "%.*s.%u", (int)pool->name.length, pool->name.data,
             number);
  else
    snprintf(name, room, "%.*s", (int)pool->name.length, pool->name.data);
  *memory = (gmem_memory_t){.name = name,
                            .is_constant = pool->constant,
                            .capacity = GMEM_UNLIMITED,
                            .size = GMEM_UNLIMITED,
                            .base = base};
  return GMEM_OK;
}

// Describes all memories; sets is_split[1] if a pool of constants is in several
// of them, is_split[0] for the others.
static gmem_status_t list_memories(const gmem_address_ranges_t *ranges,
                                   const gmem_pool_table_t *pools,
                                   gmem_bump_t *arena,
                                   gmem_address_memories_t *memories,
                                   bool is_split[2], gmem_diag_t *diag) {
  uint64_t end = 0;
  uint32_t number = 0;
  for (size_t i = 0; i < ranges->count; ++i) {
    const gmem_address_range_t *range = &ranges->at[i];
    bool is_first = i == 0 || range[-1].pool != range->pool;
    assert(range->begin < range->end && range->pool < pools->count);
    const gmem_pool_entry_t *pool = &pools->entries[range->pool];
    if (is_first)
      number = 0;
    else if (range->begin > end && range->begin - end >= GMEM_MEMORY_DISTANCE)
      is_split[pool->constant] = true, ++number;
    else {
      end = range->end > end ? range->end : end;
      continue;
    }
    end = range->end;
    GMEM_TRY(add_memory(&memories->at[memories->count++], arena, pool, number,
                        range->begin, diag));
  }
  return GMEM_OK;
}

gmem_status_t gmem_address_memories_find(gmem_address_ranges_t *ranges,
                                         const gmem_pool_table_t *pools,
                                         gmem_bump_t *arena,
                                         gmem_address_memories_t *out_memories,
                                         gmem_diag_t *diag) {
  bool is_split[2] = {false, false};
  gmem_address_memories_t all = {NULL, 0};
  if (ranges->count)
    qsort(ranges->at, ranges->count, sizeof *ranges->at, compare_ranges);
  GMEM_TRY_ALLOC(all.at, arena, ranges->count, diag);
  GMEM_TRY(list_memories(ranges, pools, arena, &all, is_split, diag));
  *out_memories = (gmem_address_memories_t){all.at, 0};
  for (size_t i = 0; i < all.count; ++i)
    if (is_split[all.at[i].is_constant])
      out_memories->at[out_memories->count++] = all.at[i];
  return GMEM_OK;
}

const gmem_memory_t *gmem_address_memory(const gmem_memory_t *memories,
                                         size_t count, bool constant,
                                         uint64_t address) {
  const gmem_memory_t *best = NULL;
  for (size_t i = 0; i < count; ++i)
    if (memories[i].is_constant == constant && memories[i].base <= address &&
        (!best || memories[i].base > best->base))
      best = &memories[i];
  return best;
}
