// link_pools.h - the shared pools: their constraints, the blocks of the
// models in them, and their addresses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_LINK_POOLS_H_
#define GMEM_TOOLS_LINK_POOLS_H_

#include "link_models.h"

// The pool of one model, a part of the shared pool of that name.
typedef struct gmem_link_block_s {
  const gmem_link_model_t *model;
  uint64_t size;      // bytes
  uint64_t alignment; // bytes
  uint64_t offset;    // bytes from the start of the shared pool
} gmem_link_block_t;

// How the address of a shared pool is determined; later ones take precedence.
typedef enum gmem_link_place_e {
  GMEM_LINK_NOWHERE, // no address
  GMEM_LINK_BEHIND,  // after all other pools with an address
  GMEM_LINK_AFTER,   // after the pool |after|
  GMEM_LINK_FIXED,   // fixed by a model
} gmem_link_place_t;

typedef struct gmem_link_pool_s {
  char *name; // owned
  bool constant;
  uint64_t alignment;               // bytes; maximum over its blocks
  uint64_t capacity;                // bytes, or GMEM_UNLIMITED
  const gmem_link_model_t *limiter; // sets |capacity|
  gmem_link_place_t place;
  const gmem_link_model_t *placer; // sets |place|
  char *after;                     // for GMEM_LINK_AFTER; owned
  uint64_t base;                   // address, or GMEM_NO_BASE
  gmem_link_block_t *blocks;
  size_t block_count;
  uint64_t sum;         // total size of the blocks, bytes
  uint64_t size;        // bytes required
  uint64_t lower_bound; // lower bound of |size|, bytes
} gmem_link_pool_t;

typedef struct gmem_link_pools_s {
  gmem_link_pool_t *at; // constant pools first, else in order of the models
  size_t count;
} gmem_link_pools_t;

// Merges the pools of all models by name; |pools| is zero. Fails if models
// contradict each other. Call gmem_link_pools_free in any case.
GMEM_MUST_USE gmem_status_t gmem_link_pools_gather(
    const gmem_link_models_t *models, gmem_link_pools_t *pools);

// Assigns addresses to pools that have them in the models. Fails for example if
// pools would overlap.
GMEM_MUST_USE gmem_status_t gmem_link_pools_address(gmem_link_pools_t *pools);

// Updates the plans in the modules of the models and verifies them.
GMEM_MUST_USE gmem_status_t gmem_link_pools_apply(
    gmem_link_models_t *models, const gmem_link_pools_t *pools);

void gmem_link_pools_free(gmem_link_pools_t *pools);

#endif // GMEM_TOOLS_LINK_POOLS_H_
