// slice_painter.c - the live ranges of the byte slices of an item.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "slice_painter.h"

#include <string.h>

#include "planner_memory.h"

bool gmem_slice_painter_create(gmem_slice_painter_t *painter,
                               const gmem_allocator_t *allocator,
                               uint32_t slices, bool bridges) {
  *painter = (gmem_slice_painter_t){
      .allocator = allocator, .leaves = 1, .bridges = bridges};
  while (painter->leaves < slices)
    painter->leaves *= 2;
  size_t nodes = 2 * (size_t)painter->leaves;
  painter->nodes = gmem_planner_alloc(allocator, nodes, sizeof *painter->nodes);
  painter->begins =
      gmem_planner_alloc(allocator, painter->leaves, sizeof *painter->begins);
  if (!painter->nodes || !painter->begins)
    return false;
  memset(painter->nodes, 0, nodes * sizeof *painter->nodes);
  return true;
}

void gmem_slice_painter_destroy(gmem_slice_painter_t *painter) {
  const gmem_allocator_t *allocator = painter->allocator;
  gmem_planner_free(allocator, painter->nodes, 2 * (size_t)painter->leaves,
                    sizeof *painter->nodes);
  gmem_planner_free(allocator, painter->begins, painter->leaves,
                    sizeof *painter->begins);
  gmem_planner_free(allocator, painter->strokes, painter->stroke_room,
                    sizeof *painter->strokes);
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

static bool finish_stroke(gmem_slice_painter_t *painter, uint32_t slice) {
  uint32_t end = painter->nodes[painter->leaves + slice].least;
  if (end == 0)
    return true;
  if (!gmem_planner_grow(painter->allocator, (void **)&painter->strokes,
                         painter->stroke_count, &painter->stroke_room,
                         sizeof *painter->strokes))
    return false;
  painter->strokes[painter->stroke_count++] =
      (gmem_stroke_t){{painter->begins[slice], end - 1}, slice};
  return true;
}

static bool start_stroke(gmem_slice_painter_t *painter, uint32_t slice,
                         gmem_span_t span) {
  if (!finish_stroke(painter, slice))
    return false;
  painter->begins[slice] = span.begin;
  painter->nodes[painter->leaves + slice] =
      (gmem_slice_node_t){.least = span.end + 1};
  return true;
}

//===--- painting ---------------------------------------------------------===//

// A node to enter or, with |is_done|, to update from its children.
typedef struct visit_s {
  uint32_t node, first, count; // slices [first, first + count)
  bool is_done;
} visit_t;

bool gmem_slice_painter_add(gmem_slice_painter_t *painter, gmem_span_t span,
                            uint32_t first, uint32_t last) {
  enum { MOST_VISITS = 3 * 33 }; // three for each level
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
      if (!start_stroke(painter, visit.first, span))
        return false;
      continue;
    }
    push_down(painter, visit.node);
    stack[depth++] = (visit_t){.node = visit.node, .is_done = true};
    stack[depth++] =
        (visit_t){2 * visit.node + 1, visit.first + half, half, false};
    stack[depth++] = (visit_t){2 * visit.node, visit.first, half, false};
  }
  return true;
}

bool gmem_slice_painter_finish(gmem_slice_painter_t *painter) {
  for (uint32_t node = 1; node < painter->leaves; ++node)
    push_down(painter, node);
  for (uint32_t slice = 0; slice < painter->leaves; ++slice)
    if (!finish_stroke(painter, slice))
      return false;
  return true;
}
