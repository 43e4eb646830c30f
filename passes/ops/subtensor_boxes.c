// subtensor_boxes.c - see subtensor_boxes.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "subtensor_boxes.h"

#include <assert.h>

#include "ir_reading.h"
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
  MlirType element = mlirShapedTypeGetElementType(type);
  out->element_bits = gmem_element_bits(element);
  out->coding = gmem_element_coding(element);
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

bool gmem_layout_copies(const gmem_layout_t *left, const gmem_layout_t *right) {
  return left->element_bits == right->element_bits &&
         left->coding == right->coding;
}

uint64_t gmem_layout_elements(const gmem_layout_t *layout) {
  uint64_t elements = 1;
  for (int i = 0; i < layout->rank; ++i)
    elements *= (uint64_t)layout->dims[i];
  return elements;
}

// Sizes of tensors are checked to fit in bytes, those of elements narrower than
// a byte also in bits.
bool gmem_layout_offset(const gmem_layout_t *layout, uint64_t element,
                        uint64_t *out_bytes) {
  uint64_t bits = layout->element_bits;
  *out_bytes = bits % 8 ? element * bits / 8 : element * (bits / 8);
  return element * bits % 8 == 0;
}

//===--- boxes from lists -------------------------------------------------===//

enum { BEGIN, SIZE, END, STEP, AXES, LISTS };

typedef struct reader_s {
  const gmem_layout_t *whole, *part;
  gmem_integers_t lists[LISTS]; // absent ones are empty, others equally long
  // The box:
  int64_t begin[GMEM_MAX_RANK], size[GMEM_MAX_RANK];
  bool is_listed[GMEM_MAX_RANK];
} reader_t;

static bool read_lists(const gmem_subtensor_t *subtensor,
                       const gmem_op_models_t *models, gmem_bump_t *arena,
                       gmem_integers_t *lists) {
  const gmem_op_box_t *model = subtensor->model;
  const gmem_op_list_t *const where[LISTS] = {
      &model->begin, &model->size, &model->end, &model->step, &model->axes};
  for (int i = 0; i < LISTS; ++i) {
    gmem_list_t found =
        gmem_op_list_read(subtensor->op, where[i], models, arena, &lists[i]);
    if ((found != GMEM_LIST_KNOWN && found != GMEM_LIST_NONE) ||
        (found == GMEM_LIST_NONE && i == BEGIN) ||
        (lists[i].count && lists[i].count != lists[BEGIN].count))
      return false;
  }
  return true;
}

// Normalizes a position: negative ones count from the end, and all are clamped
// to [0, dim].
static int64_t position(int64_t at, int64_t dim) {
  if (at < 0)
    at = at < -dim ? 0 : at + dim;
  return at > dim ? dim : at;
}

// The number of elements of |axis|, which begin at |begin|, in entry |i| of the
// lists, or -1 if unknown.
static int64_t extent(const reader_t *reader, size_t i, int axis, int64_t begin,
                      int64_t step) {
  const gmem_layout_t *whole = reader->whole, *part = reader->part;
  const gmem_integers_t *lists = reader->lists;
  if (lists[SIZE].count)
    return lists[SIZE].at[i];
  if (lists[END].count) {
    int64_t end = position(lists[END].at[i], whole->dims[axis]);
    return end <= begin ? 0 : (end - begin - 1) / step + 1;
  }
  // Neither is given: take it from the part, which may have lost the axis.
  if (part->rank == whole->rank)
    return part->dims[axis];
  return part->rank == whole->rank - 1 && lists[BEGIN].count == 1 ? 1 : -1;
}

// Sets the axis of the box that entry |i| of the lists describes.
static bool set_axis(reader_t *reader, size_t i) {
  const gmem_integers_t *lists = reader->lists;
  int rank = reader->whole->rank;
  int64_t axis = lists[AXES].count ? lists[AXES].at[i] : (int64_t)i;
  int64_t step = lists[STEP].count ? lists[STEP].at[i] : 1;
  axis += axis < 0 ? rank : 0;
  // INT64_MIN marks a value that is not constant.
  if (axis < 0 || axis >= rank || reader->is_listed[axis] || step < 1 ||
      lists[BEGIN].at[i] == INT64_MIN ||
      (lists[END].count && lists[END].at[i] == INT64_MIN))
    return false;
  reader->is_listed[axis] = true;
  int64_t dim = reader->whole->dims[axis];
  int64_t begin = position(lists[BEGIN].at[i], dim);
  int64_t size = extent(reader, i, (int)axis, begin, step);
  reader->begin[axis] = begin;
  reader->size[axis] = size;
  return size >= 0 && size <= dim - begin && (step == 1 || size <= 1);
}

//===--- bytes ------------------------------------------------------------===//

// Whether the box is contiguous in memory; |*out_first| is its first element.
static bool is_contiguous(const reader_t *reader, uint64_t *out_first) {
  const gmem_layout_t *whole = reader->whole;
  uint64_t elements = 0, stride = 1;
  bool is_cut = false; // an inner axis is not covered completely
  for (int i = whole->rank; i-- > 0;) {
    assert(reader->begin[i] >= 0 &&
           reader->begin[i] + reader->size[i] <= whole->dims[i]);
    // More than one index of this axis would leave gaps for the rest of the
    // inner one.
    if (is_cut && reader->size[i] != 1)
      return false;
    is_cut |= reader->size[i] != whole->dims[i];
    elements += (uint64_t)reader->begin[i] * stride;
    stride *= (uint64_t)whole->dims[i];
  }
  *out_first = elements;
  return true;
}

// Reads the box.
static bool read_box(const gmem_subtensor_t *subtensor,
                     const gmem_op_models_t *models, gmem_bump_t *arena,
                     reader_t *reader) {
  const gmem_layout_t *whole = &subtensor->whole, *part = &subtensor->part;
  *reader = (reader_t){.whole = whole, .part = part};
  if (!gmem_layout_copies(whole, part) ||
      !read_lists(subtensor, models, arena, reader->lists))
    return false;
  for (int i = 0; i < whole->rank; ++i)
    reader->size[i] = whole->dims[i];
  for (size_t i = 0; i < reader->lists[BEGIN].count; ++i)
    if (!set_axis(reader, i))
      return false;
  return same_shape(reader->size, whole->rank, part->dims, part->rank);
}

bool gmem_subtensor_offset(const gmem_subtensor_t *subtensor,
                           const gmem_op_models_t *models, gmem_bump_t *arena,
                           uint64_t *out_bytes) {
  reader_t reader;
  uint64_t first;
  return read_box(subtensor, models, arena, &reader) &&
         is_contiguous(&reader, &first) &&
         gmem_layout_offset(&subtensor->whole, first, out_bytes);
}

bool gmem_subtensor_box(const gmem_subtensor_t *subtensor,
                        const gmem_op_models_t *models, gmem_bump_t *arena,
                        int64_t *out_begin, int64_t *out_size) {
  reader_t reader;
  if (!read_box(subtensor, models, arena, &reader))
    return false;
  for (int i = 0; i < subtensor->whole.rank; ++i) {
    out_begin[i] = reader.begin[i];
    out_size[i] = reader.size[i];
    if (reader.size[i] == 0)
      return false;
  }
  return true;
}

//===--- concatenations ---------------------------------------------------===//

int gmem_concat_axis(MlirOperation op, const gmem_op_model_t *model,
                     const gmem_layout_t *whole) {
  int64_t axis = 0;
  MlirAttribute named = mlirAttributeGetNull();
  if (model->concat.axis)
    named = gmem_op_attribute(op, model->concat.axis);
  if (!mlirAttributeIsNull(named) && !gmem_integer_get(named, &axis))
    return -1;
  axis += axis < 0 ? whole->rank : 0;
  return axis < 0 || axis >= whole->rank ? -1 : (int)axis;
}

// Whether |part| is a piece of |whole| along |axis|: all other dimensions are
// equal.
static bool is_piece(const gmem_layout_t *whole, const gmem_layout_t *part,
                     int axis) {
  if (part->rank != whole->rank || !gmem_layout_copies(part, whole))
    return false;
  for (int i = 0; i < whole->rank; ++i)
    if (i != axis && part->dims[i] != whole->dims[i])
      return false;
  return true;
}

bool gmem_pieces_fit(MlirOperation op, const gmem_op_model_t *model,
                     const gmem_layout_t *whole, int axis) {
  int64_t sum = 0;
  for (intptr_t i = model->concat.first; i < mlirOperationGetNumOperands(op);
       ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    gmem_layout_t part;
    if (!mlirTypeIsAShaped(type))
      continue;
    if (!gmem_layout_of(type, &part) || !is_piece(whole, &part, axis) ||
        part.dims[axis] > whole->dims[axis] - sum)
      return false;
    sum += part.dims[axis];
  }
  return sum == whole->dims[axis];
}
