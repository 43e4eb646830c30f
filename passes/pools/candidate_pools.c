// candidate_pools.c - see candidate_pools.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "candidate_pools.h"

#include <assert.h>
#include <string.h>

#include "ir_reading.h"
#include "memory_spaces.h"
#include "pool_names.h"

static uint64_t larger(uint64_t left, uint64_t right) {
  return left > right ? left : right;
}

//===--- the list ---------------------------------------------------------===//

gmem_status_t gmem_candidate_pool_add(gmem_candidate_pools_t *pools,
                                      gmem_candidate_pool_t pool,
                                      gmem_bump_t *arena, uint32_t *out_pool,
                                      gmem_diag_t *diag) {
  assert(pool.memory ? pools->memory_count == pools->count : pool.name[0]);
  if (!gmem_bump_grow(arena, &pools->all, pools->count, &pools->room,
                      sizeof pool))
    return gmem_out_of_memory(diag);
  *out_pool = pools->count;
  pools->all[pools->count++] = pool;
  return GMEM_OK;
}

// Inserts the new pool |number| after all pools that are at least as fast.
static void insert_by_speed(gmem_candidate_pools_t *pools, uint32_t number) {
  uint32_t at = number;
  for (; at && pools->all[pools->order[at - 1]].memory->speed <
                   pools->all[number].memory->speed;
       --at)
    pools->order[at] = pools->order[at - 1];
  pools->order[at] = number;
}

gmem_status_t gmem_candidate_pools_begin(const gmem_program_t *program,
                                         bool constant, gmem_bump_t *arena,
                                         gmem_candidate_pools_t *out_pools,
                                         gmem_diag_t *diag) {
  *out_pools = (gmem_candidate_pools_t){.count = 0};
  for (size_t i = 0; i < program->memory_count; ++i) {
    const gmem_memory_t *memory = &program->memories[i];
    uint32_t pool;
    if (memory->is_constant != constant)
      continue;
    GMEM_TRY(gmem_candidate_pool_add(
        out_pools,
        (gmem_candidate_pool_t){.name = memory->name,
                                .kind = constant ? GMEM_POOL_KIND_CONSTANT
                                                 : GMEM_POOL_KIND_MEMORY,
                                .memory = memory,
                                .alignment = 1},
        arena, &pool, diag));
    insert_by_speed(out_pools, pool);
    out_pools->memory_count = out_pools->count;
  }
  assert(gmem_candidate_pools_check(out_pools));
  return GMEM_OK;
}

uint32_t gmem_candidate_pool_find(const gmem_candidate_pools_t *pools,
                                  MlirStringRef name) {
  for (uint32_t i = 0; i < pools->count; ++i)
    if (mlirStringRefEqual(gmem_string(pools->all[i].name), name))
      return i;
  return GMEM_NO_INDEX;
}

bool gmem_is_workspace_name(MlirStringRef name) {
  return gmem_is_memory_name(name) || gmem_string_is(name, GMEM_POOL_TENSORS) ||
         gmem_string_is(name, GMEM_POOL_IO) ||
         gmem_string_is(name, GMEM_POOL_INIT) ||
         gmem_string_is(name, GMEM_POOL_INIT_MEMORY) ||
         (name.length > strlen(GMEM_POOL_IO ".") &&
          strncmp(name.data, GMEM_POOL_IO ".", strlen(GMEM_POOL_IO ".")) == 0);
}

bool gmem_candidate_pool_is_based(const gmem_candidate_pool_t *pool) {
  return pool->kind == GMEM_POOL_KIND_TENSORS ||
         pool->kind == GMEM_POOL_KIND_IO ||
         (pool->kind == GMEM_POOL_KIND_CONSTANT && !pool->memory &&
          !pool->is_init);
}

bool gmem_is_candidate(gmem_memory_candidates_t candidates, uint32_t pool) {
  for (uint32_t i = 0; i < candidates.count; ++i)
    if (candidates.pools[i] == pool)
      return true;
  return false;
}

//===--- alignments -------------------------------------------------------===//

void gmem_candidate_pools_align(gmem_candidate_pools_t *pools,
                                gmem_memory_candidates_t candidates,
                                uint64_t alignment) {
  assert(gmem_candidates_check(pools, candidates));
  for (uint32_t i = 0; i < candidates.count; ++i) {
    uint64_t *most = &pools->all[candidates.pools[i]].alignment;
    *most = larger(*most, alignment);
  }
}

uint64_t gmem_candidate_pool_unit(const gmem_candidate_pools_t *pools,
                                  uint32_t pool, uint64_t usual) {
  assert(pool < pools->count);
  const gmem_candidate_pool_t *entry = &pools->all[pool];
  uint64_t fixed = entry->memory ? entry->memory->alignment : 0;
  if (entry->kind == GMEM_POOL_KIND_SPACE)
    return pools->memref_alignment;
  // All constants of a pool have the largest alignment that one of them needs.
  if (entry->kind == GMEM_POOL_KIND_CONSTANT)
    return larger(fixed ? fixed : usual, entry->alignment);
  if (fixed)
    return fixed;
  // A pool without a memory is as aligned as its most aligned workbuffer;
  // gmem.pool_table has one alignment per pool, for tensors and memrefs.
  return !entry->memory || entry->has_tensors ? larger(usual, entry->alignment)
                                              : pools->memref_alignment;
}

uint64_t gmem_candidate_pool_alignment(const gmem_candidate_pools_t *pools,
                                       uint32_t pool, uint64_t usual) {
  uint64_t unit = gmem_candidate_pool_unit(pools, pool, usual);
  const gmem_candidate_pool_t *entry = &pools->all[pool];
  return entry->kind == GMEM_POOL_KIND_SPACE ? entry->alignment
                                             : larger(unit, entry->alignment);
}

//===--- checks -----------------------------------------------------------===//

bool gmem_candidate_pools_check(const gmem_candidate_pools_t *pools) {
  uint64_t seen = 0;
  for (uint32_t i = 0; i < pools->count; ++i)
    if ((pools->all[i].memory != NULL) != (i < pools->memory_count))
      return false;
  for (uint32_t i = 0; i < pools->memory_count; ++i) {
    uint32_t pool = pools->order[i];
    if (pool >= pools->memory_count || seen >> pool & 1 ||
        (i && pools->all[pools->order[i - 1]].memory->speed <
                  pools->all[pool].memory->speed))
      return false;
    seen |= UINT64_C(1) << pool;
  }
  return true;
}

bool gmem_candidates_check(const gmem_candidate_pools_t *pools,
                           gmem_memory_candidates_t candidates) {
  for (uint32_t i = 0; i < candidates.count; ++i)
    if (candidates.pools[i] >= pools->count ||
        gmem_is_candidate((gmem_memory_candidates_t){candidates.pools, i},
                          candidates.pools[i]))
      return false;
  return true;
}
