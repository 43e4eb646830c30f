// link_pools.h - the memories that models share: what they say of them, where
// the models' blocks lie in them, and where they lie themselves.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_LINK_POOLS_H_
#define GMEM_TOOLS_LINK_POOLS_H_

#include "link_models.h"

// The pool of one model, which lies in the shared memory of that name.
typedef struct gmem_link_block_s {
  size_t model;
  uint64_t size;      // bytes
  uint64_t alignment; // bytes
  uint64_t offset;    // bytes from the start of the shared memory
} gmem_link_block_t;

// How the address of a memory is found.
typedef enum gmem_link_place_e {
  GMEM_LINK_NOWHERE, // it has none
  GMEM_LINK_BEHIND,  // behind all others that have one
  GMEM_LINK_AFTER,   // behind the pool |after|
  GMEM_LINK_FIXED,   // a model says it
} gmem_link_place_t;

typedef struct gmem_link_pool_s {
  char *name; // owned
  bool constant;
  uint64_t alignment; // bytes: the largest of its blocks
  uint64_t capacity;  // bytes, or GMEM_UNLIMITED
  size_t limiter;     // model that says the capacity
  gmem_link_place_t place;
  size_t placer; // model that says so
  char *after;   // of GMEM_LINK_AFTER; owned
  uint64_t base; // address, or GMEM_NO_BASE
  gmem_link_block_t *blocks;
  size_t block_count;
  uint64_t sum;         // bytes of all blocks
  uint64_t size;        // bytes that they need together
  uint64_t lower_bound; // bytes: no way to place them needs less
} gmem_link_pool_t;

typedef struct gmem_link_pools_s {
  gmem_link_pool_t *at; // constant ones first, each kind as models list them
  size_t count;
} gmem_link_pools_t;

// Gathers the pools of all models by name. Returns false when what models say
// of one contradicts, which has then been printed. *pools is to be freed with
// gmem_link_pools_free in any case.
bool gmem_link_pools_gather(const gmem_link_models_t *models,
                            gmem_link_pools_t *pools);

// Gives addresses to pools whose models have some. Returns false when pools
// would overlap.
bool gmem_link_pools_address(const gmem_link_models_t *models,
                             gmem_link_pools_t *pools);

// Moves the plans of the models there, in their modules, and proves them.
bool gmem_link_pools_apply(gmem_link_models_t *models,
                           const gmem_link_pools_t *pools);

void gmem_link_pools_free(gmem_link_pools_t *pools);

#endif // GMEM_TOOLS_LINK_POOLS_H_
