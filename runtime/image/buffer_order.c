// buffer_order.c - buffers of an image sorted by address, and the begin and end
// events of their live ranges by step.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "buffer_order.h"

#include <string.h>

#include "image_codec.h"
#include "runtime_support.h"

// The byte of the key (region, begin) at |place|, from the lowest.
static uint8_t digit_of(const gmem_extent_t *extent, unsigned place) {
  return (uint8_t)(place < 8 ? extent->begin >> 8 * place : extent->region);
}

// The bits in which the keys differ.
static gmem_extent_t differences(const gmem_extent_t *extents,
                                 const uint32_t *ids, uint32_t count) {
  gmem_extent_t bits = {0};
  for (uint32_t i = 1; i < count; ++i) {
    bits.begin |= extents[ids[i]].begin ^ extents[ids[0]].begin;
    bits.region |= extents[ids[i]].region ^ extents[ids[0]].region;
  }
  return bits;
}

// Sorts |from| to |to| by one digit, stably.
static void sort_by_digit(const gmem_extent_t *extents, const uint32_t *from,
                          uint32_t *to, uint32_t count, unsigned place) {
  uint32_t ends[256] = {0}, end = 0;
  for (uint32_t i = 0; i < count; ++i)
    ++ends[digit_of(&extents[from[i]], place)];
  for (unsigned digit = 0; digit < 256; ++digit)
    ends[digit] = end += ends[digit];
  for (uint32_t i = count; i-- > 0;)
    to[--ends[digit_of(&extents[from[i]], place)]] = from[i];
}

// A radix sort: linear, whereas merging would read extents all over memory
// log2(count) times.
void gmem_extents_sort(const gmem_extent_t *extents, uint32_t *ids,
                       uint32_t *scratch, uint32_t count) {
  const gmem_extent_t bits = differences(extents, ids, count);
  uint32_t *from = ids, *to = scratch;
  for (unsigned place = 0; place <= 8; ++place) {
    if (digit_of(&bits, place) == 0)
      continue;
    sort_by_digit(extents, from, to, count, place);
    uint32_t *swap = from;
    from = to;
    to = swap;
  }
  if (from != ids)
    memcpy(ids, from, count * sizeof *ids);
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
    if (rank + GMEM_IMAGE_AHEAD < count)
      gmem_image_prefetch(view, GMEM_IMAGE_BUFFERS,
                          by_rank[rank + GMEM_IMAGE_AHEAD]);
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
