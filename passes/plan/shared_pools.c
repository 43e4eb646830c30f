// shared_pools.c - moves the pools of a planned module into memory that it
// shares with other modules.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "diag.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "pool_table.h"
#include "scope_memories.h"
#include "scopes.h"
#include "vocabulary.h"

typedef struct mover_s {
  const gmem_shared_place_t *places;
  size_t count;
  size_t plans; // number of plans found
} mover_t;

static const gmem_shared_place_t *place_of(const mover_t *mover,
                                           MlirStringRef pool) {
  for (size_t i = 0; i < mover->count; ++i)
    if (mlirStringRefEqual(gmem_string(mover->places[i].pool), pool))
      return &mover->places[i];
  return NULL;
}

static gmem_status_t move_entries(const mover_t *mover, MlirOperation scope,
                                  gmem_bump_t *arena, gmem_diag_t *diag) {
  gmem_pool_table_t table;
  GMEM_TRY(gmem_pool_table_read(scope, arena, &table, diag));
  for (uint32_t i = 0; i < table.count; ++i) {
    gmem_pool_entry_t *entry = &table.entries[i];
    const gmem_shared_place_t *place = place_of(mover, entry->name);
    if (!place)
      continue;
    entry->base = place->base;
    entry->shared_offset = place->offset;
    entry->shared_size = place->size;
  }
  return gmem_pool_table_write(scope, &table, arena, diag);
}

// A base or "after" in gmem.memories is replaced by the new place.
static gmem_status_t move_memories(const mover_t *mover, MlirOperation scope,
                                   gmem_bump_t *arena, gmem_diag_t *diag) {
  const gmem_memory_t *memories;
  size_t count;
  GMEM_TRY(gmem_scope_memories_read(scope, arena, &memories, &count, diag));
  if (!count)
    return GMEM_OK;
  gmem_memory_t *moved;
  GMEM_TRY_ALLOC(moved, arena, count, diag);
  for (size_t i = 0; i < count; ++i) {
    moved[i] = memories[i];
    const gmem_shared_place_t *place =
        place_of(mover, gmem_string(memories[i].name));
    if (!place)
      continue;
    moved[i].base = place->base;
    moved[i].after = NULL;
  }
  return gmem_scope_memories_write(scope, moved, count, arena, diag);
}

static gmem_status_t move_pools(MlirOperation scope,
                                const gmem_op_models_t *models,
                                gmem_bump_t *arena, void *user,
                                gmem_diag_t *diag) {
  (void)models;
  mover_t *mover = user;
  if (mover->plans++)
    return gmem_reject(diag, scope,
                       "a file with several plans cannot share memory with "
                       "other files: put each module in its own file");
  GMEM_TRY(move_entries(mover, scope, arena, diag));
  return move_memories(mover, scope, arena, diag);
}

gmem_status_t gmem_planned_share(MlirOperation top,
                                 const gmem_shared_place_t *places,
                                 size_t count,
                                 const gmem_allocator_t *allocator,
                                 gmem_diag_t *diag) {
  GMEM_NEED(top.ptr, diag);
  mover_t mover = {.places = places, .count = count};
  GMEM_TRY(gmem_for_each_scope_in(top, allocator, move_pools, &mover, diag));
  if (!mover.plans)
    return gmem_op_error(diag, GMEM_ERR_NOT_FOUND, top,
                         "there is no plan here: run gmem-plan first");
  return gmem_verify_module(top, allocator, diag);
}

static MlirWalkResult count_plan(MlirOperation op, void *count) {
  MlirAttribute plan = gmem_op_annotation(op, GMEM_ATTR_PLAN);
  *(size_t *)count += !mlirAttributeIsNull(plan);
  return MlirWalkResultAdvance;
}

size_t gmem_plan_count(MlirOperation top) {
  size_t count = 0;
  mlirOperationWalk(top, count_plan, &count, MlirWalkPreOrder);
  return count;
}
