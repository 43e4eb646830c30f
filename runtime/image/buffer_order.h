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

// Sorts |count| buffers, given in ascending order of ids, by (region, offset,
// id). |extents| is indexed by id; |scratch| holds |count| ids. O(count).
void gmem_extents_sort(const gmem_extent_t *extents, uint32_t *ids,
                       uint32_t *scratch, uint32_t count);

// The begin and end events of live ranges; buffers are given by rank. Those of
// key k are [k ? key_end[k - 1] : 0, key_end[k]) of |events|, in ascending
// order of rank.
typedef struct gmem_life_events_s {
  uint64_t key_count; // two per step: ends at t are 2t, begins 2t + 1
  uint32_t *key_end;
  uint32_t event_count;
  uint32_t *events; // ranks
} gmem_life_events_t;

// Collects the events of the |count| buffers |by_rank|. Buffers that are live
// at every step begin at step 0 and never end; empty buffers and views have no
// events. O(n) for n buffers, ranges and steps. Returns false if out of memory.
// The caller calls gmem_life_events_free in either case.
bool gmem_life_events_make(gmem_life_events_t *events,
                           const gmem_image_view_t *view,
                           const uint32_t *by_rank, uint32_t count,
                           const gmem_allocator_t *allocator);
void gmem_life_events_free(gmem_life_events_t *events,
                           const gmem_allocator_t *allocator);

#endif // GMEM_RUNTIME_BUFFER_ORDER_H_
