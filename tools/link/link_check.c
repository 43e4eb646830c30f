// link_check.c - verifies the result of gmem-link from link.json and the plans
// of the modules, independently of the code that placed them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "link_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "link_pools.h"

// One pool of the JSON.
typedef struct listed_pool_s {
  const char *name;
  bool constant;
  uint64_t base, size, lower_bound, alignment, capacity;
  const json_t *list;        // of the blocks
  gmem_link_block_t *blocks; // read from |list|; owned
  size_t block_count;
} listed_pool_t;

//===--- reading ----------------------------------------------------------===//

// Reads a 63-bit number; null is |missing|, unless that is 0.
static bool get_bytes(const json_t *object, const char *key, uint64_t missing,
                      uint64_t *out) {
  const json_t *value = json_object_get(object, key);
  *out = missing;
  if (json_is_null(value))
    return missing != 0;
  *out = (uint64_t)json_integer_value(value);
  return json_is_integer(value) && json_integer_value(value) >= 0;
}

static gmem_status_t read_pool(const json_t *object, listed_pool_t *pool) {
  const char *kind = json_string_value(json_object_get(object, "kind"));
  pool->name = json_string_value(json_object_get(object, "name"));
  pool->list = json_object_get(object, "blocks");
  pool->constant = kind && strcmp(kind, "constant") == 0;
  if (pool->name && kind &&
      (pool->constant || strcmp(kind, "workspace") == 0) &&
      json_is_array(pool->list) &&
      get_bytes(object, "base", GMEM_NO_BASE, &pool->base) &&
      get_bytes(object, "size", 0, &pool->size) &&
      get_bytes(object, "lower_bound", 0, &pool->lower_bound) &&
      get_bytes(object, "alignment", 0, &pool->alignment) &&
      get_bytes(object, "capacity", GMEM_UNLIMITED, &pool->capacity))
    return GMEM_OK;
  return gmem_tool_error("link.json: pool '%s' is malformed",
                         pool->name ? pool->name : "");
}

static gmem_status_t read_block(const gmem_link_models_t *models,
                                const listed_pool_t *pool, size_t index,
                                gmem_link_block_t *block) {
  const json_t *object = json_array_get(pool->list, index);
  const char *name = json_string_value(json_object_get(object, "model"));
  block->model =
      name ? gmem_link_models_find(models, name, strlen(name)) : NULL;
  if (!block->model || !get_bytes(object, "offset", 0, &block->offset) ||
      !get_bytes(object, "size", 0, &block->size) ||
      !get_bytes(object, "alignment", 0, &block->alignment))
    return gmem_tool_error("link.json: block %zu of pool '%s' is malformed",
                           index, pool->name);
  return GMEM_OK;
}

static gmem_status_t read_blocks(const gmem_link_models_t *models,
                                 listed_pool_t *pool) {
  pool->block_count = json_array_size(pool->list);
  pool->blocks = gmem_need(calloc(pool->block_count + 1, sizeof *pool->blocks));
  for (size_t i = 0; i < pool->block_count; ++i)
    GMEM_TRY(read_block(models, pool, i, &pool->blocks[i]));
  return GMEM_OK;
}

//===--- the modules ------------------------------------------------------===//

static const gmem_planned_pool_t *pool_of(const gmem_link_model_t *model,
                                          const char *name) {
  for (uint32_t i = 0; i < gmem_planned_pool_count(model->planned); ++i)
    if (strcmp(gmem_planned_pool(model->planned, i)->name, name) == 0)
      return gmem_planned_pool(model->planned, i);
  return NULL;
}

// Checks that the block matches the pool in the plan of its model.
static gmem_status_t check_block(const listed_pool_t *pool,
                                 const gmem_link_block_t *block) {
  const gmem_link_model_t *model = block->model;
  const gmem_planned_pool_t *planned = pool_of(model, pool->name);
  if (!planned)
    return gmem_tool_error("%s: the plan has no pool '%s'", model->path,
                           pool->name);
  uint64_t base =
      pool->base == GMEM_NO_BASE ? GMEM_NO_BASE : pool->base + block->offset;
  if (planned->constant == pool->constant && planned->size == block->size &&
      planned->alignment == block->alignment && planned->base == base &&
      planned->shared_offset == block->offset &&
      planned->shared_size == pool->size)
    return GMEM_OK;
  return gmem_tool_error(
      "%s: the pool '%s' does not match its block in link.json", model->path,
      pool->name);
}

//===--- the blocks of one pool -------------------------------------------===//

// Adds one buffer per block. Their live ranges are disjoint; blocks that must
// not overlap are conflicts.
static gmem_status_t add_blocks(const listed_pool_t *pool,
                                gmem_problem_t *problem, gmem_diag_t *diag) {
  const gmem_link_block_t *blocks = pool->blocks;
  for (size_t i = 0; i < pool->block_count; ++i) {
    uint32_t id;
    gmem_live_range_t range = {(int64_t)i, (int64_t)i + 1};
    GMEM_TRY(gmem_problem_add_buffer(
        problem,
        &(gmem_buffer_spec_t){.name = blocks[i].model->name,
                              .size = blocks[i].size,
                              .alignment = blocks[i].alignment,
                              .ranges = &range,
                              .range_count = 1},
        &id, diag));
    for (uint32_t k = 0; k < i; ++k)
      if (pool->constant ||
          gmem_link_is_together(blocks[i].model, blocks[k].model))
        GMEM_TRY(gmem_problem_add_conflict(problem, k, id, diag));
  }
  return GMEM_OK;
}

// |problem| is empty; |plan| has room for the blocks.
static gmem_status_t check_places(const listed_pool_t *pool,
                                  gmem_problem_t *problem,
                                  gmem_placement_t *plan, gmem_diag_t *diag) {
  uint32_t ignored;
  gmem_pool_spec_t spec = {.name = pool->name,
                           .capacity = pool->size ? pool->size : 1,
                           .alignment = 1,
                           .base = pool->base == GMEM_NO_BASE ? 0 : pool->base};
  GMEM_TRY(gmem_problem_add_pool(problem, &spec, &ignored, diag));
  GMEM_TRY(add_blocks(pool, problem, diag));
  for (size_t i = 0; i < pool->block_count; ++i)
    plan[i].offset = pool->blocks[i].offset;
  return gmem_check(problem, plan, NULL, diag);
}

static gmem_status_t check_overlaps(const listed_pool_t *pool) {
  gmem_problem_t *problem = NULL;
  gmem_placement_t *plan =
      gmem_need(calloc(pool->block_count + 1, sizeof *plan));
  gmem_diag_t diag;
  if (gmem_problem_create(NULL, &problem, &diag) != GMEM_OK)
    gmem_need(NULL);
  gmem_status_t status = check_places(pool, problem, plan, &diag);
  gmem_problem_destroy(problem);
  free(plan);
  return gmem_tool_check(status, &diag, "link.json: pool '%s'", pool->name);
}

static gmem_status_t check_pool(const gmem_link_models_t *models,
                                listed_pool_t *pool) {
  GMEM_TRY(read_blocks(models, pool));
  const gmem_link_block_t *blocks = pool->blocks;
  uint64_t end = 0;
  for (size_t i = 0; i < pool->block_count; ++i) {
    for (size_t k = 0; k < i; ++k)
      if (blocks[k].model == blocks[i].model)
        return gmem_tool_error("link.json: pool '%s' has two blocks of '%s'",
                               pool->name, blocks[i].model->name);
    GMEM_TRY(check_block(pool, &blocks[i]));
    if (blocks[i].size && blocks[i].offset + blocks[i].size > end)
      end = blocks[i].offset + blocks[i].size;
  }
  if (pool->size != end || pool->lower_bound > pool->size ||
      pool->size > pool->capacity)
    return gmem_tool_error("link.json: the size of pool '%s' is wrong",
                           pool->name);
  return check_overlaps(pool);
}

//===--- all pools --------------------------------------------------------===//

static bool overlaps(const listed_pool_t *a, const listed_pool_t *b) {
  return a->size && b->size && a->base != GMEM_NO_BASE &&
         b->base != GMEM_NO_BASE && a->base < b->base + b->size &&
         b->base < a->base + a->size;
}

static gmem_status_t check_pools(const gmem_link_models_t *models,
                                 listed_pool_t *pools, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    for (size_t k = 0; k < i; ++k) {
      if (strcmp(pools[i].name, pools[k].name) == 0)
        return gmem_tool_error("link.json lists pool '%s' twice",
                               pools[i].name);
      if (overlaps(&pools[i], &pools[k]))
        return gmem_tool_error("link.json: pools '%s' and '%s' overlap",
                               pools[k].name, pools[i].name);
    }
    GMEM_TRY(check_pool(models, &pools[i]));
  }
  return GMEM_OK;
}

// Checks that every pool of every model has a block. Each listed block matches
// a distinct pool of a model, so comparing counts suffices.
static gmem_status_t check_complete(const gmem_link_models_t *models,
                                    const listed_pool_t *pools, size_t count) {
  size_t listed = 0, planned = 0;
  for (size_t i = 0; i < count; ++i)
    listed += pools[i].block_count;
  for (size_t i = 0; i < models->count; ++i)
    planned += gmem_planned_pool_count(models->at[i].planned);
  if (listed == planned)
    return GMEM_OK;
  return gmem_tool_error(
      "link.json lists %zu blocks, but the models have %zu pools", listed,
      planned);
}

static gmem_status_t check_list(const json_t *list,
                                const gmem_link_models_t *models,
                                listed_pool_t *pools) {
  size_t count = json_array_size(list);
  if (!json_is_array(list))
    return gmem_tool_error("link.json: missing array 'pools'");
  for (size_t i = 0; i < count; ++i)
    GMEM_TRY(read_pool(json_array_get(list, i), &pools[i]));
  GMEM_TRY(check_pools(models, pools, count));
  return check_complete(models, pools, count);
}

gmem_status_t gmem_link_check(const json_t *link,
                              const gmem_link_models_t *models) {
  const json_t *list = json_object_get(link, "pools");
  size_t count = json_array_size(list);
  listed_pool_t *pools = gmem_need(calloc(count + 1, sizeof *pools));
  gmem_status_t status = check_list(list, models, pools);
  for (size_t i = 0; i < count; ++i)
    free(pools[i].blocks);
  free(pools);
  return status;
}
