// slice_painter.h - when each slice of the bytes of an item is live.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spans of sections are painted onto rows of slices, in the order of their
// begins. What is live without a break is one stroke: a slice keeps the stroke
// that is not finished, and a new span makes it longer or, behind a break,
// finishes it. A tree over the slices knows the least end of the strokes below
// each node, so a span that makes all of them longer costs O(log slices): time
// is O((spans + strokes) log slices), whatever the spans cover.

#ifndef GMEM_PLANNER_SLICE_PAINTER_H_
#define GMEM_PLANNER_SLICE_PAINTER_H_

#include "gmem/status.h"
#include "items.h"

typedef struct gmem_stroke_s {
  gmem_span_t span;
  uint32_t slice;
} gmem_stroke_t;

typedef struct gmem_slice_node_s {
  uint32_t least; // end of a stroke below, plus 1; 0: some slice has none
  uint32_t raise; // ends below are at least this, plus 1
} gmem_slice_node_t;

typedef struct gmem_slice_painter_s {
  const gmem_allocator_t *allocator;
  uint32_t leaves;          // a power of two, at least the number of slices
  gmem_slice_node_t *nodes; // node i is above 2i and 2i + 1
  uint32_t *begins;         // of the stroke of each slice
  gmem_stroke_t *strokes;   // that are finished; by slice after the end
  size_t stroke_count, stroke_room;
  bool bridges; // breaks in lives are not kept
} gmem_slice_painter_t;

// False when there is no memory; the painter may be destroyed all the same.
bool gmem_slice_painter_create(gmem_slice_painter_t *painter,
                               const gmem_allocator_t *allocator,
                               uint32_t slices, bool bridges);
void gmem_slice_painter_destroy(gmem_slice_painter_t *painter);

// Paints |span| onto the slices [first, last). No span before begins later.
// False when there is no memory.
bool gmem_slice_painter_add(gmem_slice_painter_t *painter, gmem_span_t span,
                            uint32_t first, uint32_t last);

// Finishes all strokes; those of one slice follow each other in time.
bool gmem_slice_painter_finish(gmem_slice_painter_t *painter);

#endif // GMEM_PLANNER_SLICE_PAINTER_H_
