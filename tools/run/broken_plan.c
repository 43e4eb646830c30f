// broken_plan.c - plans in which two live buffers overlap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The offsets of the views made by gmem-materialize are changed, not the plan,
// so that no pass needs a way to bypass verification.

#include "broken_plan.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "element_type.h"
#include "ir_reading.h"
#include "messages.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

// A view of an arena, in textual order.
typedef struct view_s {
  MlirOperation constant; // defines its offset
  MlirValue arena;
  int64_t offset, size; // bytes
  int64_t arena_size;
  int64_t begin, end; // live range of its buffer, steps
} view_t;

typedef struct views_s {
  view_t *views;
  uint32_t count, room;
} views_t;

//===--- views ------------------------------------------------------------===//

// Bytes of a memref of static shape, or -1.
static int64_t size_of(MlirType type) {
  gmem_element_t element;
  if (!mlirTypeIsAMemRef(type) || !mlirShapedTypeHasStaticShape(type) ||
      !gmem_element_of_type(mlirShapedTypeGetElementType(type), &element))
    return -1;
  int64_t size = element.size;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    size *= mlirShapedTypeGetDimSize(type, i);
  return size;
}

// Returns the constant that defines the offset of |view|, or a null op if it
// has other uses.
static MlirOperation own_constant(MlirOperation view) {
  MlirValue offset = mlirOperationGetOperand(view, 1);
  MlirOpOperand use = mlirValueGetFirstUse(offset);
  if (!mlirValueIsAOpResult(offset) ||
      !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
    return (MlirOperation){NULL};
  MlirOperation op = mlirOpResultGetOwner(offset);
  return gmem_op_is(op, "arith.constant") ? op : (MlirOperation){NULL};
}

static MlirWalkResult collect(MlirOperation op, void *user) {
  views_t *all = user;
  if (!gmem_op_is(op, "memref.view"))
    return MlirWalkResultAdvance;
  MlirOperation constant = own_constant(op);
  MlirValue arena = mlirOperationGetOperand(op, 0);
  int64_t size = size_of(mlirValueGetType(mlirOperationGetResult(op, 0)));
  int64_t arena_size = size_of(mlirValueGetType(arena));
  if (mlirOperationIsNull(constant) || size <= 0 || arena_size < size)
    return MlirWalkResultAdvance;
  if (all->count == all->room) {
    all->room = all->room ? all->room * 2 : 64;
    all->views = gmem_need(realloc(all->views, all->room * sizeof *all->views));
  }
  all->views[all->count++] = (view_t){.constant = constant,
                                      .arena = arena,
                                      .offset = mlirIntegerAttrGetValueInt(
                                          gmem_op_attribute(constant, "value")),
                                      .size = size,
                                      .arena_size = arena_size};
  return MlirWalkResultAdvance;
}

static views_t find_views(MlirModule materialized) {
  views_t all = {0};
  mlirOperationWalk(mlirModuleGetOperation(materialized), collect, &all,
                    MlirWalkPreOrder);
  return all;
}

// Assigns the live range of its buffer to each view. Views of equal offset and
// size are matched in order; a wrong match only makes a less useful pair.
static void find_live_ranges(const gmem_planned_t *planned, views_t *all) {
  uint32_t count = gmem_planned_buffer_count(planned);
  for (uint32_t i = 0; i < count; ++i) {
    const gmem_planned_buffer_t *buffer = gmem_planned_buffer(planned, i);
    if (gmem_planned_pool(planned, buffer->pool)->constant ||
        buffer->range_count == 0)
      continue;
    for (uint32_t v = 0; v < all->count; ++v) {
      view_t *view = &all->views[v];
      if (view->end > 0 || (uint64_t)view->offset != buffer->offset ||
          (uint64_t)view->size > buffer->size)
        continue;
      view->begin = buffer->ranges[0].begin;
      view->end = buffer->ranges[buffer->range_count - 1].end;
      break;
    }
  }
}

//===--- breaks -----------------------------------------------------------===//

static int compare_breaks(const void *a, const void *b) {
  const gmem_break_t *left = a, *right = b;
  if (left->steps != right->steps)
    return left->steps < right->steps ? 1 : -1;
  if (left->bytes != right->bytes)
    return left->bytes < right->bytes ? 1 : -1;
  if (left->moved != right->moved)
    return left->moved < right->moved ? -1 : 1;
  return left->onto < right->onto ? -1 : 1;
}

// Returns the break of |a| and |b|. Its |steps| is 0 if they are in different
// arenas, have disjoint live ranges, overlap already (buffers of a loop may),
// or neither fits at the offset of the other.
static gmem_break_t break_of(const views_t *all, uint32_t a, uint32_t b) {
  const view_t *first = &all->views[a], *second = &all->views[b];
  int64_t begin = first->begin > second->begin ? first->begin : second->begin;
  int64_t end = first->end < second->end ? first->end : second->end;
  int64_t shared = first->size < second->size ? first->size : second->size;
  bool second_fits = first->offset + second->size <= first->arena_size;
  bool first_fits = second->offset + first->size <= second->arena_size;
  if (!mlirValueEqual(first->arena, second->arena) || begin >= end ||
      (first->offset < second->offset + second->size &&
       second->offset < first->offset + first->size) ||
      (!first_fits && !second_fits))
    return (gmem_break_t){.steps = 0};
  return (gmem_break_t){second_fits ? b : a, second_fits ? a : b,
                        (uint64_t)shared, end - begin};
}

uint32_t gmem_breaks_find(const gmem_planned_t *planned,
                          MlirModule materialized, gmem_break_t **out_breaks) {
  views_t all = find_views(materialized);
  uint32_t count = 0;
  find_live_ranges(planned, &all);
  gmem_break_t *breaks = gmem_need(calloc(all.count + 1u, sizeof *breaks));
  // For each buffer the break with the longest common live range.
  for (uint32_t a = 0; a < all.count; ++a) {
    gmem_break_t *best = &breaks[count];
    for (uint32_t b = a + 1; b < all.count; ++b) {
      gmem_break_t next = break_of(&all, a, b);
      if (next.steps > 0 &&
          (best->steps == 0 || compare_breaks(&next, best) < 0))
        *best = next;
    }
    count += best->steps > 0;
  }
  qsort(breaks, count, sizeof *breaks, compare_breaks);
  free(all.views);
  *out_breaks = breaks;
  return count;
}

void gmem_break_apply(MlirModule materialized, const gmem_break_t *breaking) {
  views_t all = find_views(materialized);
  assert(breaking->moved != breaking->onto);
  if (breaking->moved < all.count && breaking->onto < all.count) {
    MlirOperation moved = all.views[breaking->moved].constant;
    MlirOperation onto = all.views[breaking->onto].constant;
    mlirOperationSetAttributeByName(moved, gmem_string("value"),
                                    gmem_op_attribute(onto, "value"));
  }
  free(all.views);
}
