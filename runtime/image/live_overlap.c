// live_overlap.c - verifies that no two buffers that are live at the same step
// share a byte.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sweep over time. Buffers are ranked by (region, offset); the set of live
// buffers is kept as a set of ranks. While the live buffers are disjoint, a
// buffer that becomes live overlaps one of them if and only if it overlaps one
// of its two neighbours by rank:
//
//     bytes ->   [ before )   [ new )    [ after )     all others are further
//
// so each begin of a live range costs two look-ups, and the first overlap ends
// the sweep. Time is O(n) for the ranking and for the sweep, for n buffers and
// ranges; memory is a constant factor of the image's size, as the
// ops section bounds the number of steps. Excluded are aliases, whose parents
// were verified to cover them, and empty buffers and views, which own no byte.

#include "live_overlap.h"

#include <inttypes.h>

#include "buffer_order.h"
#include "image_codec.h"
#include "rank_set.h"
#include "runtime_support.h"

typedef struct sweep_s {
  const gmem_image_view_t *view;
  uint32_t buffer_count;
  uint32_t rank_count;    // buffers in the sweep
  gmem_extent_t *extents; // by buffer id
  uint32_t *by_rank;      // buffer ids, ascending by (region, offset, id)
  uint32_t *scratch;      // for the sort
  gmem_life_events_t lives;
  gmem_rank_set_t live;
} sweep_t;

static void rank_buffers(sweep_t *sweep) {
  for (uint32_t id = 0; id < sweep->buffer_count; ++id) {
    gmem_image_buffer_t buffer = gmem_image_buffer(sweep->view, id);
    if (buffer.parent != GMEM_NONE || buffer.size == 0)
      continue;
    sweep->extents[id] = gmem_extent_of(&buffer);
    sweep->by_rank[sweep->rank_count++] = id;
  }
  gmem_extents_sort(sweep->extents, sweep->by_rank, sweep->scratch,
                    sweep->rank_count);
}

static gmem_status_t overlap(const sweep_t *sweep, uint32_t one, uint32_t other,
                             uint64_t step, gmem_diag_t *diag) {
  uint32_t first = one < other ? one : other;
  uint32_t second = one < other ? other : one;
  const gmem_extent_t *a = &sweep->extents[first], *b = &sweep->extents[second];
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

// Makes the buffer of |rank| live at |step|.
static gmem_status_t begin_live_range(sweep_t *sweep, uint32_t rank,
                                      uint64_t step, gmem_diag_t *diag) {
  GMEM_ASSERT(rank < sweep->rank_count);
  uint32_t id = sweep->by_rank[rank];
  uint32_t neighbours[] = {gmem_rank_set_before(&sweep->live, rank),
                           gmem_rank_set_after(&sweep->live, rank)};
  for (int i = 0; i < 2; ++i) {
    if (neighbours[i] == GMEM_RANK_NONE)
      continue;
    uint32_t other = sweep->by_rank[neighbours[i]];
    if (gmem_extents_share_bytes(&sweep->extents[id], &sweep->extents[other]))
      return overlap(sweep, id, other, step, diag);
  }
  gmem_rank_set_insert(&sweep->live, rank);
  return GMEM_OK;
}

static gmem_status_t run_sweep(sweep_t *sweep, gmem_diag_t *diag) {
  uint32_t at = 0;
  const gmem_life_events_t *lives = &sweep->lives; // at a step, ends first
  for (uint64_t key = 0; key < lives->key_count; ++key)
    for (; at < lives->key_end[key]; ++at) {
      if (key % 2 == 0)
        gmem_rank_set_erase(&sweep->live, lives->events[at]);
      else
        GMEM_TRY(begin_live_range(sweep, lives->events[at], key / 2, diag));
    }
  GMEM_ASSERT(at == lives->event_count);
  return GMEM_OK;
}

static bool allocate(sweep_t *sweep, const gmem_allocator_t *allocator) {
  sweep->extents =
      gmem_rt_alloc_raw(allocator, sweep->buffer_count, sizeof(gmem_extent_t));
  sweep->by_rank =
      gmem_rt_alloc_raw(allocator, sweep->buffer_count, sizeof(uint32_t));
  sweep->scratch =
      gmem_rt_alloc_raw(allocator, sweep->buffer_count, sizeof(uint32_t));
  return sweep->extents && sweep->by_rank && sweep->scratch &&
         gmem_rank_set_create(&sweep->live, sweep->buffer_count, allocator);
}

static void destroy(sweep_t *sweep, const gmem_allocator_t *allocator) {
  gmem_rank_set_destroy(&sweep->live, allocator);
  gmem_life_events_free(&sweep->lives, allocator);
  gmem_rt_free(allocator, sweep->scratch, sweep->buffer_count,
               sizeof(uint32_t));
  gmem_rt_free(allocator, sweep->by_rank, sweep->buffer_count,
               sizeof(uint32_t));
  gmem_rt_free(allocator, sweep->extents, sweep->buffer_count,
               sizeof(gmem_extent_t));
}

gmem_status_t gmem_image_check_overlap(const gmem_image_view_t *view,
                                       const gmem_allocator_t *allocator,
                                       gmem_diag_t *diag) {
  sweep_t sweep = {
      .view = view,
      .buffer_count = view->section[GMEM_IMAGE_BUFFERS].count,
  };
  gmem_status_t status = GMEM_OK;
  bool ready = allocate(&sweep, allocator);
  if (ready) {
    rank_buffers(&sweep);
    ready = gmem_life_events_make(&sweep.lives, view, sweep.by_rank,
                                  sweep.rank_count, allocator);
  }
  if (ready)
    status = run_sweep(&sweep, diag);
  else
    status = gmem_rt_out_of_memory(diag);
  destroy(&sweep, allocator);
  return status;
}
