// slice_painter.c - the live ranges of the byte slices of an item.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "slice_painter.h"

#include <assert.h>

gmem_status_t gmem_slice_painter_create(gmem_slice_painter_t *painter,
                                        gmem_scratch_t *memory, uint32_t slices,
                                        bool bridges) {
  *painter =
      (gmem_slice_painter_t){.memory = memory, .leaves = 1, .bridges = bridges};
  while (painter->leaves < slices)
    painter->leaves *= 2;
  GMEM_TRY_ZEROS(painter->nodes, memory, 2 * (size_t)painter->leaves);
  GMEM_TRY_NEW(painter->begins, memory, painter->leaves);
  return GMEM_OK;
}

//===--- tree -------------------------------------------------------------===//

static uint32_t at_least(uint32_t value, uint32_t least) {
  return value > least ? value : least;
}

// All strokes below |node| end at |end| (plus 1) or later.
static void raise_ends(gmem_slice_node_t *node, uint32_t end) {
  node->least = at_least(node->least, end);
  node->raise = at_least(node->raise, end);
}

static void push_down(gmem_slice_painter_t *painter, uint32_t node) {
  raise_ends(&painter->nodes[2 * node], painter->nodes[node].raise);
  raise_ends(&painter->nodes[2 * node + 1], painter->nodes[node].raise);
  painter->nodes[node].raise = 0;
}

static void pull_up(gmem_slice_painter_t *painter, uint32_t node) {
  uint32_t left = painter->nodes[2 * node].least;
  uint32_t right = painter->nodes[2 * node + 1].least;
  painter->nodes[node].least = left < right ? left : right;
}

//===--- strokes ----------------------------------------------------------===//

static gmem_status_t finish_stroke(gmem_slice_painter_t *painter,
                                   uint32_t slice) {
  uint32_t end = painter->nodes[painter->leaves + slice].least;
  if (end == 0)
    return GMEM_OK;
  assert(painter->begins[slice] < end - 1);
  GMEM_TRY_ROOM(painter->strokes, painter->memory, painter->stroke_count,
                painter->stroke_room);
  painter->strokes[painter->stroke_count++] =
      (gmem_stroke_t){{painter->begins[slice], end - 1}, slice};
  return GMEM_OK;
}

static gmem_status_t start_stroke(gmem_slice_painter_t *painter, uint32_t slice,
                                  gmem_span_t span) {
  GMEM_TRY(finish_stroke(painter, slice));
  painter->begins[slice] = span.begin;
  painter->nodes[painter->leaves + slice] =
      (gmem_slice_node_t){.least = span.end + 1};
  return GMEM_OK;
}

//===--- painting ---------------------------------------------------------===//

// A node to enter or, with |is_done|, to update from its children.
typedef struct visit_s {
  uint32_t node, first, count; // slices [first, first + count)
  bool is_done;
} visit_t;

gmem_status_t gmem_slice_painter_add(gmem_slice_painter_t *painter,
                                     gmem_span_t span, uint32_t first,
                                     uint32_t last) {
  enum { MOST_VISITS = 3 * 33 }; // three for each level
  assert(span.begin < span.end && first < last && last <= painter->leaves);
  visit_t stack[MOST_VISITS];
  uint32_t depth = 0, open = painter->bridges ? 1 : span.begin + 1;
  stack[depth++] = (visit_t){1, 0, painter->leaves, false};
  while (depth) {
    visit_t visit = stack[--depth];
    gmem_slice_node_t *node = &painter->nodes[visit.node];
    if (visit.is_done) {
      pull_up(painter, visit.node);
      continue;
    }
    uint32_t end = visit.first + visit.count, half = visit.count / 2;
    if (end <= first || last <= visit.first)
      continue;
    if (first <= visit.first && end <= last && node->least >= open) {
      raise_ends(node, span.end + 1);
      continue;
    }
    if (visit.count == 1) {
      GMEM_TRY(start_stroke(painter, visit.first, span));
      continue;
    }
    push_down(painter, visit.node);
    stack[depth++] = (visit_t){.node = visit.node, .is_done = true};
    stack[depth++] =
        (visit_t){2 * visit.node + 1, visit.first + half, half, false};
    stack[depth++] = (visit_t){2 * visit.node, visit.first, half, false};
    assert(depth <= MOST_VISITS);
  }
  return GMEM_OK;
}

gmem_status_t gmem_slice_painter_finish(gmem_slice_painter_t *painter) {
  for (uint32_t node = 1; node < painter->leaves; ++node)
    push_down(painter, node);
  for (uint32_t slice = 0; slice < painter->leaves; ++slice)
    GMEM_TRY(finish_stroke(painter, slice));
  return GMEM_OK;
}
