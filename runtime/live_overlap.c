// live_overlap.c - the proof that no two buffers that are live at the same step
// share a byte.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sweep over time. Buffers are ranked by (region, offset); the set of the
// live ones is kept as a set of ranks. While the live buffers are disjoint, a
// buffer that becomes live overlaps one of them if and only if it overlaps one
// of its two neighbours by rank:
//
//     bytes ->   [ before )   [ new )    [ after )     all others are further
//
// so each begin of a live range costs two look-ups, and the first overlap ends
// the sweep. Time O(n log n) for the ranking and O(n) for the sweep, n buffers
// and ranges; memory is a constant factor of the image's size, as the number of
// steps is bounded by the ops section. Aliases are covered by their parents,
// which was proven before, and take no part; nor do empty buffers and views,
// which own no byte at any step.

#include <inttypes.h>

#include "id_sort.h"
#include "plan_image.h"
#include "rank_set.h"
#include "runtime_support.h"

// What the sweep needs of one buffer.
typedef struct extent_s {
  uint64_t begin, end; // bytes of the region
  uint32_t region;
} extent_t;

typedef struct sweep_s {
  const gmem_image_view_t *view;
  uint32_t buffer_count;
  uint32_t rank_count; // buffers that take part
  extent_t *extents;   // by buffer id
  uint32_t *by_rank;   // buffer ids, ascending by (region, offset, id)
  uint32_t *scratch;   // of the sort
  uint64_t key_count;  // two per step: ends at t are 2t, begins 2t + 1
  uint32_t *key_end;   // where the events of each key end in |events|
  uint32_t event_count;
  uint32_t *events; // ranks, grouped by key
  gmem_rank_set_t live;
} sweep_t;

static bool extent_after(const void *context, uint32_t a, uint32_t b) {
  const extent_t *x = (const extent_t *)context + a;
  const extent_t *y = (const extent_t *)context + b;
  if (x->region != y->region)
    return x->region > y->region;
  if (x->begin != y->begin)
    return x->begin > y->begin;
  return a > b;
}

static void rank_buffers(sweep_t *sweep) {
  for (uint32_t id = 0; id < sweep->buffer_count; ++id) {
    gmem_image_buffer_t buffer = gmem_image_buffer(sweep->view, id);
    if (buffer.parent != GMEM_NONE || buffer.size == 0)
      continue;
    sweep->extents[id] =
        (extent_t){buffer.offset, buffer.offset + buffer.size, buffer.region};
    sweep->by_rank[sweep->rank_count++] = id;
  }
  gmem_rt_sort_ids(sweep->by_rank, sweep->scratch, sweep->rank_count,
                   extent_after, sweep->extents);
}

// First pass: counts the event. Second pass: puts it into its place.
static void add_event(sweep_t *sweep, uint64_t key, uint32_t rank) {
  if (sweep->events)
    sweep->events[sweep->key_end[key]++] = rank;
  else
    ++sweep->key_end[key];
}

static void add_events(sweep_t *sweep) {
  for (uint32_t rank = 0; rank < sweep->rank_count; ++rank) {
    gmem_image_buffer_t buffer =
        gmem_image_buffer(sweep->view, sweep->by_rank[rank]);
    if (gmem_image_always_live(buffer.space)) {
      add_event(sweep, 1, rank); // begins at step 0, never ends
      continue;
    }
    for (uint32_t i = 0; i < buffer.range_count; ++i) {
      gmem_op_range_t range =
          gmem_image_range(sweep->view, buffer.first_range + i);
      add_event(sweep, 2 * (uint64_t)range.begin + 1, rank);
      add_event(sweep, 2 * (uint64_t)range.end, rank);
    }
  }
}

// Sorts the begins and ends of all live ranges by step, ends first: a buffer
// that ends at a step and one that begins there do not meet. Counting sort.
static bool sort_events(sweep_t *sweep, const gmem_allocator_t *allocator) {
  add_events(sweep);
  for (uint64_t key = 0; key < sweep->key_count; ++key) {
    uint32_t count = sweep->key_end[key];
    sweep->key_end[key] = sweep->event_count; // where the key begins
    sweep->event_count += count;
  }
  sweep->events =
      gmem_rt_alloc(allocator, sweep->event_count, sizeof(uint32_t));
  if (!sweep->events)
    return false;
  add_events(sweep); // moves each key_end behind the key's last event
  return true;
}

static gmem_status_t overlap(const sweep_t *sweep, uint32_t one, uint32_t other,
                             uint64_t step, gmem_diag_t *diag) {
  uint32_t first = one < other ? one : other;
  uint32_t second = one < other ? other : one;
  const extent_t *a = &sweep->extents[first], *b = &sweep->extents[second];
  const gmem_image_view_t *view = sweep->view;
  const char *first_name =
      gmem_image_name(view, gmem_image_buffer(view, first).name_offset);
  const char *second_name =
      gmem_image_name(view, gmem_image_buffer(view, second).name_offset);
  return gmem_rt_fail_at(diag, GMEM_ERR_OVERLAP,
                         view->section[GMEM_IMAGE_BUFFERS].offset +
                             (uint64_t)second * sizeof(gmem_image_buffer_t),
                         second,
                         "buffers %" PRIu32 " '%.*s' and %" PRIu32
                         " '%.*s' are both live at step "
                         "%" PRIu64 " and share bytes [%" PRIu64 ", %" PRIu64
                         ") of region %" PRIu32,
                         first, gmem_rt_shown(first_name), first_name, second,
                         gmem_rt_shown(second_name), second_name, step,
                         a->begin > b->begin ? a->begin : b->begin,
                         a->end < b->end ? a->end : b->end, a->region);
}

static bool share_bytes(const extent_t *a, const extent_t *b) {
  return a->region == b->region && a->begin < b->end && b->begin < a->end;
}

// Makes the buffer of |rank| live at |step|.
static gmem_status_t begin_life(sweep_t *sweep, uint32_t rank, uint64_t step,
                                gmem_diag_t *diag) {
  uint32_t id = sweep->by_rank[rank];
  uint32_t neighbours[] = {gmem_rank_set_before(&sweep->live, rank),
                           gmem_rank_set_after(&sweep->live, rank)};
  for (int i = 0; i < 2; ++i) {
    if (neighbours[i] == GMEM_RANK_NONE)
      continue;
    uint32_t other = sweep->by_rank[neighbours[i]];
    if (share_bytes(&sweep->extents[id], &sweep->extents[other]))
      return overlap(sweep, id, other, step, diag);
  }
  gmem_rank_set_insert(&sweep->live, rank);
  return GMEM_OK;
}

static gmem_status_t run_sweep(sweep_t *sweep, gmem_diag_t *diag) {
  uint32_t at = 0;
  for (uint64_t key = 0; key < sweep->key_count; ++key)
    for (; at < sweep->key_end[key]; ++at) {
      if (key % 2 == 0)
        gmem_rank_set_erase(&sweep->live, sweep->events[at]);
      else
        GMEM_RT_TRY(begin_life(sweep, sweep->events[at], key / 2, diag));
    }
  return GMEM_OK;
}

static bool allocate(sweep_t *sweep, const gmem_allocator_t *allocator) {
  sweep->extents =
      gmem_rt_alloc(allocator, sweep->buffer_count, sizeof(extent_t));
  sweep->by_rank =
      gmem_rt_alloc(allocator, sweep->buffer_count, sizeof(uint32_t));
  sweep->scratch =
      gmem_rt_alloc(allocator, sweep->buffer_count, sizeof(uint32_t));
  sweep->key_end = gmem_rt_alloc(allocator, sweep->key_count, sizeof(uint32_t));
  return sweep->extents && sweep->by_rank && sweep->scratch && sweep->key_end &&
         gmem_rank_set_create(&sweep->live, sweep->buffer_count, allocator);
}

static void destroy(sweep_t *sweep, const gmem_allocator_t *allocator) {
  gmem_rank_set_destroy(&sweep->live, allocator);
  gmem_rt_free(allocator, sweep->events, sweep->event_count, sizeof(uint32_t));
  gmem_rt_free(allocator, sweep->key_end, sweep->key_count, sizeof(uint32_t));
  gmem_rt_free(allocator, sweep->scratch, sweep->buffer_count,
               sizeof(uint32_t));
  gmem_rt_free(allocator, sweep->by_rank, sweep->buffer_count,
               sizeof(uint32_t));
  gmem_rt_free(allocator, sweep->extents, sweep->buffer_count,
               sizeof(extent_t));
}

gmem_status_t gmem_image_check_overlap(const gmem_image_view_t *view,
                                       const gmem_allocator_t *allocator,
                                       gmem_diag_t *diag) {
  sweep_t sweep = {
      .view = view,
      .buffer_count = view->section[GMEM_IMAGE_BUFFERS].count,
      .key_count = 2 * (view->section[GMEM_IMAGE_OPS].count + UINT64_C(1)),
  };
  gmem_status_t status = GMEM_OK;
  bool ready = allocate(&sweep, allocator);
  if (ready) {
    rank_buffers(&sweep);
    ready = sort_events(&sweep, allocator);
  }
  if (ready)
    status = run_sweep(&sweep, diag);
  else
    status = gmem_rt_out_of_memory(diag);
  destroy(&sweep, allocator);
  return status;
}
