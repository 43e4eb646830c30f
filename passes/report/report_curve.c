// report_curve.c - see report_curve.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "report_curve.h"

#include <assert.h>
#include <stdlib.h>

typedef struct change_s {
  int64_t step;
  uint64_t begun, ended; // bytes that become live or dead; one of them is 0
} change_t;

static int by_step(const void *a, const void *b) {
  const change_t *left = a, *right = b;
  return (left->step > right->step) - (left->step < right->step);
}

// Counts the buffers of |pool| and lists the ends of their live ranges.
static size_t list_changes(gmem_report_t *report, uint32_t pool,
                           change_t *changes) {
  gmem_report_pool_t *figures = &report->pools[pool];
  size_t count = 0;
  for (uint32_t i = 0; i < report->locations.count; ++i) {
    const gmem_planned_buffer_t *buffer =
        gmem_planned_buffer(report->planned, i);
    bool is_listed = gmem_report_is_listed(buffer, pool);
    figures->views += buffer->pool == pool && !is_listed;
    figures->buffers += is_listed;
    figures->sum += is_listed ? buffer->size : 0;
    for (size_t k = 0; k < buffer->owned_count && is_listed; ++k) {
      changes[count++] = (change_t){buffer->owned[k].begin, buffer->size, 0};
      changes[count++] = (change_t){buffer->owned[k].end, 0, buffer->size};
    }
  }
  return count;
}

// Adds a segment, or makes the last one longer.
static void add_segment(gmem_report_pool_t *figures, int64_t begin, int64_t end,
                        uint64_t bytes) {
  gmem_report_segment_t *last =
      figures->segment_count ? &figures->segments[figures->segment_count - 1]
                             : NULL;
  if (last && last->bytes == bytes && last->end == begin)
    last->end = end;
  else if (begin < end)
    figures->segments[figures->segment_count++] =
        (gmem_report_segment_t){begin, end, bytes};
}

static void find_segments(gmem_report_pool_t *figures, change_t *changes,
                          size_t count) {
  uint64_t live = 0;
  if (count)
    qsort(changes, count, sizeof *changes, by_step);
  for (size_t i = 0; i < count;) {
    int64_t step = changes[i].step;
    uint64_t ended = 0;
    for (; i < count && changes[i].step == step; ++i) {
      live += changes[i].begun;
      ended += changes[i].ended;
    }
    assert(ended <= live);
    live -= ended;
    add_segment(figures, step, i < count ? changes[i].step : step, live);
  }
}

// Finds the peak liveness of a pool and the steps at which it occurs.
static void find_peak(gmem_report_pool_t *figures) {
  figures->peak_step = -1;
  for (size_t i = 0; i < figures->segment_count; ++i) {
    const gmem_report_segment_t *segment = &figures->segments[i];
    if (segment->bytes > figures->peak_live) {
      figures->peak_live = segment->bytes;
      figures->peak_step = segment->begin;
      figures->peak_steps = 0;
    }
    if (segment->bytes == figures->peak_live)
      figures->peak_steps += segment->end - segment->begin;
  }
}

gmem_status_t gmem_report_measure(gmem_report_t *report, gmem_diag_t *diag) {
  uint32_t pool_count = gmem_planned_pool_count(report->planned);
  size_t room = 0;
  for (uint32_t i = 0; i < report->locations.count; ++i)
    room += 2 * gmem_planned_buffer(report->planned, i)->owned_count;
  change_t *changes;
  GMEM_TRY_ALLOC(changes, report->arena, room, diag);
  GMEM_TRY_ALLOC(report->pools, report->arena, pool_count, diag);
  for (uint32_t i = 0; i < pool_count; ++i) {
    gmem_report_pool_t *figures = &report->pools[i];
    size_t count = list_changes(report, i, changes);
    GMEM_TRY_ALLOC(figures->segments, report->arena, count, diag);
    find_segments(figures, changes, count);
    find_peak(figures);
  }
  return GMEM_OK;
}

bool gmem_report_next_excess(const gmem_report_pool_t *figures, uint64_t budget,
                             size_t *at, gmem_report_excess_t *out_excess) {
  size_t i = *at;
  while (i < figures->segment_count && figures->segments[i].bytes <= budget)
    ++i;
  if (i == figures->segment_count)
    return *at = i, false;
  const gmem_report_segment_t *first = &figures->segments[i];
  *out_excess = (gmem_report_excess_t){first->begin, first->end, first->begin,
                                       first->bytes};
  for (++i; i < figures->segment_count && figures->segments[i].bytes > budget &&
            figures->segments[i].begin == out_excess->end;
       ++i) {
    const gmem_report_segment_t *segment = &figures->segments[i];
    out_excess->end = segment->end;
    if (segment->bytes > out_excess->bytes) {
      out_excess->bytes = segment->bytes;
      out_excess->step = segment->begin;
    }
  }
  *at = i;
  return true;
}
