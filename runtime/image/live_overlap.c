// live_overlap.c - verifies that no two buffers that are live at the same step
// share a byte.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sweep over time. Buffers are ranked by (region, offset); a set of ranks has
// the live buffers. These are disjoint, so a buffer that becomes live overlaps
// one of them if and only if it overlaps one of its two neighbours by rank:
//
//     bytes ->   [ before )   [ new )    [ after )     all others are further
//
// so each begin of a live range costs two look-ups, and the first overlap ends
// the sweep. A buffer that is no longer live leaves the set when a look-up
// finds it, which then goes on behind it: ends cost one look-up each, and need
// not be sorted. Nor need begins, where they are in the order of the buffers,
// as in the image of a program whose values are numbered in the order of its
// steps: then entries, ranges and most neighbours are read in the order of
// memory. Otherwise, begins and ends are sorted by step.
//
// In both cases time is O(n) for n buffers, ranges and steps; memory is a
// constant factor of the image's size, as the ops section bounds the number of
// steps. Excluded are aliases, whose parents were verified to cover them, and
// empty buffers and views, which own no byte.

#include "live_overlap.h"

#include <inttypes.h>

#include "buffer_order.h"
#include "image_codec.h"
#include "rank_set.h"
#include "runtime_support.h"

#define NEVER UINT32_MAX // a step after all others

typedef struct sweep_s {
  const gmem_image_view_t *view;
  uint32_t buffer_count;
  uint64_t *by_rank;    // buffer id, and from bit 32 the end of its live range
  uint32_t *ranks;      // by buffer id; in the second half of |by_rank|
  gmem_rank_set_t live; // and some that no longer are
} sweep_t;

static gmem_extent_t extent_at(const gmem_image_view_t *view, uint32_t id) {
  gmem_image_buffer_t buffer = gmem_image_buffer_inline(view, id);
  return gmem_extent_of(&buffer);
}

static void rank_buffers(sweep_t *sweep) {
  uint32_t count = gmem_buffers_by_address(sweep->view, sweep->by_rank);
  sweep->ranks = (uint32_t *)(sweep->by_rank + sweep->buffer_count);
  for (uint32_t rank = 0; rank < count; ++rank)
    sweep->ranks[sweep->by_rank[rank]] = rank;
}

GMEM_COLD static gmem_status_t overlap(const sweep_t *sweep, uint32_t one,
                                       uint32_t other, uint64_t step,
                                       gmem_diag_t *diag) {
  uint32_t first = one < other ? one : other;
  uint32_t second = one < other ? other : one;
  const gmem_image_view_t *view = sweep->view;
  gmem_image_buffer_t first_buffer = gmem_image_buffer(view, first);
  gmem_image_buffer_t second_buffer = gmem_image_buffer(view, second);
  gmem_extent_t a = gmem_extent_of(&first_buffer);
  gmem_extent_t b = gmem_extent_of(&second_buffer);
  const char *first_name = gmem_image_name(view, first_buffer.name_offset);
  const char *second_name = gmem_image_name(view, second_buffer.name_offset);
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
                         a.begin > b.begin ? a.begin : b.begin,
                         a.end < b.end ? a.end : b.end, a.region);
}

// The nearest live buffer at |begin|, by rank, on one side of |rank|. Removes
// those on the way to it that are no longer live.
static uint32_t live_neighbour(sweep_t *sweep, uint32_t rank, uint32_t begin,
                               bool after) {
  for (;;) {
    uint32_t near = after ? gmem_rank_set_after(&sweep->live, rank)
                          : gmem_rank_set_before(&sweep->live, rank);
    if (near == GMEM_RANK_NONE || sweep->by_rank[near] >> 32 > begin)
      return near;
    gmem_rank_set_erase(&sweep->live, near);
  }
}

// Makes |id| live from step |begin| to |end|.
static gmem_status_t begin_live_range(sweep_t *sweep, uint32_t id,
                                      uint32_t begin, uint32_t end,
                                      gmem_diag_t *diag) {
  uint32_t rank = sweep->ranks[id];
  gmem_extent_t extent = extent_at(sweep->view, id);
  for (int side = 0; side < 2; ++side) {
    uint32_t near = live_neighbour(sweep, rank, begin, side);
    if (near == GMEM_RANK_NONE)
      continue;
    uint32_t other = (uint32_t)sweep->by_rank[near];
    gmem_extent_t its = extent_at(sweep->view, other);
    if (gmem_extents_share_bytes(&extent, &its))
      return overlap(sweep, id, other, begin, diag);
  }
  sweep->by_rank[rank] = (uint64_t)end << 32 | id;
  gmem_rank_set_insert(&sweep->live, rank);
  return GMEM_OK;
}

// Sweeps over the live ranges in the order of the image: those of buffers that
// are |always| live, or the others.
static gmem_status_t sweep_in_order(sweep_t *sweep, bool always,
                                    gmem_diag_t *diag) {
  for (uint32_t id = 0; id < sweep->buffer_count; ++id) {
    gmem_image_buffer_t buffer = gmem_image_buffer_inline(sweep->view, id);
    if (buffer.parent != GMEM_NONE || buffer.size == 0 ||
        gmem_image_always_live(buffer.space) != always)
      continue;
    if (always)
      GMEM_TRY(begin_live_range(sweep, id, 0, NEVER, diag));
    for (uint32_t i = 0; !always && i < buffer.range_count; ++i) {
      gmem_op_range_t range =
          gmem_image_range_inline(sweep->view, buffer.first_range + i);
      GMEM_TRY(begin_live_range(sweep, id, range.begin, range.end, diag));
    }
  }
  return GMEM_OK;
}

// Sweeps over events by step; at a step, ends come first.
static gmem_status_t sweep_events(sweep_t *sweep,
                                  const gmem_life_events_t *lives,
                                  gmem_diag_t *diag) {
  uint32_t at = 0;
  for (uint64_t key = 0; key < lives->key_count; ++key)
    for (; at < lives->key_end[key]; ++at) {
      uint32_t id = lives->events[at];
      if (at + GMEM_IMAGE_AHEAD < lives->event_count)
        gmem_image_prefetch(sweep->view, lives->events[at + GMEM_IMAGE_AHEAD]);
      if (key % 2 == 0)
        gmem_rank_set_erase(&sweep->live, sweep->ranks[id]);
      else
        GMEM_TRY(begin_live_range(sweep, id, (uint32_t)(key / 2), NEVER, diag));
    }
  GMEM_ASSERT(at == lives->event_count);
  return GMEM_OK;
}

static gmem_status_t sort_and_sweep(sweep_t *sweep,
                                    const gmem_allocator_t *allocator,
                                    gmem_diag_t *diag) {
  gmem_life_events_t lives;
  gmem_status_t status = gmem_life_events_make(&lives, sweep->view, NULL,
                                               sweep->buffer_count, allocator)
                             ? sweep_events(sweep, &lives, diag)
                             : gmem_rt_out_of_memory(diag);
  gmem_life_events_free(&lives, allocator);
  return status;
}

static gmem_status_t run_sweep(sweep_t *sweep, bool in_order,
                               const gmem_allocator_t *allocator,
                               gmem_diag_t *diag) {
  rank_buffers(sweep);
  if (!in_order)
    return sort_and_sweep(sweep, allocator, diag);
  GMEM_TRY(sweep_in_order(sweep, true, diag));
  return sweep_in_order(sweep, false, diag);
}

gmem_status_t gmem_image_check_overlap(const gmem_image_view_t *view,
                                       bool in_order,
                                       const gmem_allocator_t *allocator,
                                       gmem_diag_t *diag) {
  uint32_t count = view->section[GMEM_IMAGE_BUFFERS].count;
  sweep_t sweep = {.view = view, .buffer_count = count};
  sweep.by_rank = gmem_rt_alloc_raw(allocator, count, 2 * sizeof(uint64_t));
  bool ready =
      sweep.by_rank && gmem_rank_set_create(&sweep.live, count, allocator);
  gmem_status_t status = ready ? run_sweep(&sweep, in_order, allocator, diag)
                               : gmem_rt_out_of_memory(diag);
  gmem_rank_set_destroy(&sweep.live, allocator);
  gmem_rt_free(allocator, sweep.by_rank, count, 2 * sizeof(uint64_t));
  return status;
}
