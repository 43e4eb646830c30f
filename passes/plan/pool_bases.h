// pool_bases.h - base addresses of the pools in gmem.memories.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A memory has a given base, or its base is the first multiple of its alignment
// after the used bytes of another pool ("after"), or it has no base address.

#ifndef GMEM_PASSES_POOL_BASES_H_
#define GMEM_PASSES_POOL_BASES_H_

#include "gmem/memories.h"
#include "pool_table.h"

// The memory of the pool in gmem.memories, or NULL.
const gmem_memory_t *gmem_pool_memory(const gmem_program_t *program,
                                      MlirStringRef name);

// Sets out_bases[i] to the base of entry i; pools without a memory keep
// theirs. A memory after a pool that is not in the table has GMEM_NO_BASE;
// one whose base does not fit in 63 bits has GMEM_MAX_ADDRESS + 1.
void gmem_pool_bases_find(const gmem_program_t *program,
                          const gmem_pool_table_t *table, uint64_t *out_bases);

// Sets the bases of the program's memories in |table|. Fails with OUT_OF_MEMORY
// or, reported at the scope, INVALID_ARGUMENT (a base that is not aligned for
// the pool) or OUT_OF_RANGE.
gmem_status_t gmem_pool_bases_set(const gmem_program_t *program,
                                  gmem_pool_table_t *table, gmem_bump_t *arena,
                                  gmem_diag_t *diag);

#endif // GMEM_PASSES_POOL_BASES_H_
