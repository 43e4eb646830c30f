// proof_moves.c - see proof_moves.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_moves.h"

#include "ir_reading.h"
#include "mlir-c/BuiltinTypes.h"
#include "op_lists.h"

typedef struct shape_s {
  int64_t dims[GMEM_PROOF_MAX_RANK];
  int64_t rank, large; // axes, and those of more than one element
} shape_t;

bool gmem_proof_has_plain_shape(MlirType type) {
  if (!mlirTypeIsARankedTensor(type) || !mlirShapedTypeHasStaticShape(type) ||
      mlirShapedTypeGetRank(type) > GMEM_PROOF_MAX_RANK)
    return false;
  MlirAttribute encoding = mlirRankedTensorTypeGetEncoding(type);
  return mlirAttributeIsNull(encoding) ||
         mlirAttributeIsAInteger(encoding); // an address
}

static bool read_shape(MlirType type, shape_t *out) {
  if (!gmem_proof_has_plain_shape(type))
    return false;
  *out = (shape_t){.rank = mlirShapedTypeGetRank(type)};
  for (int64_t i = 0; i < out->rank; ++i) {
    out->dims[i] = mlirShapedTypeGetDimSize(type, (intptr_t)i);
    out->large += out->dims[i] != 1;
  }
  return true;
}

// Whether both have the same axes of more than one element, in one order.
static bool is_same_order(const shape_t *left, const shape_t *right) {
  int64_t k = 0;
  for (int64_t i = 0; i < left->rank; ++i) {
    if (left->dims[i] == 1)
      continue;
    while (k < right->rank && right->dims[k] == 1)
      ++k;
    if (k == right->rank || right->dims[k++] != left->dims[i])
      return false;
  }
  return left->large == right->large;
}

// Whether the numbers of axes come in rising order, those of one element aside.
// |by_number|: they are numbers of axes of |shape|, else one for each axis.
static bool is_rising(const shape_t *shape, const gmem_integers_t *numbers,
                      bool by_number) {
  int64_t last = -1;
  for (int64_t i = 0; i < (int64_t)numbers->count; ++i) {
    int64_t number = numbers->at[i];
    number += by_number && number < 0 ? shape->rank : 0;
    if (number < 0 || (by_number && number >= shape->rank))
      return false;
    if (shape->dims[by_number ? number : i] == 1)
      continue;
    if (number <= last)
      return false;
    last = number;
  }
  return true;
}

// Whether swapping two axes carries none of more than one element past another.
static bool is_idle_swap(const shape_t *shape, const gmem_integers_t *first,
                         const gmem_integers_t *second) {
  int64_t large = 0;
  if (first->count != 1 || second->count != 1)
    return false;
  int64_t a = first->at[0] + (first->at[0] < 0 ? shape->rank : 0);
  int64_t b = second->at[0] + (second->at[0] < 0 ? shape->rank : 0);
  int64_t low = a < b ? a : b, high = a < b ? b : a;
  if (low < 0 || high >= shape->rank)
    return false;
  for (int64_t i = low; i <= high; ++i)
    large += shape->dims[i] != 1;
  // Neither has more than one element, or one has and none lies between.
  bool is_end = shape->dims[low] != 1 || shape->dims[high] != 1;
  return low == high || !is_end || large == 1;
}

bool gmem_proof_moves_nothing(const gmem_op_models_t *models,
                              const gmem_op_model_t *model, MlirOperation op,
                              gmem_bump_t *arena) {
  const gmem_op_moves_t *moves = &model->moves;
  gmem_integers_t axes, second;
  shape_t from, to;
  if (!(moves->permutes || moves->swaps || moves->broadcasts) ||
      mlirOperationGetNumRegions(op) || mlirOperationGetNumResults(op) != 1 ||
      mlirOperationGetNumOperands(op) == 0)
    return false;
  MlirType source = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType result = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (!read_shape(source, &from) || !read_shape(result, &to) ||
      !is_same_order(&from, &to) ||
      !mlirTypeEqual(mlirShapedTypeGetElementType(source),
                     mlirShapedTypeGetElementType(result)))
    return false;
  gmem_list_t found = gmem_op_list_read(op, &moves->axes, models, arena, &axes);
  if (moves->swaps)
    return gmem_op_list_read(op, &moves->second, models, arena, &second) ==
               GMEM_LIST_KNOWN &&
           found == GMEM_LIST_KNOWN && is_idle_swap(&from, &axes, &second);
  if (found == GMEM_LIST_NONE) // reversed, or repeated along the first axes
    return moves->broadcasts || from.large <= 1;
  return found == GMEM_LIST_KNOWN && axes.count == (size_t)from.rank &&
         is_rising(&from, &axes, moves->permutes);
}
