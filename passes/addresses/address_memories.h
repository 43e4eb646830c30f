// address_memories.h - which memories foreign addresses are in.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compilers number all memories of a machine in one address space, with an
// upper part of the address for each memory (a tag in bits 40 and above, for
// example). Addresses that are far apart are in different memories.

#ifndef GMEM_PASSES_ADDRESS_MEMORIES_H_
#define GMEM_PASSES_ADDRESS_MEMORIES_H_

#include "bump.h"
#include "gmem/memories.h"
#include "pool_table.h"

// A distance in bytes that no plan leaves free within one memory: 32 GiB.
#define GMEM_MEMORY_DISTANCE (UINT64_C(1) << 35)

// The addresses of one value, and the pool that it would be in if there were
// one memory of its kind.
typedef struct gmem_address_range_s {
  uint64_t begin, end; // begin < end
  uint32_t pool;
} gmem_address_range_t;

// Several of them; find sorts them.
typedef struct gmem_address_ranges_s {
  gmem_address_range_t *at;
  size_t count;
} gmem_address_ranges_t;

typedef struct gmem_address_memories_s {
  gmem_memory_t *at;
  size_t count; // 0: no pool has to be split
} gmem_address_memories_t;

// Describes in |*out_memories|, allocated in |arena|, the memories of those
// kinds (constant or workspace) of which |pools| contain addresses of several
// memories: the name of the pool for the lowest memory of a pool, NAME.1,
// NAME.2 and so on for the others, and its lowest address as its base. Fails
// with OUT_OF_MEMORY.
gmem_status_t gmem_address_memories_find(gmem_address_ranges_t *ranges,
                                         const gmem_pool_table_t *pools,
                                         gmem_bump_t *arena,
                                         gmem_address_memories_t *out_memories,
                                         gmem_diag_t *diag);

// The memory of that kind that contains |address|: the one with the highest
// base that is not above it. NULL if there is none.
const gmem_memory_t *gmem_address_memory(const gmem_memory_t *memories,
                                         size_t count, bool constant,
                                         uint64_t address);

#endif // GMEM_PASSES_ADDRESS_MEMORIES_H_
