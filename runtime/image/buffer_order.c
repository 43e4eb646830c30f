// buffer_order.c - buffers of an image sorted by address, and the begin and end
// events of their live ranges by step.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "buffer_order.h"

#include "image_codec.h"
#include "runtime_support.h"

//===--- addresses --------------------------------------------------------===//

// Items of the sort: an id, and above it 40 bits of a key.
enum { ID_BITS = 24, KEY_BITS = 64 - ID_BITS };
#define ID_MASK ((UINT64_C(1) << ID_BITS) - 1)
static_assert(GMEM_PLAN_MAX_BUFFERS <= ID_MASK + 1, "ids fit");

// Where regions begin if all are in one address space, each followed by a gap.
// Their total size is at most GMEM_PLAN_MAX_ADDRESS, so this does not overflow.
static void find_starts(const gmem_image_view_t *view,
                        uint64_t starts[GMEM_PLAN_MAX_REGIONS]) {
  uint64_t next = 0;
  for (uint32_t i = 0; i < view->section[GMEM_IMAGE_REGIONS].count; ++i) {
    starts[i] = next;
    next += gmem_rt_round_up(gmem_image_region(view, i).size + 1, 4096);
  }
}

static uint64_t address_of(const gmem_image_view_t *view,
                           const uint64_t *starts, uint32_t id) {
  gmem_image_buffer_t buffer = gmem_image_buffer_inline(view, id);
  return starts[buffer.region] + buffer.offset;
}

// Sorts |from| to |to| by the byte at bit |place|, stably.
static void sort_by_byte(const uint64_t *from, uint64_t *to, uint32_t count,
                         unsigned place) {
  uint32_t ends[256] = {0}, end = 0;
  for (uint32_t i = 0; i < count; ++i)
    ++ends[from[i] >> place & 0xFF];
  for (unsigned byte = 0; byte < 256; ++byte)
    ends[byte] = end += ends[byte];
  for (uint32_t i = count; i-- > 0;)
    to[--ends[from[i] >> place & 0xFF]] = from[i];
}

// A radix sort of items that contain the key, so that all passes read and write
// in sequence. Only bytes of addresses that differ need one; addresses that
// differ in more than 40 bits are sorted by the lower ones first.
uint32_t gmem_buffers_by_address(const gmem_image_view_t *view,
                                 uint64_t *ordered) {
  uint64_t starts[GMEM_PLAN_MAX_REGIONS], differing = 0;
  uint32_t all = view->section[GMEM_IMAGE_BUFFERS].count, count = 0;
  uint64_t *from = ordered, *to = ordered + all;
  find_starts(view, starts);
  for (uint32_t id = 0; id < all; ++id) {
    gmem_image_buffer_t buffer = gmem_image_buffer_inline(view, id);
    if (buffer.parent != GMEM_NONE)
      continue;
    from[count] = id;
    to[count] = starts[buffer.region] + buffer.offset;
    differing |= to[count++] ^ to[0];
  }
  while (differing) {
    unsigned low = (unsigned)__builtin_ctzll(differing);
    for (uint32_t i = 0; i < count; ++i)
      from[i] = (from[i] & ID_MASK) | to[i] >> low << ID_BITS;
    for (unsigned place = ID_BITS; place < 64; place += 8) {
      if ((differing >> low << ID_BITS >> place & 0xFF) == 0)
        continue;
      sort_by_byte(from, to, count, place);
      uint64_t *swap = from;
      from = to;
      to = swap;
    }
    differing = differing >> low >> KEY_BITS << KEY_BITS << low;
    for (uint32_t i = 0; differing && i < count; ++i)
      to[i] = address_of(view, starts, (uint32_t)(from[i] & ID_MASK));
  }
  for (uint32_t i = 0; i < count; ++i)
    ordered[i] = from[i] & ID_MASK;
  return count;
}

//===--- events -----------------------------------------------------------===//

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
    uint32_t id = by_rank ? by_rank[rank] : rank;
    gmem_image_buffer_t buffer = gmem_image_buffer_inline(view, id);
    if (buffer.parent != GMEM_NONE || buffer.size == 0)
      continue;
    if (gmem_image_always_live(buffer.space)) {
      add_event(events, 1, rank); // begins at step 0, never ends
      continue;
    }
    for (uint32_t i = 0; i < buffer.range_count; ++i) {
      gmem_op_range_t range =
          gmem_image_range_inline(view, buffer.first_range + i);
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
      gmem_rt_alloc_raw(allocator, events->event_count, sizeof(uint32_t));
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
