// slot_memory.c - memory of a slot: mapping, and contents between leases.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _DEFAULT_SOURCE // explicit_bzero

#include "slot_memory.h"

#include <string.h>

#include "image_codec.h"
#include "lease_import.h"
#include "life_check.h"
#include "runtime_support.h"

//===--- mapping ----------------------------------------------------------===//

gmem_mapped_region_t *gmem_slot_area(const gmem_lease_t *slot, uint32_t area) {
  GMEM_ASSERT(area < slot->pool->memory.area_count);
  return slot->memory.areas
             ? &slot->memory.areas[area]
             : &slot->regions[slot->pool->memory.areas[area].region];
}

static gmem_status_t map_area(gmem_lease_t *slot, uint32_t index,
                              gmem_diag_t *diag) {
  const gmem_pool_t *pool = slot->pool;
  const gmem_area_t *area = &pool->memory.areas[index];
  gmem_mapped_region_t *mapped = gmem_slot_area(slot, index);
  gmem_diag_t cause = {.text = ""};
  gmem_status_t status = gmem_region_map_at(
      &pool->provider, &area->layout, area->base, area->flags, mapped, &cause);
  if (status != GMEM_OK)
    return gmem_region_failed(pool->model->plan, area->region, status, &cause,
                              diag);
  slot->node.bytes = gmem_rt_sum(slot->node.bytes, mapped->range.size);
  if (!mapped->range.host &&
      pool->flags & (GMEM_POOL_CHECK | GMEM_POOL_UNSHARED))
    return gmem_rt_unsupported(
        diag, "memory without a host address cannot be checked");
  if (slot->memory.areas) { // align its end to the guard page after it
    uint64_t spare =
        (mapped->range.size - area->layout.lead - area->layout.size) &
        ~(area->layout.align - 1);
    GMEM_ASSERT(spare <= mapped->range.size - area->layout.size);
    mapped->place.host += spare;
    mapped->place.device += spare;
  }
  return GMEM_OK;
}

// Computes the place of each buffer of an unshared slot.
static void place_buffers(gmem_lease_t *slot) {
  const gmem_pool_t *pool = slot->pool;
  const gmem_plan_t *plan = pool->model->plan;
  for (uint32_t id = 0; id < gmem_plan_buffer_count(plan); ++id) {
    uint32_t area = pool->memory.area_of[id];
    if (area == GMEM_NONE)
      continue;
    uint64_t offset = gmem_image_buffer(&plan->view, id).offset -
                      pool->memory.areas[area].begin;
    slot->buffers[id] = slot->memory.areas[area];
    slot->buffers[id].place.host += offset;
    slot->buffers[id].place.device += offset;
  }
}

static gmem_status_t allocate_unshared(gmem_lease_t *slot, gmem_diag_t *diag) {
  const gmem_pool_t *pool = slot->pool;
  slot->memory.areas = gmem_rt_alloc(&pool->allocator, pool->memory.area_count,
                                     sizeof *slot->memory.areas);
  slot->buffers =
      gmem_rt_alloc(&pool->allocator, gmem_plan_buffer_count(pool->model->plan),
                    sizeof *slot->buffers);
  if (!slot->memory.areas || !slot->buffers)
    return gmem_rt_out_of_memory(diag);
  return GMEM_OK;
}

gmem_status_t gmem_slot_map(gmem_lease_t *slot, gmem_diag_t *diag) {
  const gmem_pool_t *pool = slot->pool;
  for (uint32_t r = 0; r < pool->region_count; ++r)
    if (pool->model->plan->layout[r].shared)
      slot->regions[r].place = pool->model->regions[r].place;
  GMEM_TRY(gmem_lease_imports_make(slot, diag));
  if (pool->flags & GMEM_POOL_UNSHARED)
    GMEM_TRY(allocate_unshared(slot, diag));
  for (uint32_t i = 0; i < pool->memory.area_count; ++i)
    GMEM_TRY(map_area(slot, i, diag));
  if (slot->buffers)
    place_buffers(slot);
  for (uint32_t i = 0; i < pool->memory.span_end; ++i)
    if (!gmem_slot_area(slot, pool->memory.spans[i].area)->place.host)
      return gmem_rt_unsupported(
          diag, "memory without a host address cannot be zeroed");
  return GMEM_OK;
}

void gmem_slot_unmap(gmem_lease_t *slot) {
  gmem_pool_t *pool = slot->pool;
  bool allocated = slot->memory.areas || !(pool->flags & GMEM_POOL_UNSHARED);
  for (uint32_t i = 0; allocated && i < pool->memory.area_count; ++i) {
    gmem_mapped_region_t *mapped = gmem_slot_area(slot, i);
    if (pool->flags & GMEM_POOL_CHECK)
      gmem_life_forget(&mapped->range);
    gmem_region_unmap(&pool->provider, mapped);
  }
  gmem_lease_imports_free(slot);
  GMEM_RT_FREE(&pool->allocator, slot->memory.areas, pool->memory.area_count);
  GMEM_RT_FREE(&pool->allocator, slot->buffers,
               gmem_plan_buffer_count(pool->model->plan));
}

//===--- bytes ------------------------------------------------------------===//

static void zero(const gmem_lease_t *slot, uint32_t first, uint32_t end) {
  const gmem_pool_memory_t *memory = &slot->pool->memory;
  GMEM_ASSERT(first <= end && end <= memory->span_end);
  for (uint32_t i = first; i < end; ++i) {
    const gmem_slot_span_t *span = &memory->spans[i];
    uint64_t offset = span->begin - memory->areas[span->area].begin;
    explicit_bzero(gmem_slot_area(slot, span->area)->place.host + offset,
                   (size_t)(span->end - span->begin));
  }
}

void gmem_slot_begin(gmem_lease_t *slot) {
  const gmem_pool_memory_t *memory = &slot->pool->memory;
  slot->memory.op = GMEM_NONE;
  if (slot->pool->flags & GMEM_POOL_ZERO_ON_ACQUIRE)
    zero(slot, memory->sensitive_end, memory->span_end);
  if (slot->pool->flags & GMEM_POOL_CHECK)
    gmem_life_begin(slot);
}

void gmem_slot_end(gmem_lease_t *slot) {
  const gmem_pool_memory_t *memory = &slot->pool->memory;
  if (slot->pool->flags & GMEM_POOL_CHECK)
    gmem_life_end(slot); // uses the imports
  gmem_lease_imports_clear(slot);
  zero(slot, slot->keep_state ? memory->state_end : 0,
       slot->pool->flags & GMEM_POOL_ZERO_ON_RELEASE ? memory->span_end
                                                     : memory->sensitive_end);
  if (slot->pool->flags & GMEM_POOL_CHECK)
    gmem_life_close(slot);
}

void gmem_slot_clear_state(gmem_lease_t *slot) {
  zero(slot, 0, slot->pool->memory.state_end);
}
