// slice_painter.h - the live ranges of the byte slices of an item.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paints spans of sections onto rows of slices, in order of their begins. A
// contiguous live range is one stroke: each slice keeps its unfinished stroke;
// a new span extends it or, after a gap, finishes it. A tree over the slices
// keeps the least end of the strokes below each node, so that a span that
// extends all of them costs O(log slices). Time is O((spans + strokes) log
// slices), independent of the number of slices that the spans cover.

#ifndef GMEM_PLANNER_SLICE_PAINTER_H_
#define GMEM_PLANNER_SLICE_PAINTER_H_

#include "items.h"

typedef struct gmem_stroke_s {
  gmem_span_t span;
  uint32_t slice;
} gmem_stroke_t;

typedef struct gmem_slice_node_s {
  uint32_t least; // end of a stroke below, plus 1; 0: a slice without a stroke
  uint32_t raise; // ends below are at least this, plus 1
} gmem_slice_node_t;

typedef struct gmem_slice_painter_s {
  gmem_scratch_t *memory;
  uint32_t leaves;          // a power of two, at least the number of slices
  gmem_slice_node_t *nodes; // node i is the parent of 2i and 2i + 1
  uint32_t *begins;         // of the current stroke, by slice
  gmem_stroke_t *strokes;   // finished strokes; grouped by slice at the end
  size_t stroke_count, stroke_room;
  bool bridges; // gaps in live ranges are dropped
} gmem_slice_painter_t;

// All memory comes from |memory|. Fails, as the others, with OUT_OF_MEMORY.
gmem_status_t gmem_slice_painter_create(gmem_slice_painter_t *painter,
                                        gmem_scratch_t *memory, uint32_t slices,
                                        bool bridges);

// Paints |span| onto the slices [first, last). Spans come in order of begin.
gmem_status_t gmem_slice_painter_add(gmem_slice_painter_t *painter,
                                     gmem_span_t span, uint32_t first,
                                     uint32_t last);

// Finishes all strokes; those of one slice are in order of time.
gmem_status_t gmem_slice_painter_finish(gmem_slice_painter_t *painter);

#endif // GMEM_PLANNER_SLICE_PAINTER_H_
