// candidate_pools.h - the pools of one kind, constant or workspace, in which
// the buffers of a scope may be placed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_CANDIDATE_POOLS_H_
#define GMEM_PASSES_CANDIDATE_POOLS_H_

#include "program.h"

typedef enum gmem_pool_kind_e {
  GMEM_POOL_KIND_CONSTANT, // constants and immutable workbuffers
  GMEM_POOL_KIND_TENSORS,
  GMEM_POOL_KIND_IO,     // inputs and outputs, addressed after the tensors
  GMEM_POOL_KIND_TAG,    // a single input or output; no base address
  GMEM_POOL_KIND_SPACE,  // a memory space of memrefs; no base address
  GMEM_POOL_KIND_MEMORY, // a workspace memory of the machine (gmem.memories)
} gmem_pool_kind_t;

typedef struct gmem_candidate_pool_s {
  const char *name;
  gmem_pool_kind_t kind;
  const gmem_memory_t *memory; // of gmem.memories, or NULL
  uint64_t alignment; // bytes: the largest alignment that a memref, workbuffer
                      //   or constant requires that may be placed in it
  bool has_tensors;   // with a memory: tensors may be placed in it
  bool is_init;       // used only by functions with gmem.init
} gmem_candidate_pool_t;

// Numbered as the pools of the planner's problem. The first |memory_count| have
// a memory each, in the order of gmem.memories; the others have none.
typedef struct gmem_candidate_pools_s {
  gmem_candidate_pool_t *all;
  uint32_t count;
  size_t room;
  uint32_t memory_count;
  uint32_t order[GMEM_MAX_MEMORIES]; // pools with a memory, fastest first
  uint64_t memref_alignment;         // bytes: the minimum of all memrefs
} gmem_candidate_pools_t;

// Candidate pools of one buffer, best first.
typedef struct gmem_memory_candidates_s {
  const uint32_t *pools;
  uint32_t count;
} gmem_memory_candidates_t;

// Adds a pool for each memory of the program that is for constants or, if not
// |constant|, for all else. Allocates in |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_candidate_pools_begin(const gmem_program_t *program,
                                         bool constant, gmem_bump_t *arena,
                                         gmem_candidate_pools_t *out_pools,
                                         gmem_diag_t *diag);

// Adds a pool; |*out_pool| is its number.
gmem_status_t gmem_candidate_pool_add(gmem_candidate_pools_t *pools,
                                      gmem_candidate_pool_t pool,
                                      gmem_bump_t *arena, uint32_t *out_pool,
                                      gmem_diag_t *diag);

// Returns whether |pool| is one of the candidates.
bool gmem_is_candidate(gmem_memory_candidates_t candidates, uint32_t pool);

// Returns the number of the pool of that name, or GMEM_NO_INDEX.
uint32_t gmem_candidate_pool_find(const gmem_candidate_pools_t *pools,
                                  MlirStringRef name);

// The pools with a memory, as a bit set.
static inline uint64_t
gmem_pools_with_memory(const gmem_candidate_pools_t *pools) {
  return pools->memory_count ? UINT64_MAX >> (64 - pools->memory_count) : 0;
}

// Raises the alignment of the candidates to |alignment| bytes.
void gmem_candidate_pools_align(gmem_candidate_pools_t *pools,
                                gmem_memory_candidates_t candidates,
                                uint64_t alignment);

// Returns the alignment in bytes of every offset in a pool, and of the start of
// the pool. |usual|: the default alignment of its kind.
uint64_t gmem_candidate_pool_unit(const gmem_candidate_pools_t *pools,
                                  uint32_t pool, uint64_t usual);
uint64_t gmem_candidate_pool_alignment(const gmem_candidate_pools_t *pools,
                                       uint32_t pool, uint64_t usual);

// Returns whether the pool has a base address of its own, after the pools
// before it; a memory has that of gmem.memories.
bool gmem_candidate_pool_is_based(const gmem_candidate_pool_t *pool);

// Returns whether |name| is a valid name of a workspace pool.
bool gmem_is_workspace_name(MlirStringRef name);

// Checks the invariants stated above; for assertions.
bool gmem_candidate_pools_check(const gmem_candidate_pools_t *pools);

// Checks that |candidates| are different pools of |pools|.
bool gmem_candidates_check(const gmem_candidate_pools_t *pools,
                           gmem_memory_candidates_t candidates);

#endif // GMEM_PASSES_CANDIDATE_POOLS_H_
