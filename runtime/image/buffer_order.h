// buffer_order.h - buffers of an image sorted by address, and the begin and end
// events of their live ranges by step, for sweeps over space and time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_BUFFER_ORDER_H_
#define GMEM_RUNTIME_BUFFER_ORDER_H_

#include "plan_image.h"

// The byte range of a buffer.
typedef struct gmem_extent_s {
  uint64_t begin, end; // bytes of the region
  uint32_t region;
} gmem_extent_t;

static inline gmem_extent_t gmem_extent_of(const gmem_image_buffer_t *buffer) {
  return (gmem_extent_t){buffer->offset, buffer->offset + buffer->size,
                         buffer->region};
}

static inline bool gmem_extents_share_bytes(const gmem_extent_t *a,
                                            const gmem_extent_t *b) {
  return a->region == b->region && a->begin < b->end && b->begin < a->end;
}

// Stores the ids of the buffers that are not aliases in |ordered|, ascending by
// (region, offset, id), and returns their number. |ordered| has two elements
// per buffer, of which the second half is scratch. O(n) for n buffers.
uint32_t gmem_buffers_by_address(const gmem_image_view_t *view,
                                 uint64_t *ordered);

// The begin and end events of live ranges; buffers are given by rank in a list.
// Those of key k are [k ? key_end[k - 1] : 0, key_end[k]) of |events|, in
// ascending order of rank.
typedef struct gmem_life_events_s {
  uint64_t key_count; // two per step: ends at t are 2t, begins 2t + 1
  uint32_t *key_end;
  uint32_t event_count;
  uint32_t *events; // ranks
} gmem_life_events_t;

// Collects the events of the |count| buffers |by_rank|, or, if it is NULL, of
// the buffers with the ids below |count|. Buffers that are live at every step
// begin at step 0 and never end; empty buffers, views and aliases have no
// events. O(n) for n buffers, ranges and steps. Returns false if out of memory.
// The caller calls gmem_life_events_free in either case.
bool gmem_life_events_make(gmem_life_events_t *events,
                           const gmem_image_view_t *view,
                           const uint32_t *by_rank, uint32_t count,
                           const gmem_allocator_t *allocator);
void gmem_life_events_free(gmem_life_events_t *events,
                           const gmem_allocator_t *allocator);

#endif // GMEM_RUNTIME_BUFFER_ORDER_H_
