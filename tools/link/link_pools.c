// link_pools.c - merges the pools of the models and assigns their addresses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "link_pools.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

//===--- merging ----------------------------------------------------------===//

static gmem_link_pool_t *find_pool(const gmem_link_pools_t *pools,
                                   const char *name) {
  for (size_t i = 0; i < pools->count; ++i)
    if (strcmp(pools->at[i].name, name) == 0)
      return &pools->at[i];
  return NULL;
}

// Returns the pool of that name, new if there is none.
static gmem_link_pool_t *find_or_add_pool(gmem_link_pools_t *pools,
                                          const gmem_planned_pool_t *planned,
                                          size_t model_count) {
  gmem_link_pool_t *found = find_pool(pools, planned->name);
  if (found)
    return found;
  pools->at =
      gmem_need(realloc(pools->at, (pools->count + 1) * sizeof *pools->at));
  gmem_link_pool_t *pool = &pools->at[pools->count++];
  *pool = (gmem_link_pool_t){
      .name = gmem_need(strdup(planned->name)),
      .constant = planned->constant,
      .alignment = 1,
      .capacity = GMEM_UNLIMITED,
      .base = GMEM_NO_BASE,
      .blocks = gmem_need(calloc(model_count, sizeof *pool->blocks))};
  return pool;
}

// Computes the aligned end address of all pools before |index| that have an
// address; returns false if none has.
static bool find_behind(const gmem_planned_t *planned, uint32_t index,
                        uint64_t *out_address) {
  bool found = false;
  *out_address = 0;
  for (uint32_t i = 0; i < index; ++i) {
    const gmem_planned_pool_t *pool = gmem_planned_pool(planned, i);
    if (pool->base == GMEM_NO_BASE)
      continue;
    found = true;
    if (pool->base + pool->size >
        *out_address) // cannot overflow: addresses have 63 bits
      *out_address = pool->base + pool->size;
  }
  uint64_t mask = gmem_planned_pool(planned, index)->alignment - 1;
  *out_address = (*out_address + mask) & ~mask;
  return found;
}

// Classifies the base of the pool. A pool without gmem.memories that directly
// follows the pools before it was placed there by gmem-plan; any other base was
// requested by the user.
static gmem_link_place_t place_of(const gmem_planned_t *planned,
                                  uint32_t index) {
  const gmem_planned_pool_t *pool = gmem_planned_pool(planned, index);
  uint64_t behind;
  if (pool->after)
    return GMEM_LINK_AFTER;
  if (pool->base == GMEM_NO_BASE)
    return GMEM_LINK_NOWHERE;
  if (!pool->is_described && find_behind(planned, index, &behind) &&
      behind == pool->base)
    return GMEM_LINK_BEHIND;
  return GMEM_LINK_FIXED;
}

static bool is_same_place(const gmem_link_pool_t *pool, gmem_link_place_t place,
                          const gmem_planned_pool_t *planned_pool) {
  if (pool->place != place)
    return false;
  return place == GMEM_LINK_FIXED
             ? pool->base == planned_pool->base
             : strcmp(pool->after, planned_pool->after) == 0;
}

// Merges the address of the model's pool; the more specific kind takes
// precedence.
static gmem_status_t merge_place(gmem_link_pool_t *pool,
                                 const gmem_link_model_t *model,
                                 uint32_t index) {
  const gmem_planned_pool_t *planned_pool =
      gmem_planned_pool(model->planned, index);
  gmem_link_place_t place = place_of(model->planned, index);
  bool is_firm = pool->place >= GMEM_LINK_AFTER;
  if (is_firm && place >= GMEM_LINK_AFTER &&
      !is_same_place(pool, place, planned_pool))
    return gmem_tool_error(
        "%s and %s specify different addresses for pool '%s'",
        pool->placer->path, model->path, pool->name);
  if (place <= pool->place)
    return GMEM_OK;
  pool->place = place;
  pool->placer = model;
  if (place == GMEM_LINK_FIXED)
    pool->base = planned_pool->base;
  if (place == GMEM_LINK_AFTER)
    pool->after = gmem_need(strdup(planned_pool->after));
  return GMEM_OK;
}

static gmem_status_t merge_limits(gmem_link_pool_t *pool,
                                  const gmem_link_model_t *model,
                                  const gmem_planned_pool_t *planned_pool) {
  if (pool->constant != planned_pool->constant)
    return gmem_tool_error(
        "pool '%s' is constant in %s and a workspace in %s", pool->name,
        (pool->constant ? pool->blocks[0].model : model)->path,
        (pool->constant ? model : pool->blocks[0].model)->path);
  if (planned_pool->capacity == GMEM_UNLIMITED ||
      planned_pool->capacity == pool->capacity)
    return GMEM_OK;
  if (pool->capacity != GMEM_UNLIMITED)
    return gmem_tool_error("%s gives pool '%s' a capacity of %" PRIu64
                           " bytes, %s one of %" PRIu64 " bytes",
                           pool->limiter->path, pool->name, pool->capacity,
                           model->path, planned_pool->capacity);
  pool->capacity = planned_pool->capacity;
  pool->limiter = model;
  return GMEM_OK;
}

static gmem_status_t gather_pool(gmem_link_pools_t *pools,
                                 const gmem_link_model_t *model, uint32_t index,
                                 size_t model_count) {
  const gmem_planned_pool_t *planned_pool =
      gmem_planned_pool(model->planned, index);
  gmem_link_pool_t *pool = find_or_add_pool(pools, planned_pool, model_count);
  GMEM_TRY(merge_limits(pool, model, planned_pool));
  GMEM_TRY(merge_place(pool, model, index));
  assert(pool->block_count < model_count); // a model has a pool once
  pool->blocks[pool->block_count++] =
      (gmem_link_block_t){.model = model,
                          .size = planned_pool->size,
                          .alignment = planned_pool->alignment};
  if (planned_pool->alignment > pool->alignment)
    pool->alignment = planned_pool->alignment;
  if (planned_pool->size > GMEM_MAX_ADDRESS - pool->sum)
    return gmem_tool_error(
        "pool '%s': the total size of all models exceeds the address space",
        pool->name);
  pool->sum += planned_pool->size;
  return GMEM_OK;
}

// Sorts constant pools before the others; stable.
static void sort_pools(gmem_link_pools_t *pools) {
  gmem_link_pool_t *sorted =
      gmem_need(calloc(pools->count + 1, sizeof *sorted));
  size_t count = 0;
  for (int constant = 1; constant >= 0; --constant)
    for (size_t i = 0; i < pools->count; ++i)
      if (pools->at[i].constant == constant)
        sorted[count++] = pools->at[i];
  assert(count == pools->count);
  free(pools->at);
  pools->at = sorted;
}

gmem_status_t gmem_link_pools_gather(const gmem_link_models_t *models,
                                     gmem_link_pools_t *pools) {
  for (size_t i = 0; i < models->count; ++i)
    for (uint32_t k = 0; k < gmem_planned_pool_count(models->at[i].planned);
         ++k)
      GMEM_TRY(gather_pool(pools, &models->at[i], k, models->count));
  sort_pools(pools);
  return GMEM_OK;
}

//===--- addresses --------------------------------------------------------===//

// Sets the base to |end|, rounded up to the alignment of the pool.
static gmem_status_t set_base(gmem_link_pool_t *pool, uint64_t end) {
  uint64_t mask = pool->alignment - 1;
  assert((pool->alignment & mask) == 0 && "alignments are powers of two");
  if (end > GMEM_MAX_ADDRESS - mask ||
      ((end + mask) & ~mask) > GMEM_MAX_ADDRESS - pool->size)
    return gmem_tool_error("the addresses of pool '%s' exceed 63 bits",
                           pool->name);
  pool->base = (end + mask) & ~mask;
  return GMEM_OK;
}

static gmem_status_t check_base(gmem_link_pool_t *pool) {
  uint64_t requested = pool->base;
  GMEM_TRY(set_base(pool, requested));
  if (pool->base == requested)
    return GMEM_OK;
  return gmem_tool_error(
      "the base of pool '%s' in %s is not a multiple of the alignment %" PRIu64
      " required by other models",
      pool->name, pool->placer->path, pool->alignment);
}

// Assigns addresses to pools placed after a pool with an address. A chain has
// at most as many links as there are pools.
static gmem_status_t resolve_chains(gmem_link_pools_t *pools) {
  for (size_t round = 0; round < pools->count; ++round)
    for (size_t i = 0; i < pools->count; ++i) {
      gmem_link_pool_t *pool = &pools->at[i];
      if (pool->place != GMEM_LINK_AFTER || pool->base != GMEM_NO_BASE)
        continue;
      const gmem_link_pool_t *before = find_pool(pools, pool->after);
      if (before && before->base != GMEM_NO_BASE)
        GMEM_TRY(set_base(pool, before->base + before->size));
    }
  return GMEM_OK;
}

static uint64_t end_of_all(const gmem_link_pools_t *pools) {
  uint64_t end = 0;
  for (size_t i = 0; i < pools->count; ++i) {
    const gmem_link_pool_t *pool = &pools->at[i];
    if (pool->base != GMEM_NO_BASE && pool->base + pool->size > end)
      end = pool->base + pool->size;
  }
  return end;
}

static gmem_status_t check_overlaps(const gmem_link_pools_t *pools) {
  for (size_t i = 0; i < pools->count; ++i)
    for (size_t j = 0; j < i; ++j) {
      const gmem_link_pool_t *a = &pools->at[j], *b = &pools->at[i];
      if (a->size && b->size && a->base != GMEM_NO_BASE &&
          b->base != GMEM_NO_BASE && a->base < b->base + b->size &&
          b->base < a->base + a->size)
        return gmem_tool_error(
            "pools '%s' and '%s' overlap: %" PRIu64 " bytes at address %" PRIu64
            " and %" PRIu64 " bytes at address %" PRIu64,
            a->name, b->name, a->size, a->base, b->size, b->base);
    }
  return GMEM_OK;
}

gmem_status_t gmem_link_pools_address(gmem_link_pools_t *pools) {
  for (size_t i = 0; i < pools->count; ++i)
    if (pools->at[i].place == GMEM_LINK_FIXED)
      GMEM_TRY(check_base(&pools->at[i]));
  GMEM_TRY(resolve_chains(pools));
  for (size_t i = 0; i < pools->count; ++i) {
    if (pools->at[i].place != GMEM_LINK_BEHIND)
      continue;
    GMEM_TRY(set_base(&pools->at[i], end_of_all(pools)));
    GMEM_TRY(resolve_chains(pools));
  }
  return check_overlaps(pools);
}

//===--- the modules ------------------------------------------------------===//

static const gmem_link_block_t *block_of(const gmem_link_pool_t *pool,
                                         const gmem_link_model_t *model) {
  for (size_t i = 0; i < pool->block_count; ++i)
    if (pool->blocks[i].model == model)
      return &pool->blocks[i];
  return NULL;
}

static gmem_status_t apply_to(gmem_link_model_t *model,
                              const gmem_link_pools_t *pools,
                              gmem_shared_place_t *places) {
  size_t count = 0;
  for (size_t i = 0; i < pools->count; ++i) {
    const gmem_link_pool_t *pool = &pools->at[i];
    const gmem_link_block_t *block = block_of(pool, model);
    if (!block)
      continue;
    places[count++] = (gmem_shared_place_t){
        .pool = pool->name,
        .base = pool->base == GMEM_NO_BASE ? GMEM_NO_BASE
                                           : pool->base + block->offset,
        .offset = block->offset,
        .size = pool->size};
  }
  assert(count == gmem_planned_pool_count(model->planned));
  if (gmem_planned_share(mlirModuleGetOperation(model->module), places, count,
                         NULL, NULL) == GMEM_OK &&
      gmem_link_model_prove(model) == GMEM_OK)
    return GMEM_OK;
  return gmem_tool_error("%s: cannot update the plan", model->path);
}

gmem_status_t gmem_link_pools_apply(gmem_link_models_t *models,
                                    const gmem_link_pools_t *pools) {
  gmem_shared_place_t *places =
      gmem_need(calloc(pools->count + 1, sizeof *places));
  gmem_status_t status = GMEM_OK;
  for (size_t i = 0; status == GMEM_OK && i < models->count; ++i)
    status = apply_to(&models->at[i], pools, places);
  free(places);
  return status;
}

void gmem_link_pools_free(gmem_link_pools_t *pools) {
  for (size_t i = 0; i < pools->count; ++i) {
    free(pools->at[i].name);
    free(pools->at[i].after);
    free(pools->at[i].blocks);
  }
  free(pools->at);
  *pools = (gmem_link_pools_t){0};
}
