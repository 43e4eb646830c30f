// slot_areas.c - layout of the slots of a pool: areas to map, owners of bytes,
// spans to zero.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "slot_areas.h"

#include "buffer_cluster.h"
#include "image_codec.h"
#include "lease_import.h"
#include "runtime_support.h"

enum {
  ZEROING = GMEM_POOL_ZERO_ON_ACQUIRE | GMEM_POOL_ZERO_ON_RELEASE,
};

static uint32_t area_of(const gmem_pool_t *pool, uint32_t id,
                        const gmem_image_buffer_t *buffer) {
  return pool->memory.area_of ? pool->memory.area_of[id]
                              : pool->memory.region_area[buffer->region];
}

//===--- areas ------------------------------------------------------------===//

static void list_regions(gmem_pool_t *pool) {
  gmem_pool_memory_t *memory = &pool->memory;
  const gmem_plan_t *plan = pool->model->plan;
  for (uint32_t r = 0; r < pool->region_count; ++r) {
    if (plan->layout[r].shared)
      continue;
    memory->region_area[r] = memory->area_count;
    memory->areas[memory->area_count++] =
        (gmem_area_t){.region = r, .layout = plan->layout[r]};
  }
}

// Creates one area for each cluster. In order of offsets, the first buffer of a
// cluster determines where it begins.
static void list_clusters(gmem_pool_t *pool, const uint32_t *sorted,
                          uint32_t count, const uint32_t *cluster) {
  gmem_pool_memory_t *memory = &pool->memory;
  const gmem_image_view_t *view = &pool->model->plan->view;
  uint32_t all = gmem_plan_buffer_count(pool->model->plan);
  for (uint32_t id = 0; id < all; ++id)
    memory->area_of[id] = GMEM_NONE;
  for (uint32_t i = 0; i < count; ++i) {
    gmem_image_buffer_t buffer = gmem_image_buffer(view, sorted[i]);
    uint32_t *area_of_cluster = &memory->area_of[cluster[sorted[i]]];
    if (*area_of_cluster == GMEM_NONE) {
      *area_of_cluster = memory->area_count++;
      memory->areas[*area_of_cluster] =
          (gmem_area_t){.region = buffer.region, .begin = buffer.offset};
    }
    gmem_region_layout_t *layout = &memory->areas[*area_of_cluster].layout;
    uint64_t size =
        buffer.offset + buffer.size - memory->areas[*area_of_cluster].begin;
    if (layout->size < size)
      layout->size = size;
    if (layout->align < buffer.align)
      layout->align = buffer.align;
  }
  for (uint32_t id = 0; id < all; ++id)
    memory->area_of[id] = memory->area_of[cluster[id]];
}

// An alias may have a larger alignment than its parent; then its cluster needs
// it. SENSITIVE buffers must stay out of core dumps.
static void finish_areas(gmem_pool_t *pool) {
  gmem_pool_memory_t *memory = &pool->memory;
  const gmem_image_view_t *view = &pool->model->plan->view;
  uint32_t prefault =
      pool->flags & GMEM_POOL_PREFAULT ? GMEM_RANGE_PREFAULT : 0;
  for (uint32_t i = 0; i < memory->area_count; ++i)
    memory->areas[i].flags = prefault;
  for (uint32_t id = 0; id < gmem_plan_buffer_count(pool->model->plan); ++id) {
    gmem_image_buffer_t buffer = gmem_image_buffer(view, id);
    if (gmem_image_shared(buffer.space))
      continue;
    gmem_area_t *area = &memory->areas[area_of(pool, id, &buffer)];
    if (buffer.flags & GMEM_BUFFER_SENSITIVE)
      area->flags |= GMEM_RANGE_NO_DUMP;
    if (area->layout.align < buffer.align)
      area->layout.align = buffer.align;
  }
  for (uint32_t i = 0; i < memory->area_count; ++i) {
    gmem_area_t *area = &memory->areas[i];
    uint64_t base = gmem_image_region(view, area->region).base + area->begin;
    area->layout.lead = base & (area->layout.align - 1);
    area->base = pool->flags & GMEM_POOL_FIXED_DEVICE ? base : GMEM_ANY_ADDRESS;
  }
}

//===--- owners -----------------------------------------------------------===//

// Sorts the owners in |sorted| by area with a counting sort.
static void list_owners(gmem_pool_t *pool, const uint32_t *sorted,
                        uint32_t count) {
  gmem_pool_memory_t *memory = &pool->memory;
  const gmem_image_view_t *view = &pool->model->plan->view;
  for (int pass = 0; pass < 2; ++pass) {
    for (uint32_t i = 0; i < count; ++i) {
      gmem_image_buffer_t buffer = gmem_image_buffer(view, sorted[i]);
      bool always = buffer.space == GMEM_SPACE_STATE;
      if (buffer.size == 0 || (buffer.range_count == 0 && !always))
        continue;
      gmem_area_t *area = &memory->areas[area_of(pool, sorted[i], &buffer)];
      if (pass == 1)
        memory->owners[area->last] =
            (gmem_owner_t){.begin = buffer.offset,
                           .end = buffer.offset + buffer.size,
                           .id = sorted[i],
                           .first_range = buffer.first_range,
                           .range_count = buffer.range_count,
                           .always = always};
      ++area->last;
    }
    for (uint32_t i = 0; pass == 0 && i < memory->area_count; ++i) {
      gmem_area_t *area = &memory->areas[i];
      area->first = memory->owner_count;
      memory->owner_count += area->last;
      area->last = area->first;
    }
  }
}

//===--- spans ------------------------------------------------------------===//

static uint32_t add_span(gmem_pool_memory_t *memory, uint32_t at, uint32_t area,
                         uint64_t begin, uint64_t end) {
  if (memory->spans)
    memory->spans[at] = (gmem_slot_span_t){area, begin, end};
  return at + 1;
}

// Adds the spans of all STATE buffers, or of all SENSITIVE buffers that are not
// STATE.
static uint32_t add_marked(gmem_pool_t *pool, uint32_t at, bool state) {
  const gmem_image_view_t *view = &pool->model->plan->view;
  for (uint32_t id = 0; id < gmem_plan_buffer_count(pool->model->plan); ++id) {
    gmem_image_buffer_t buffer = gmem_image_buffer(view, id);
    bool is_state = buffer.space == GMEM_SPACE_STATE;
    if (buffer.size == 0 || gmem_image_shared(buffer.space) ||
        is_state != state ||
        (!state && !(buffer.flags & GMEM_BUFFER_SENSITIVE)))
      continue;
    at = add_span(&pool->memory, at, area_of(pool, id, &buffer), buffer.offset,
                  buffer.offset + buffer.size);
  }
  return at;
}

// Adds all owned bytes except STATE, whose bytes are never shared.
static uint32_t add_owned(gmem_pool_memory_t *memory, uint32_t at) {
  for (uint32_t a = 0; a < memory->area_count; ++a) {
    uint32_t i = memory->areas[a].first, last = memory->areas[a].last;
    while (i < last) {
      uint64_t begin = memory->owners[i].begin, end = memory->owners[i].end;
      bool state = memory->owners[i].always;
      while (++i < last && !state && !memory->owners[i].always &&
             memory->owners[i].begin <= end)
        if (end < memory->owners[i].end)
          end = memory->owners[i].end;
      if (!state)
        at = add_span(memory, at, a, begin, end);
    }
  }
  return at;
}

static gmem_status_t list_spans(gmem_pool_t *pool, gmem_diag_t *diag) {
  gmem_pool_memory_t *memory = &pool->memory;
  for (int pass = 0;; ++pass) { // first counts, then fills
    memory->state_end = add_marked(pool, 0, true);
    memory->sensitive_end = add_marked(pool, memory->state_end, false);
    memory->span_end = memory->sensitive_end;
    if (pool->flags & ZEROING)
      memory->span_end = add_owned(memory, memory->span_end);
    if (pass == 1)
      return GMEM_OK;
    memory->span_room = memory->span_end;
    GMEM_RT_ALLOC(memory->spans, &pool->allocator, memory->span_room, diag);
  }
}

//===--- layout -----------------------------------------------------------===//

#ifdef GMEM_RUNTIME_ASSERTS
// Whether the owners of each area are in it and ascend, and each span is in its
// area and not empty.
static bool check_layout(const gmem_pool_memory_t *memory) {
  for (uint32_t a = 0; a < memory->area_count; ++a) {
    const gmem_area_t *area = &memory->areas[a];
    uint64_t begin = area->begin, end = area->begin + area->layout.size;
    for (uint32_t i = area->first; i < area->last; ++i) {
      const gmem_owner_t *owner = &memory->owners[i];
      if (owner->begin < begin || owner->begin >= owner->end ||
          owner->end > end)
        return false;
      begin = owner->begin;
    }
  }
  for (uint32_t i = 0; i < memory->span_end; ++i) {
    const gmem_slot_span_t *span = &memory->spans[i];
    const gmem_area_t *area = &memory->areas[span->area];
    if (span->begin < area->begin || span->begin >= span->end ||
        span->end > area->begin + area->layout.size)
      return false;
  }
  return memory->state_end <= memory->sensitive_end &&
         memory->sensitive_end <= memory->span_end;
}
#endif

// Creates areas and owners, with |sorted| and |cluster| as scratch; these may
// be NULL if they are not needed.
static bool list_areas(gmem_pool_t *pool, uint32_t *sorted, uint32_t *cluster) {
  gmem_pool_memory_t *memory = &pool->memory;
  uint32_t count = 0;
  if (sorted && !gmem_cluster_buffers(pool->model->plan, &pool->allocator,
                                      sorted, &count, cluster))
    return false;
  memory->area_room = cluster ? count : pool->region_count;
  memory->areas =
      gmem_rt_alloc(&pool->allocator, memory->area_room, sizeof *memory->areas);
  memory->owner_room = count;
  memory->owners =
      gmem_rt_alloc(&pool->allocator, count, sizeof *memory->owners);
  if (!memory->areas || !memory->owners)
    return false;
  if (cluster)
    list_clusters(pool, sorted, count, cluster);
  else
    list_regions(pool);
  finish_areas(pool);
  list_owners(pool, sorted, count);
  return true;
}

gmem_status_t gmem_slot_memory_prepare(gmem_pool_t *pool, gmem_diag_t *diag) {
  uint32_t all = gmem_plan_buffer_count(pool->model->plan);
  bool unshared = pool->flags & GMEM_POOL_UNSHARED;
  bool sort = unshared || pool->flags & (GMEM_POOL_CHECK | ZEROING);
  uint32_t *sorted = NULL, *cluster = NULL;
  if (sort)
    sorted = gmem_rt_alloc(&pool->allocator, all, sizeof *sorted);
  if (unshared) {
    cluster = gmem_rt_alloc(&pool->allocator, all, sizeof *cluster);
    pool->memory.area_of =
        gmem_rt_alloc(&pool->allocator, all, sizeof *pool->memory.area_of);
  }
  bool done = (sorted || !sort) &&
              ((cluster && pool->memory.area_of) || !unshared) &&
              list_areas(pool, sorted, cluster);
  GMEM_RT_FREE(&pool->allocator, sorted, all);
  GMEM_RT_FREE(&pool->allocator, cluster, all);
  if (!done)
    return gmem_rt_out_of_memory(diag);
  GMEM_TRY(list_spans(pool, diag));
  GMEM_ASSERT(check_layout(&pool->memory));
  return gmem_imports_prepare(pool, diag);
}

void gmem_slot_memory_clear(gmem_pool_t *pool) {
  gmem_pool_memory_t *memory = &pool->memory;
  gmem_allocator_t *allocator = &pool->allocator;
  GMEM_RT_FREE(allocator, memory->areas, memory->area_room);
  GMEM_RT_FREE(allocator, memory->area_of,
               gmem_plan_buffer_count(pool->model->plan));
  GMEM_RT_FREE(allocator, memory->owners, memory->owner_room);
  GMEM_RT_FREE(allocator, memory->spans, memory->span_room);
  gmem_imports_release(pool);
}

uint64_t gmem_slot_bytes(const gmem_pool_t *pool) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < pool->memory.area_count; ++i) {
    const gmem_area_t *area = &pool->memory.areas[i];
    gmem_region_layout_t whole =
        gmem_region_whole(&pool->provider, &area->layout, area->base);
    bytes = gmem_rt_sum(bytes, gmem_region_bytes(&pool->provider, &whole));
  }
  return bytes;
}
