// permutations.c - see permutations.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "permutations.h"

#include <assert.h>

#include "ir_reading.h"
#include "mlir-c/BuiltinTypes.h"
#include "op_lists.h"
#include "type_size.h"

enum { MAX_RANK = GMEM_PERMUTATION_MAX_RANK };

const gmem_op_model_t gmem_view_model = {
    .op = "view",
    .kind = GMEM_OP_RESHAPE,
    .destination_operand = GMEM_NO_OPERAND,
    .slice = {.operand = GMEM_NO_OPERAND},
    .insert = {.operand = GMEM_NO_OPERAND}};

typedef struct shape_s {
  int64_t dims[MAX_RANK];
  int64_t rank;
} shape_t;

// The shape of a static tensor that is stored row by row.
static bool read_shape(MlirType type, shape_t *out) {
  if (!mlirTypeIsARankedTensor(type) || !mlirShapedTypeHasStaticShape(type) ||
      mlirShapedTypeGetRank(type) > MAX_RANK ||
      !gmem_is_dense_encoding(mlirRankedTensorTypeGetEncoding(type)))
    return false;
  out->rank = mlirShapedTypeGetRank(type);
  for (int64_t i = 0; i < out->rank; ++i)
    out->dims[i] = mlirShapedTypeGetDimSize(type, (intptr_t)i);
  return true;
}

static bool is_axis(int64_t *axis, int64_t rank) {
  *axis += *axis < 0 ? rank : 0;
  return *axis >= 0 && *axis < rank;
}

//===--- which axis becomes which -----------------------------------------===//

// For each axis of the result, the axis of the operand that it is.
static bool read_permutation(const gmem_integers_t *list, gmem_list_t found,
                             const shape_t *from, int64_t *out) {
  if (found == GMEM_LIST_KNOWN && list->count != (size_t)from->rank)
    return false;
  for (int64_t i = 0; i < from->rank; ++i) {
    out[i] = found == GMEM_LIST_NONE ? from->rank - 1 - i : list->at[i];
    if (!is_axis(&out[i], from->rank))
      return false;
  }
  return found == GMEM_LIST_KNOWN || found == GMEM_LIST_NONE;
}

static bool read_swap(const gmem_integers_t *first,
                      const gmem_integers_t *second, const shape_t *from,
                      int64_t *out) {
  if (first->count != 1 || second->count != 1)
    return false;
  int64_t a = first->at[0], b = second->at[0];
  for (int64_t i = 0; i < from->rank; ++i)
    out[i] = i;
  if (!is_axis(&a, from->rank) || !is_axis(&b, from->rank))
    return false;
  out[a] = b;
  out[b] = a;
  return true;
}

// Whether the axes of more than one element stay in order, so that no element
// moves.
static bool keeps_order(const shape_t *from, const shape_t *to,
                        const int64_t *axes) {
  int64_t last = -1;
  for (int64_t i = 0; i < from->rank; ++i) {
    if (to->dims[i] != from->dims[axes[i]])
      return false;
    if (from->dims[axes[i]] == 1)
      continue;
    if (axes[i] <= last)
      return false;
    last = axes[i];
  }
  return true;
}

// Whether the result has the axes of the operand, in order, and others of size
// 1. Without a list, the last axes are those of the operand.
static bool adds_ones(const shape_t *from, const shape_t *to,
                      const gmem_integers_t *list, gmem_list_t found) {
  int64_t next = 0; // axis of the result
  if ((found == GMEM_LIST_KNOWN && list->count != (size_t)from->rank) ||
      (found != GMEM_LIST_KNOWN && found != GMEM_LIST_NONE))
    return false;
  for (int64_t i = 0; i < from->rank; ++i) {
    int64_t axis =
        found == GMEM_LIST_KNOWN ? list->at[i] : to->rank - from->rank + i;
    if (from->dims[i] == 1)
      continue;
    for (; next < to->rank && next < axis; ++next)
      if (to->dims[next] != 1)
        return false;
    if (next != axis || next == to->rank || to->dims[next++] != from->dims[i])
      return false;
  }
  for (; next < to->rank; ++next)
    if (to->dims[next] != 1)
      return false;
  return true;
}

// Reads the shapes of operand 0 and the only result; false if there are none.
static bool read_shapes(MlirOperation op, shape_t *from, shape_t *to) {
  if (mlirOperationGetNumOperands(op) == 0 ||
      mlirOperationGetNumResults(op) != 1 ||
      mlirOperationGetNumRegions(op) != 0)
    return false;
  MlirType source = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType result = mlirValueGetType(mlirOperationGetResult(op, 0));
  return read_shape(source, from) && read_shape(result, to) &&
         mlirTypeEqual(mlirShapedTypeGetElementType(source),
                       mlirShapedTypeGetElementType(result));
}

// As gmem_op_permutation, with the shapes.
static bool read_order(const gmem_op_moves_t *moves, MlirOperation op,
                       const gmem_op_models_t *models, gmem_bump_t *arena,
                       const shape_t *from, const shape_t *to, int64_t *out) {
  gmem_integers_t axes, second;
  gmem_list_t found = gmem_op_list_read(op, &moves->axes, models, arena, &axes);
  if (from->rank != to->rank)
    return false;
  if (moves->permutes)
    return read_permutation(&axes, found, from, out);
  (void)gmem_op_list_read(op, &moves->second, models, arena, &second);
  return read_swap(&axes, &second, from, out);
}

bool gmem_op_permutation(const gmem_op_model_t *model, MlirOperation op,
                         const gmem_op_models_t *models, gmem_bump_t *arena,
                         int64_t *out_axes) {
  shape_t from, to;
  return (model->moves.permutes || model->moves.swaps) &&
         read_shapes(op, &from, &to) &&
         read_order(&model->moves, op, models, arena, &from, &to, out_axes);
}

bool gmem_op_moves_nothing(const gmem_op_model_t *model, MlirOperation op,
                           const gmem_op_models_t *models, gmem_bump_t *arena) {
  const gmem_op_moves_t *moves = &model->moves;
  gmem_integers_t axes;
  int64_t order[MAX_RANK] = {0};
  shape_t from, to;
  assert(moves->permutes + moves->swaps + moves->broadcasts <= 1);
  if ((!moves->permutes && !moves->swaps && !moves->broadcasts) ||
      !read_shapes(op, &from, &to))
    return false;
  if (!moves->broadcasts)
    return read_order(moves, op, models, arena, &from, &to, order) &&
           keeps_order(&from, &to, order);
  gmem_list_t found = gmem_op_list_read(op, &moves->axes, models, arena, &axes);
  return adds_ones(&from, &to, &axes, found);
}
