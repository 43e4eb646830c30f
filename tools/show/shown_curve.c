// shown_curve.c - the bytes of a pool that some buffer has, step by step.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps are swept; a segment tree over the addresses, cut at the ends of
// all buffers, knows how many bytes are covered: O(n log n) for n live ranges.

#include <stdlib.h>

#include "diag.h"
#include "shown_plan.h"

typedef struct event_s {
  int64_t step;
  uint32_t buffer;
  bool begins;
} event_t;

// Node i has the children 2i and 2i + 1; the leaves are the |span| pieces
// between neighbouring cuts, and pieces of 0 bytes up to a power of two.
typedef struct node_s {
  uint64_t bytes;   // of the piece
  uint64_t covered; // bytes
  uint32_t count; // of buffers that cover all of it, but not all of its parent
} node_t;

typedef struct sweep_s {
  const gmem_shown_plan_t *plan;
  uint32_t pool;
  event_t *events;
  size_t event_count;
  uint64_t *cuts;
  size_t cut_count;
  node_t *nodes;
  size_t span;
} sweep_t;

static bool is_counted(const sweep_t *sweep,
                       const gmem_shown_buffer_t *buffer) {
  return buffer->pool == sweep->pool && buffer->alias_of == GMEM_NO_BUFFER &&
         buffer->size > 0;
}

static int compare_events(const void *a, const void *b) {
  int64_t left = ((const event_t *)a)->step, right = ((const event_t *)b)->step;
  return (left > right) - (left < right);
}

static int compare_cuts(const void *a, const void *b) {
  uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
  return (left > right) - (left < right);
}

//===--- the tree ---------------------------------------------------------===//

static size_t find_cut(const sweep_t *sweep, uint64_t address) {
  size_t low = 0, high = sweep->cut_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (sweep->cuts[middle] < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void count_node(sweep_t *sweep, size_t index, bool begins) {
  node_t *node = &sweep->nodes[index];
  node->count += begins ? 1 : UINT32_MAX;
  if (node->count)
    node->covered = node->bytes;
  else if (index >= sweep->span)
    node->covered = 0;
  else
    node->covered =
        sweep->nodes[2 * index].covered + sweep->nodes[2 * index + 1].covered;
}

static void renew_parents(sweep_t *sweep, size_t index) {
  for (index /= 2; index; index /= 2) {
    node_t *node = &sweep->nodes[index];
    node->covered = node->count ? node->bytes
                                : sweep->nodes[2 * index].covered +
                                      sweep->nodes[2 * index + 1].covered;
  }
}

// Adds or removes the largest nodes that together are the buffer.
static void apply(sweep_t *sweep, const event_t *event) {
  const gmem_shown_buffer_t *buffer = &sweep->plan->buffers[event->buffer];
  size_t first = find_cut(sweep, buffer->offset) + sweep->span;
  size_t last =
      find_cut(sweep, buffer->offset + buffer->size) + sweep->span - 1;
  for (size_t low = first, high = last + 1; low < high; low /= 2, high /= 2) {
    if (low & 1)
      count_node(sweep, low++, event->begins);
    if (high & 1)
      count_node(sweep, --high, event->begins);
  }
  renew_parents(sweep, first);
  renew_parents(sweep, last);
}

//===--- the sweep --------------------------------------------------------===//

static void list(sweep_t *sweep) {
  for (uint32_t i = 0; i < sweep->plan->buffer_count; ++i) {
    const gmem_shown_buffer_t *buffer = &sweep->plan->buffers[i];
    if (!is_counted(sweep, buffer))
      continue;
    sweep->cuts[sweep->cut_count++] = buffer->offset;
    sweep->cuts[sweep->cut_count++] = buffer->offset + buffer->size;
    for (size_t k = 0; k < buffer->range_count; ++k) {
      const gmem_live_range_t *range = &buffer->ranges[k];
      sweep->events[sweep->event_count++] = (event_t){range->begin, i, true};
      sweep->events[sweep->event_count++] = (event_t){range->end, i, false};
    }
  }
  qsort(sweep->events, sweep->event_count, sizeof *sweep->events,
        compare_events);
  qsort(sweep->cuts, sweep->cut_count, sizeof *sweep->cuts, compare_cuts);
}

static void plant(sweep_t *sweep) {
  size_t kept = 0;
  for (size_t i = 0; i < sweep->cut_count; ++i)
    if (!kept || sweep->cuts[i] != sweep->cuts[kept - 1])
      sweep->cuts[kept++] = sweep->cuts[i];
  sweep->cut_count = kept;
  for (size_t i = 0; i + 1 < kept; ++i)
    sweep->nodes[sweep->span + i].bytes = sweep->cuts[i + 1] - sweep->cuts[i];
  for (size_t i = sweep->span; i-- > 1;)
    sweep->nodes[i].bytes =
        sweep->nodes[2 * i].bytes + sweep->nodes[2 * i + 1].bytes;
}

static gmem_status_t allocate(sweep_t *sweep, gmem_shown_curve_t *curve,
                              gmem_diag_t *diag) {
  size_t ranges = 0, buffers = 0;
  for (uint32_t i = 0; i < sweep->plan->buffer_count; ++i)
    if (is_counted(sweep, &sweep->plan->buffers[i])) {
      ranges += sweep->plan->buffers[i].range_count;
      ++buffers;
    }
  for (sweep->span = 1; sweep->span < 2 * buffers;)
    sweep->span *= 2;
  sweep->events = calloc(2 * ranges + 1, sizeof *sweep->events);
  sweep->cuts = calloc(2 * buffers + 1, sizeof *sweep->cuts);
  sweep->nodes = calloc(2 * sweep->span, sizeof *sweep->nodes);
  curve->points = calloc(2 * ranges + 1, sizeof *curve->points);
  return sweep->events && sweep->cuts && sweep->nodes && curve->points
             ? GMEM_OK
             : gmem_out_of_memory(diag);
}

static void trace(sweep_t *sweep, gmem_shown_curve_t *curve) {
  for (size_t i = 0; i < sweep->event_count; ++i) {
    int64_t step = sweep->events[i].step;
    apply(sweep, &sweep->events[i]);
    if (i + 1 < sweep->event_count && sweep->events[i + 1].step == step)
      continue;
    uint64_t bytes = sweep->nodes[1].covered;
    if (curve->count && curve->points[curve->count - 1].bytes == bytes)
      continue;
    if (bytes > curve->most) {
      curve->most = bytes;
      curve->most_index = curve->count;
    }
    curve->points[curve->count++] = (gmem_shown_point_t){step, bytes};
  }
}

gmem_status_t gmem_shown_curve_make(const gmem_shown_plan_t *plan,
                                    uint32_t pool,
                                    gmem_shown_curve_t *out_curve,
                                    gmem_diag_t *diag) {
  sweep_t sweep = {.plan = plan, .pool = pool};
  *out_curve = (gmem_shown_curve_t){0};
  gmem_status_t status = allocate(&sweep, out_curve, diag);
  if (status == GMEM_OK) {
    list(&sweep);
    plant(&sweep);
    trace(&sweep, out_curve);
  } else {
    free(out_curve->points);
    out_curve->points = NULL;
  }
  free(sweep.events);
  free(sweep.cuts);
  free(sweep.nodes);
  return status;
}
