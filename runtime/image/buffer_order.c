// buffer_order.c - buffers of an image sorted by address, and the begin and end
// events of their live ranges by step.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "buffer_order.h"

#include "id_sort.h"
#include "image_codec.h"
#include "runtime_support.h"

static bool extent_after(const void *context, uint32_t a, uint32_t b) {
  const gmem_extent_t *x = (const gmem_extent_t *)context + a;
  const gmem_extent_t *y = (const gmem_extent_t *)context + b;
  if (x->region != y->region)
    return x->region > y->region;
  if (x->begin != y->begin)
    return x->begin > y->begin;
  return a > b;
}

void gmem_extents_sort(const gmem_extent_t *extents, uint32_t *ids,
                       uint32_t *scratch, uint32_t count) {
  gmem_rt_sort_ids(ids, scratch, count, extent_after, extents);
}

// First pass: counts the event. Second pass: stores it.
static void add_event(gmem_life_events_t *events, uint64_t key, uint32_t rank) {
  GMEM_ASSERT(key < events->key_count);
  if (events->events)
    events->events[events->key_end[key]++] = rank;
  else
    ++events->key_end[key];
}

static void add_events(gmem_life_events_t *events,
                       const gmem_image_view_t *view, const uint32_t *by_rank,
                       uint32_t count) {
  for (uint32_t rank = 0; rank < count; ++rank) {
    gmem_image_buffer_t buffer = gmem_image_buffer(view, by_rank[rank]);
    if (buffer.size == 0)
      continue;
    if (gmem_image_always_live(buffer.space)) {
      add_event(events, 1, rank); // begins at step 0, never ends
      continue;
    }
    for (uint32_t i = 0; i < buffer.range_count; ++i) {
      gmem_op_range_t range = gmem_image_range(view, buffer.first_range + i);
      add_event(events, 2 * (uint64_t)range.begin + 1, rank);
      add_event(events, 2 * (uint64_t)range.end, rank);
    }
  }
}

// A counting sort.
bool gmem_life_events_make(gmem_life_events_t *events,
                           const gmem_image_view_t *view,
                           const uint32_t *by_rank, uint32_t count,
                           const gmem_allocator_t *allocator) {
  *events = (gmem_life_events_t){
      .key_count = 2 * (view->section[GMEM_IMAGE_OPS].count + UINT64_C(1))};
  events->key_end =
      gmem_rt_alloc(allocator, events->key_count, sizeof(uint32_t));
  if (!events->key_end)
    return false;
  add_events(events, view, by_rank, count);
  for (uint64_t key = 0; key < events->key_count; ++key) {
    uint32_t of_key = events->key_end[key];
    events->key_end[key] = events->event_count; // begin of the key
    events->event_count += of_key;
  }
  events->events =
      gmem_rt_alloc(allocator, events->event_count, sizeof(uint32_t));
  if (!events->events)
    return false;
  add_events(events, view, by_rank,
             count); // key_end becomes the end of the key
  GMEM_ASSERT(events->key_end[events->key_count - 1] == events->event_count);
  return true;
}

void gmem_life_events_free(gmem_life_events_t *events,
                           const gmem_allocator_t *allocator) {
  gmem_rt_free(allocator, events->key_end, events->key_count, sizeof(uint32_t));
  gmem_rt_free(allocator, events->events, events->event_count,
               sizeof(uint32_t));
}
