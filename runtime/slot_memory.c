// slot_memory.c - the memory of a slot: its mapping, its bytes between leases.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _DEFAULT_SOURCE // explicit_bzero

#include <string.h>

#include "runtime_support.h"
#include "slot_pool.h"

// Whether the bytes of |buffer| must not reach the next request: secrets, and
// state, which begins as zero.
static bool must_be_zeroed(const gmem_image_buffer_t *buffer) {
  return buffer->size > 0 && !gmem_image_shared(buffer->space) &&
         (buffer->space == GMEM_SPACE_STATE ||
          (buffer->flags & GMEM_BUFFER_SENSITIVE));
}

gmem_status_t gmem_slot_memory_prepare(gmem_pool_t *pool, gmem_diag_t *diag) {
  const gmem_image_view_t *view = &pool->model->plan->view;
  uint32_t count = 0;
  for (uint32_t i = 0; i < view->section[GMEM_IMAGE_BUFFERS].count; ++i) {
    gmem_image_buffer_t buffer = gmem_image_buffer(view, i);
    count += must_be_zeroed(&buffer);
  }
  pool->zero_spans =
      gmem_rt_alloc(&pool->allocator, count, sizeof *pool->zero_spans);
  if (!pool->zero_spans)
    return gmem_rt_out_of_memory(diag);
  pool->zero_count = count;
  uint32_t at = 0;
  for (uint32_t i = 0; at < count; ++i) {
    gmem_image_buffer_t buffer = gmem_image_buffer(view, i);
    if (must_be_zeroed(&buffer))
      pool->zero_spans[at++] =
          (gmem_zero_span_t){buffer.region, buffer.space == GMEM_SPACE_STATE,
                             buffer.offset, buffer.size};
  }
  return gmem_imports_prepare(pool, diag);
}

void gmem_slot_memory_clear(gmem_pool_t *pool) {
  gmem_rt_free(&pool->allocator, pool->zero_spans, pool->zero_count,
               sizeof *pool->zero_spans);
  pool->zero_spans = NULL;
  gmem_imports_release(pool);
}

uint64_t gmem_slot_bytes(const gmem_pool_t *pool) {
  const gmem_region_layout_t *layout = pool->model->plan->layout;
  uint64_t bytes = 0;
  for (uint32_t r = 0; r < pool->region_count; ++r)
    if (!layout[r].shared)
      bytes += gmem_region_bytes(&pool->provider, &layout[r]);
  return bytes;
}

gmem_status_t gmem_slot_map(gmem_lease_t *slot, gmem_diag_t *diag) {
  gmem_pool_t *pool = slot->pool;
  const gmem_plan_t *plan = pool->model->plan;
  GMEM_RT_TRY(gmem_lease_imports_make(slot, diag));
  for (uint32_t r = 0; r < pool->region_count; ++r) {
    if (plan->layout[r].shared) {
      slot->regions[r].place = pool->model->regions[r].place;
      continue;
    }
    GMEM_RT_TRY(gmem_region_map(&pool->provider, &plan->layout[r], 0,
                                &slot->regions[r], diag));
    slot->node.bytes += slot->regions[r].range.size;
  }
  for (uint32_t i = 0; i < pool->zero_count; ++i)
    if (!slot->regions[pool->zero_spans[i].region].place.host)
      return gmem_rt_fail(diag, GMEM_ERR_UNSUPPORTED,
                          "the plan has sensitive or state buffers, but the "
                          "provider's memory cannot be zeroed from the host");
  return GMEM_OK;
}

void gmem_slot_unmap(gmem_lease_t *slot) {
  gmem_pool_t *pool = slot->pool;
  const gmem_region_layout_t *layout = pool->model->plan->layout;
  gmem_lease_imports_free(slot);
  for (uint32_t r = 0; r < pool->region_count; ++r)
    if (!layout[r].shared)
      gmem_region_unmap(&pool->provider, &slot->regions[r]);
}

void gmem_slot_begin(gmem_lease_t *slot) { (void)slot; }

static void zero(gmem_lease_t *slot, const gmem_zero_span_t *span) {
  explicit_bzero(slot->regions[span->region].place.host + span->offset,
                 (size_t)span->size);
}

void gmem_slot_end(gmem_lease_t *slot) {
  const gmem_pool_t *pool = slot->pool;
  gmem_lease_imports_clear(slot);
  for (uint32_t i = 0; i < pool->zero_count; ++i)
    if (!pool->zero_spans[i].state || !slot->keep_state)
      zero(slot, &pool->zero_spans[i]);
}

void gmem_slot_clear_state(gmem_lease_t *slot) {
  const gmem_pool_t *pool = slot->pool;
  for (uint32_t i = 0; i < pool->zero_count; ++i)
    if (pool->zero_spans[i].state)
      zero(slot, &pool->zero_spans[i]);
}
