// pool_bases.h - where the pools lie whose memories gmem.memories describes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A memory lies at its base, or at the first multiple of its alignment behind
// the bytes that are used of the pool that it lies behind; or it has no
// address, and only offsets count.

#ifndef GMEM_PASSES_POOL_BASES_H_
#define GMEM_PASSES_POOL_BASES_H_

#include "gmem/memories.h"
#include "pool_table.h"

// Sets out_bases[i] to the address of entry i: of what is not described as it
// is. What lies behind a pool that is not in the table (yet) has GMEM_NO_BASE;
// what does not fit into 63 bits, GMEM_MAX_ADDRESS + 1.
void gmem_pool_bases_find(const gmem_memory_t *memories, size_t memory_count,
                          const gmem_pool_entry_t *entries, size_t count,
                          uint64_t *out_bases);

// Writes them into the gmem.pool_table of |scope|. Fails with OUT_OF_MEMORY or,
// reported at the scope, INVALID_ARGUMENT (a base that is less aligned than
// what may lie in the pool), OUT_OF_RANGE and as gmem_pool_table_read does.
gmem_status_t gmem_pool_bases_write(MlirOperation scope,
                                    const gmem_memory_t *memories,
                                    size_t memory_count, gmem_bump_t *arena,
                                    gmem_diag_t *diag);

#endif // GMEM_PASSES_POOL_BASES_H_
