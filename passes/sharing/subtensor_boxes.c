// subtensor_boxes.c - see subtensor_boxes.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "subtensor_boxes.h"

#include <assert.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "type_size.h"

//===--- layouts ----------------------------------------------------------===//

bool gmem_layout_of(MlirType type, gmem_layout_t *out) {
  if (!mlirTypeIsARankedTensor(type) || !mlirShapedTypeHasStaticShape(type) ||
      mlirShapedTypeGetRank(type) > GMEM_MAX_RANK)
    return false;
  MlirAttribute encoding = mlirRankedTensorTypeGetEncoding(type);
  if (!mlirAttributeIsNull(encoding) && !mlirAttributeIsAInteger(encoding))
    return false;
  out->rank = (int)mlirShapedTypeGetRank(type);
  for (int i = 0; i < out->rank; ++i)
    out->dims[i] = mlirShapedTypeGetDimSize(type, i);
  out->element_bits = gmem_element_bits(mlirShapedTypeGetElementType(type));
  return out->element_bits != 0;
}

static int skip_ones(const int64_t *dims, int rank, int at) {
  while (at < rank && dims[at] == 1)
    ++at;
  return at;
}

// Whether two shapes are equal except for axes of size 1.
static bool same_shape(const int64_t *left, int left_rank, const int64_t *right,
                       int right_rank) {
  int i = skip_ones(left, left_rank, 0), k = skip_ones(right, right_rank, 0);
  while (i < left_rank && k < right_rank && left[i] == right[k]) {
    i = skip_ones(left, left_rank, i + 1);
    k = skip_ones(right, right_rank, k + 1);
  }
  return i == left_rank && k == right_rank;
}

bool gmem_layout_same(const gmem_layout_t *left, const gmem_layout_t *right) {
  return left->element_bits == right->element_bits &&
         same_shape(left->dims, left->rank, right->dims, right->rank);
}

//===--- boxes from lists -------------------------------------------------===//

typedef struct lists_s {
  gmem_integers_t begin, size, end, step, axes;
  bool has_size, has_end, has_step, has_axes;
} lists_t;

// Reads one list; |*has|: whether it is present and not empty. It must then be
// as long as |begin|.
static gmem_list_t read_list(MlirOperation op, const gmem_op_list_t *where,
                             const gmem_op_models_t *models, gmem_bump_t *arena,
                             const gmem_integers_t *begin, gmem_integers_t *out,
                             bool *has) {
  gmem_list_t found = gmem_op_list_read(op, where, models, arena, out);
  *has = found == GMEM_LIST_KNOWN && out->count != 0;
  if (*has && out->count != begin->count)
    return GMEM_LIST_UNKNOWN;
  return found;
}

static gmem_list_t read_lists(MlirOperation op, const gmem_op_box_t *model,
                              const gmem_op_models_t *models,
                              gmem_bump_t *arena, lists_t *lists) {
  gmem_list_t found =
      gmem_op_list_read(op, &model->begin, models, arena, &lists->begin);
  if (found != GMEM_LIST_KNOWN)
    return found == GMEM_LIST_NONE ? GMEM_LIST_UNKNOWN : found;
  const gmem_op_list_t *const wheres[] = {&model->size, &model->end,
                                          &model->step, &model->axes};
  gmem_integers_t *const outs[] = {&lists->size, &lists->end, &lists->step,
                                   &lists->axes};
  bool *const has[] = {&lists->has_size, &lists->has_end, &lists->has_step,
                       &lists->has_axes};
  for (int i = 0; i < 4; ++i) {
    found =
        read_list(op, wheres[i], models, arena, &lists->begin, outs[i], has[i]);
    if (found == GMEM_LIST_UNKNOWN || found == GMEM_LIST_OUT_OF_MEMORY)
      return found;
  }
  return GMEM_LIST_KNOWN;
}

// Normalizes a position: negative ones count from the end, and all are clamped
// to [0, dim].
static int64_t position(int64_t at, int64_t dim) {
  if (at < 0)
    at = at < -dim ? 0 : at + dim;
  return at > dim ? dim : at;
}

// The number of elements of |axis| in entry |i| of the lists, or -1 if unknown.
static int64_t extent(const lists_t *lists, size_t i, int64_t begin,
                      int64_t step, int axis, const gmem_layout_t *whole,
                      const gmem_layout_t *part) {
  if (lists->has_size)
    return lists->size.at[i];
  if (lists->has_end) {
    int64_t end = position(lists->end.at[i], whole->dims[axis]);
    return end <= begin ? 0 : (end - begin - 1) / step + 1;
  }
  // Neither is given: take it from the part, which may have lost the axis.
  if (part->rank == whole->rank)
    return part->dims[axis];
  return part->rank == whole->rank - 1 && lists->begin.count == 1 ? 1 : -1;
}

static bool set_axis(const lists_t *lists, size_t i, const gmem_layout_t *whole,
                     const gmem_layout_t *part, bool *seen, gmem_box_t *box) {
  int64_t axis = lists->has_axes ? lists->axes.at[i] : (int64_t)i;
  axis += axis < 0 ? whole->rank : 0;
  int64_t step = lists->has_step ? lists->step.at[i] : 1;
  // INT64_MIN marks a value that is not constant.
  if (axis < 0 || axis >= whole->rank || seen[axis] || step < 1 ||
      lists->begin.at[i] == INT64_MIN ||
      (lists->has_end && lists->end.at[i] == INT64_MIN))
    return false;
  seen[axis] = true;
  int64_t dim = whole->dims[axis];
  int64_t begin = position(lists->begin.at[i], dim);
  int64_t size = extent(lists, i, begin, step, (int)axis, whole, part);
  box->begin[axis] = begin;
  box->size[axis] = size;
  return size >= 0 && size <= dim - begin && (step == 1 || size <= 1);
}

gmem_list_t gmem_box_read(MlirOperation op, const gmem_op_box_t *model,
                          const gmem_op_models_t *models, gmem_bump_t *arena,
                          const gmem_layout_t *whole, const gmem_layout_t *part,
                          gmem_box_t *out) {
  lists_t lists = {0};
  gmem_list_t found = read_lists(op, model, models, arena, &lists);
  if (found != GMEM_LIST_KNOWN)
    return found;
  bool seen[GMEM_MAX_RANK] = {false};
  for (int i = 0; i < whole->rank; ++i) {
    out->begin[i] = 0;
    out->size[i] = whole->dims[i];
  }
  for (size_t i = 0; i < lists.begin.count; ++i)
    if (!set_axis(&lists, i, whole, part, seen, out))
      return GMEM_LIST_UNKNOWN;
  return whole->element_bits == part->element_bits &&
                 same_shape(out->size, whole->rank, part->dims, part->rank)
             ? GMEM_LIST_KNOWN
             : GMEM_LIST_UNKNOWN;
}

//===--- bytes ------------------------------------------------------------===//

bool gmem_box_bytes(const gmem_layout_t *whole, const gmem_box_t *box,
                    uint64_t *out_bytes) {
  uint64_t elements = 0, stride = 1;
  bool is_cut = false; // an inner axis is not covered completely
  for (int i = whole->rank; i-- > 0;) {
    assert(box->begin[i] >= 0 &&
           box->begin[i] + box->size[i] <= whole->dims[i]);
    // More than one index of this axis would leave gaps for the rest of the
    // inner one.
    if (is_cut && box->size[i] != 1)
      return false;
    is_cut |= box->size[i] != whole->dims[i];
    elements += (uint64_t)box->begin[i] * stride;
    stride *= (uint64_t)whole->dims[i];
  }
  // Sizes of tensors are checked to fit in bytes, those of elements narrower
  // than a byte also in bits.
  uint64_t bits = whole->element_bits;
  if (bits % 8 == 0)
    return *out_bytes = elements * (bits / 8), true;
  *out_bytes = elements * bits / 8;
  return elements * bits % 8 == 0;
}
