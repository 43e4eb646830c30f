// proof_effects.c - see proof_effects.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_effects.h"

#include "ir_reading.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"
#include "op_lists.h"
#include "padded_layout.h"
#include "proof_moves.h"
#include "type_models.h"
#include "type_size.h"
#include "vocabulary.h"

// A dense row-major tensor.
typedef struct dense_s {
  int64_t dims[GMEM_PROOF_MAX_RANK];
  int rank;
  uint64_t bits, elements;
  const void *coding; // other values have other bits
} dense_t;

static bool read_dense(MlirType type, dense_t *out) {
  if (!gmem_proof_has_plain_shape(type))
    return false;
  out->rank = (int)mlirShapedTypeGetRank(type);
  MlirType element = mlirShapedTypeGetElementType(type);
  out->bits = gmem_element_bits(element);
  out->coding = gmem_element_coding(element);
  out->elements = 1;
  for (int i = 0; i < out->rank; ++i)
    out->elements *=
        (uint64_t)(out->dims[i] = mlirShapedTypeGetDimSize(type, i));
  return out->bits != 0;
}

static MlirType type_of(const gmem_proof_op_t *op, uint32_t operand) {
  return mlirValueGetType(mlirOperationGetOperand(op->op, operand));
}

static MlirType result_type(const gmem_proof_op_t *op, uint32_t result) {
  return mlirValueGetType(mlirOperationGetResult(op->op, result));
}

// Whether both have the same elements in the same order: axes of size 1 do not
// matter.
static bool is_same_order(const dense_t *left, const dense_t *right) {
  int i = 0, k = 0;
  for (;;) {
    while (i < left->rank && left->dims[i] == 1)
      ++i;
    while (k < right->rank && right->dims[k] == 1)
      ++k;
    if (i == left->rank || k == right->rank)
      return i == left->rank && k == right->rank && left->bits == right->bits;
    if (left->dims[i++] != right->dims[k++])
      return false;
  }
}

//===--- results over operands --------------------------------------------===//

bool gmem_proof_runs_as_modelled(const gmem_proof_op_t *op) {
  return op->group == INT64_MIN && !op->is_parallel && !op->is_deferred &&
         op->model->kind != GMEM_OP_UNKNOWN &&
         (!op->is_opaque || (op->model->kind == GMEM_OP_SCALAR_BODY &&
                             mlirAttributeIsNull(gmem_op_annotation(
                                 op->op, GMEM_ATTR_LAYER_GROUP))));
}

// Whether axis |axis| is indexed by the same loop in both maps, or has a single
// index because it has one element.
static bool is_same_on_axis(MlirAffineMap from, MlirAffineMap to, intptr_t axis,
                            int64_t elements) {
  MlirAffineExpr expression = mlirAffineMapGetResult(from, axis);
  if (mlirAffineExprEqual(expression, mlirAffineMapGetResult(to, axis)))
    return true;
  return elements == 1 && mlirAffineExprIsAConstant(expression) &&
         mlirAffineConstantExprGetValue(expression) == 0;
}

// Whether operands |operand| and |output| are indexed by one permutation of the
// loops.
static bool has_map_of(const gmem_proof_op_t *op, uint32_t operand,
                       uint32_t output) {
  MlirAttribute maps = gmem_op_attribute(op->op, "indexing_maps");
  if (!gmem_attribute_is(maps, mlirAttributeIsAArray) ||
      mlirArrayAttrGetNumElements(maps) != op->operand_count ||
      output >= op->operand_count)
    return false;
  MlirAttribute written = mlirArrayAttrGetElement(maps, output);
  MlirAttribute read = mlirArrayAttrGetElement(maps, operand);
  if (mlirAttributeEqual(written, read))
    return mlirAttributeIsAAffineMap(written) &&
           mlirAffineMapIsPermutation(mlirAffineMapAttrGetValue(written));
  if (!mlirAttributeIsAAffineMap(written) || !mlirAttributeIsAAffineMap(read))
    return false;
  MlirAffineMap to = mlirAffineMapAttrGetValue(written),
                from = mlirAffineMapAttrGetValue(read);
  MlirType type = type_of(op, output);
  intptr_t axes = mlirAffineMapGetNumResults(to);
  bool is_same = mlirAffineMapIsPermutation(to) && mlirTypeIsAShaped(type) &&
                 mlirShapedTypeHasRank(type) &&
                 mlirShapedTypeGetRank(type) == axes &&
                 mlirAffineMapGetNumResults(from) == axes &&
                 mlirAffineMapGetNumDims(from) == mlirAffineMapGetNumDims(to);
  for (intptr_t i = 0; is_same && i < axes; ++i)
    is_same = is_same_on_axis(from, to, i, mlirShapedTypeGetDimSize(type, i));
  return is_same;
}

static bool is_destination(const gmem_proof_op_t *op, uint32_t operand,
                           uint32_t result) {
  switch (op->model->destination) {
  case GMEM_DESTINATION_TRAILING:
    return operand + op->results.count == op->operand_count + result;
  case GMEM_DESTINATION_OPERAND:
    return result == 0 && (int64_t)operand == op->model->destination_operand;
  default:
    return false;
  }
}

// Whether each element of both is at the same place in its buffer, as far as
// gmem.padding and gmem.strides say.
static bool is_laid_out_as(MlirValue left, MlirValue right) {
  gmem_padded_layout_t a, b;
  gmem_layout_kind_t kind = gmem_padded_layout_of(left, &a);
  if (gmem_padded_layout_of(right, &b) != kind || kind == GMEM_LAYOUT_MALFORMED)
    return false;
  if (kind == GMEM_LAYOUT_DENSE)
    return true;
  bool is_same = a.rank == b.rank && a.element == b.element &&
                 a.lead == b.lead && a.view.first == b.view.first;
  for (uint32_t i = 0; is_same && i < a.rank; ++i)
    is_same = a.sizes[i] == b.sizes[i] && a.strides[i] == b.strides[i];
  return is_same;
}

// Whether the model says how the op reads |operand| and writes |result|: not if
// their elements have different padding between them.
static bool is_modelled(const gmem_proof_op_t *op, uint32_t operand,
                        uint32_t result) {
  return gmem_proof_runs_as_modelled(op) &&
         (!op->may_have_layouts ||
          is_laid_out_as(mlirOperationGetOperand(op->op, operand),
                         mlirOperationGetResult(op->op, result)));
}

// Whether both have their elements in the same order.
static bool has_same_order(const gmem_proof_op_t *op, uint32_t operand,
                           uint32_t result) {
  MlirType from = type_of(op, operand), to = result_type(op, result);
  dense_t left, right;
  if (gmem_is_same_form(from, to))
    return true;
  return read_dense(from, &left) &&
         (mlirTypeEqual(from, to) ||
          (read_dense(to, &right) && is_same_order(&left, &right)));
}

bool gmem_proof_works_in_place(const gmem_proof_op_t *op, uint32_t operand,
                               uint32_t result) {
  const gmem_op_model_t *model = op->model;
  bool is_elementwise =
      (result == 0 &&
       (model->inplace.operands == UINT64_MAX ||
        (operand < 64 &&
         (model->inplace.operands | model->rowwise) >> operand & 1))) ||
      (model->inplace.by_map && op->operand_count >= op->results.count &&
       has_map_of(op, operand, op->operand_count - op->results.count + result));
  return is_elementwise && is_modelled(op, operand, result) &&
         has_same_order(op, operand, result);
}

bool gmem_proof_has_destination(const gmem_proof_op_t *op, uint32_t operand,
                                uint32_t result) {
  return is_destination(op, operand, result) &&
         is_modelled(op, operand, result) &&
         (has_same_order(op, operand, result) ||
          mlirTypeEqual(type_of(op, operand), result_type(op, result)));
}

bool gmem_proof_may_overwrite(const gmem_proof_op_t *op, uint32_t operand,
                              uint32_t result) {
  return gmem_proof_works_in_place(op, operand, result) ||
         gmem_proof_has_destination(op, operand, result);
}

//===--- memrefs over memrefs ---------------------------------------------===//

// Reads the dimensions of a memref of |size| bytes without gaps.
static bool read_whole(MlirType type, uint64_t size, dense_t *out) {
  uint64_t bytes;
  if (!mlirTypeIsAMemRef(type) ||
      mlirShapedTypeGetRank(type) > GMEM_PROOF_MAX_RANK ||
      !mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)) ||
      gmem_memref_size(type, NULL, &bytes) != GMEM_TYPE_SIZED || bytes != size)
    return false;
  out->rank = (int)mlirShapedTypeGetRank(type);
  for (int i = 0; i < out->rank; ++i)
    out->dims[i] = mlirShapedTypeGetDimSize(type, i);
  return true;
}

bool gmem_proof_may_write_over(const gmem_proof_op_t *op, uint32_t operand,
                               uint32_t output, uint64_t size) {
  const gmem_op_model_t *model = op->model;
  dense_t from, to;
  if (!gmem_proof_runs_as_modelled(op) || op->results.count != 0 ||
      output >= 64 || !gmem_proof_only_reads(op, operand) ||
      gmem_proof_only_reads(op, output) ||
      !read_whole(type_of(op, operand), size, &from) ||
      !read_whole(type_of(op, output), size, &to) || from.rank != to.rank)
    return false;
  for (int i = 0; i < from.rank; ++i)
    if (from.dims[i] != to.dims[i])
      return false;
  return (model->inplace.by_map && has_map_of(op, operand, output)) ||
         (output == op->operand_count - 1 &&
          model->inplace.operands >> operand & 1);
}

//===--- parts ------------------------------------------------------------===//

// A box of a tensor: per axis the first index and the number of indices.
typedef struct box_s {
  int64_t begin[GMEM_PROOF_MAX_RANK], size[GMEM_PROOF_MAX_RANK];
} box_t;

// The bytes from the start of |whole| to |box|, if it is contiguous: then its
// last element is as far from its first as it has elements.
static bool offset_of(const dense_t *whole, const box_t *box,
                      uint64_t *out_bytes) {
  uint64_t first = 0, last = 0, stride = 1, elements = 1;
  for (int i = whole->rank; i-- > 0; stride *= (uint64_t)whole->dims[i]) {
    if (box->size[i] == 0)
      return false;
    first += (uint64_t)box->begin[i] * stride;
    last += (uint64_t)(box->begin[i] + box->size[i] - 1) * stride;
    elements *= (uint64_t)box->size[i];
  }
  *out_bytes = first * whole->bits / 8;
  return last - first + 1 == elements && first * whole->bits % 8 == 0;
}

typedef struct lists_s {
  gmem_integers_t begin, size, end, step, axes;
} lists_t;

static bool read_lists(const gmem_proof_program_t *program,
                       const gmem_proof_op_t *op, const gmem_op_box_t *model,
                       gmem_bump_t *arena, lists_t *out) {
  const gmem_op_list_t *const where[] = {
      &model->begin, &model->size, &model->end, &model->step, &model->axes};
  gmem_integers_t *const lists[] = {&out->begin, &out->size, &out->end,
                                    &out->step, &out->axes};
  *out = (lists_t){0};
  for (int i = 0; i < 5; ++i) {
    gmem_list_t found =
        gmem_op_list_read(op->op, where[i], program->models, arena, lists[i]);
    if ((found != GMEM_LIST_KNOWN && found != GMEM_LIST_NONE) ||
        (lists[i]->count && lists[i]->count != out->begin.count))
      return false;
  }
  return out->begin.at != NULL;
}

static int64_t clamp(int64_t index, int64_t dim) {
  if (index < 0)
    index = index < -dim ? 0 : index + dim;
  return index < dim ? index : dim;
}

// The box of |whole| that the lists of the op describe and that has the
// elements of |part|.
static bool read_box(const lists_t *lists, const dense_t *whole,
                     const dense_t *part, box_t *out) {
  bool is_listed[GMEM_PROOF_MAX_RANK] = {false};
  dense_t shape = *whole;
  for (int i = 0; i < whole->rank; ++i) {
    out->begin[i] = 0;
    out->size[i] = whole->dims[i];
  }
  for (size_t i = 0; i < lists->begin.count; ++i) {
    int64_t axis = lists->axes.count ? lists->axes.at[i] : (int64_t)i;
    int64_t step = lists->step.count ? lists->step.at[i] : 1;
    axis += axis < 0 ? whole->rank : 0;
    if (axis < 0 || axis >= whole->rank || is_listed[axis] || step < 1 ||
        lists->begin.at[i] == INT64_MIN ||
        (lists->end.count && lists->end.at[i] == INT64_MIN))
      return false;
    is_listed[axis] = true;
    int64_t dim = whole->dims[axis], begin = clamp(lists->begin.at[i], dim);
    int64_t size = part->rank == whole->rank ? part->dims[axis]
                   : part->rank == whole->rank - 1 && lists->begin.count == 1
                       ? 1
                       : -1;
    if (lists->size.count)
      size = lists->size.at[i];
    else if (lists->end.count)
      size = clamp(lists->end.at[i], dim) <= begin
                 ? 0
                 : (clamp(lists->end.at[i], dim) - begin - 1) / step + 1;
    if (size < 0 || size > dim - begin || (step > 1 && size > 1))
      return false;
    out->begin[axis] = begin;
    out->size[axis] = size;
  }
  for (int i = 0; i < whole->rank; ++i)
    shape.dims[i] = out->size[i];
  return shape.coding == part->coding && is_same_order(&shape, part);
}

static bool find_box(const gmem_proof_program_t *program,
                     const gmem_proof_op_t *op, const gmem_op_box_t *model,
                     bool is_slice, gmem_bump_t *arena, uint64_t *out_bytes) {
  dense_t whole, part;
  lists_t lists;
  box_t box;
  if (model->operand < 0 || model->operand >= (int64_t)op->operand_count ||
      op->results.count == 0)
    return false;
  MlirType operand = type_of(op, (uint32_t)model->operand);
  MlirType result = result_type(op, 0);
  return read_dense(is_slice ? operand : result, &whole) &&
         read_dense(is_slice ? result : operand, &part) &&
         part.elements * part.bits % 8 == 0 &&
         read_lists(program, op, model, arena, &lists) &&
         read_box(&lists, &whole, &part, &box) &&
         offset_of(&whole, &box, out_bytes);
}

static bool concat_axis(const gmem_proof_op_t *op, const dense_t *whole,
                        int *out) {
  MlirAttribute named = op->model->concat.axis
                            ? gmem_op_attribute(op->op, op->model->concat.axis)
                            : mlirAttributeGetNull();
  int64_t axis = 0;
  if (!mlirAttributeIsNull(named) && !gmem_integer_get(named, &axis))
    return false;
  axis += axis < 0 ? whole->rank : 0;
  *out = (int)axis;
  return axis >= 0 && axis < whole->rank;
}

// The box of operand |operand| in the result of a concatenation, of which |*at|
// indices are those of the operands before it.
static bool piece_box(const gmem_proof_op_t *op, uint32_t operand,
                      const dense_t *whole, int axis, int64_t *at, box_t *out) {
  dense_t part;
  if (!read_dense(type_of(op, operand), &part) || part.rank != whole->rank ||
      part.bits != whole->bits || part.coding != whole->coding)
    return false;
  for (int k = 0; k < whole->rank; ++k) {
    if (k != axis && part.dims[k] != whole->dims[k])
      return false;
    out->begin[k] = k == axis ? *at : 0;
    out->size[k] = part.dims[k];
  }
  *at += part.dims[axis];
  return *at <= whole->dims[axis];
}

// Whether no other operand has bits of the last byte of operand |operand|.
static bool fills_bytes(const gmem_proof_op_t *op, uint32_t operand,
                        bool is_last) {
  dense_t part;
  return read_dense(type_of(op, operand), &part) &&
         (is_last || part.elements * part.bits % 8 == 0);
}

// The places of the operands of a concatenation in its result.
static bool find_pieces(const gmem_proof_op_t *op, gmem_proof_parts_t *out) {
  dense_t whole;
  int64_t at = 0;
  int axis;
  if (!read_dense(result_type(op, 0), &whole) ||
      !concat_axis(op, &whole, &axis))
    return false;
  for (uint32_t i = out->first; i < out->end; ++i) {
    uint64_t *offset = &out->offsets[i - out->first];
    box_t box;
    *offset = GMEM_PROOF_NO_PART;
    if (!mlirTypeIsAShaped(type_of(op, i)))
      continue;
    if (!piece_box(op, i, &whole, axis, &at, &box))
      return false;
    if (!offset_of(&whole, &box, offset) ||
        !fills_bytes(op, i, at == whole.dims[axis]))
      *offset = GMEM_PROOF_NO_PART;
  }
  return at == whole.dims[axis];
}

static bool find_elements(const gmem_proof_op_t *op, gmem_proof_parts_t *out) {
  MlirType tuple = result_type(op, 0);
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (!mlirTypeIsATuple(tuple) || gmem_type_is_dynamic(tuple) ||
        (intptr_t)i >= mlirTupleTypeGetNumTypes(tuple) ||
        !mlirTypeEqual(mlirTupleTypeGetType(tuple, i), type_of(op, i)) ||
        !gmem_tuple_element_offset(tuple, i, NULL, &out->offsets[i]))
      return false;
  return true;
}

static bool find_element(const gmem_proof_op_t *op, uint64_t *out_bytes) {
  MlirAttribute number = gmem_op_attribute(op->op, op->model->tuple_element);
  int64_t index;
  if (op->operand_count == 0 || mlirAttributeIsNull(number) ||
      !gmem_integer_get(number, &index))
    return false;
  MlirType tuple = type_of(op, 0);
  return mlirTypeIsATuple(tuple) && !gmem_type_is_dynamic(tuple) &&
         index >= 0 && index < mlirTupleTypeGetNumTypes(tuple) &&
         mlirTypeEqual(mlirTupleTypeGetType(tuple, (intptr_t)index),
                       result_type(op, 0)) &&
         gmem_tuple_element_offset(tuple, (intptr_t)index, NULL, out_bytes);
}

bool gmem_proof_has_layout(const gmem_proof_op_t *entry) {
  MlirOperation op = entry->op;
  gmem_padded_layout_t layout;
  bool has_any = false;
  if (!entry->may_have_layouts)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    has_any |= gmem_padded_layout_of(mlirOperationGetOperand(op, i), &layout) !=
               GMEM_LAYOUT_DENSE;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    has_any |= gmem_padded_layout_of(mlirOperationGetResult(op, i), &layout) !=
               GMEM_LAYOUT_DENSE;
  return has_any;
}

//===--- parts along an inner axis ----------------------------------------===//

// A tensor with the distance in elements of its elements along each axis.
typedef struct spread_s {
  dense_t shape;
  int64_t strides[GMEM_PROOF_MAX_RANK];
} spread_t;

// False if it is itself a view with strides.
static bool read_spread(MlirValue value, spread_t *out) {
  gmem_padded_layout_t layout;
  gmem_layout_kind_t kind = gmem_padded_layout_of(value, &layout);
  int64_t stride = 1;
  if (!read_dense(mlirValueGetType(value), &out->shape) ||
      out->shape.bits % 8 != 0 ||
      (kind != GMEM_LAYOUT_DENSE && kind != GMEM_LAYOUT_PADDED))
    return false;
  for (int i = out->shape.rank; i-- > 0; stride *= out->shape.dims[i])
    out->strides[i] = kind == GMEM_LAYOUT_PADDED ? layout.strides[i] : stride;
  return true;
}

// The axis of |whole| whose indices are the rows of |box| and the first axis
// inside of a row; false if the box has no gaps, or others than between rows.
static bool find_rows(const spread_t *whole, const box_t *box, int *out_rows,
                      int *out_inner) {
  int rank = whole->shape.rank, rows = 0, inner = 0;
  for (int i = 0; i < rank; ++i)
    if (box->size[i] == 0)
      return false;
  while (rows < rank && box->size[rows] == 1)
    ++rows;
  for (int i = rows + 1; i < rank && !inner; ++i) // the only axis that is cut
    inner = box->size[i] != whole->shape.dims[i] ? i : 0;
  for (int i = inner + 1; i < rank && inner; ++i)
    if (box->size[i] != whole->shape.dims[i])
      return false;
  for (int i = rank - 1; i > rows && !inner; --i) // or padding makes the gaps
    inner = whole->strides[i - 1] != whole->shape.dims[i] * whole->strides[i]
                ? i
                : 0;
  *out_rows = rows;
  *out_inner = inner;
  return inner != 0;
}

// The bytes from the first to the last element of the box.
static void extent_of(const spread_t *whole, const box_t *box,
                      gmem_proof_rows_t *out) {
  uint64_t element = whole->shape.bits / 8, first = 0, last = 0;
  for (int i = 0; i < whole->shape.rank; ++i) {
    uint64_t stride = (uint64_t)whole->strides[i];
    first += (uint64_t)box->begin[i] * stride;
    last += (uint64_t)(box->size[i] - 1) * stride;
  }
  *out = (gmem_proof_rows_t){.offset = first * element,
                             .size = (last + 1) * element};
}

static bool rows_of(const spread_t *whole, const box_t *box,
                    gmem_proof_rows_t *out) {
  int rows, inner;
  if (!find_rows(whole, box, &rows, &inner))
    return false;
  uint64_t element = whole->shape.bits / 8, width = 1, last = 0, begin = 0;
  for (int i = 0; i < whole->shape.rank; ++i) {
    uint64_t stride = (uint64_t)whole->strides[i];
    begin += i <= rows ? (uint64_t)box->begin[i] * stride : 0;
    last += (uint64_t)((i <= rows ? box->size[i] : whole->shape.dims[i]) - 1) *
            stride;
    width += i >= inner ? (uint64_t)(box->size[i] - 1) * stride : 0;
  }
  uint64_t first =
      (uint64_t)box->begin[inner] * (uint64_t)whole->strides[inner];
  *out = (gmem_proof_rows_t){
      .offset = begin * element,
      .size = (last + 1) * element,
      .columns = {(uint64_t)whole->strides[inner - 1] * element,
                  first * element, (first + width) * element}};
  return true;
}

// Whether gmem.strides of |part| puts its elements where those of |box| are in
// |rows|.
static bool is_laid_out_so(MlirValue part, const spread_t *whole,
                           const box_t *box, const gmem_proof_rows_t *rows) {
  gmem_padded_layout_t layout;
  uint64_t element = whole->shape.bits / 8;
  int at = 0;
  if (gmem_padded_layout_of(part, &layout) != GMEM_LAYOUT_STRIDED ||
      layout.element != element || layout.span != rows->size ||
      (uint64_t)layout.view.pitch * element != rows->columns.pitch ||
      (uint64_t)layout.view.first * element != rows->columns.first)
    return false;
  for (uint32_t i = 0; i < layout.rank; ++i) {
    if (layout.sizes[i] == 1)
      continue;
    while (at < whole->shape.rank && box->size[at] == 1)
      ++at;
    if (at == whole->shape.rank || box->size[at] != layout.sizes[i] ||
        layout.strides[i] != whole->strides[at++])
      return false;
  }
  return true;
}

static bool find_slice_rows(const gmem_proof_program_t *program,
                            const gmem_proof_op_t *op, gmem_bump_t *arena,
                            gmem_proof_rows_t *out) {
  const gmem_op_box_t *model = &op->model->slice;
  spread_t whole;
  dense_t part;
  lists_t lists;
  box_t box;
  if (model->operand < 0 || model->operand >= (int64_t)op->operand_count ||
      !read_spread(mlirOperationGetOperand(op->op, model->operand), &whole) ||
      !read_dense(result_type(op, 0), &part) ||
      !read_lists(program, op, model, arena, &lists) ||
      !read_box(&lists, &whole.shape, &part, &box) ||
      !rows_of(&whole, &box, out))
    return false;
  out->is_laid_out_so =
      is_laid_out_so(mlirOperationGetResult(op->op, 0), &whole, &box, out);
  return out->is_laid_out_so;
}

// False if no operand is laid out as a part of the result.
static bool find_piece_rows(const gmem_proof_op_t *op,
                            const gmem_proof_parts_t *parts,
                            gmem_proof_rows_t *out) {
  spread_t whole;
  bool has_any = false;
  int axis;
  if (!read_spread(mlirOperationGetResult(op->op, 0), &whole) ||
      !concat_axis(op, &whole.shape, &axis))
    return false;
  int64_t at = 0;
  for (uint32_t i = parts->first; i < parts->end; ++i) {
    gmem_proof_rows_t *rows = &out[i - parts->first];
    box_t box;
    if (!mlirTypeIsAShaped(type_of(op, i)))
      continue;
    if (!piece_box(op, i, &whole.shape, axis, &at, &box))
      return false;
    if (box.size[axis] == 0)
      continue;
    if (rows_of(&whole, &box, rows))
      rows->is_laid_out_so = is_laid_out_so(mlirOperationGetOperand(op->op, i),
                                            &whole, &box, rows);
    else
      extent_of(&whole, &box, rows);
    has_any |= rows->is_laid_out_so;
  }
  return has_any && at == whole.shape.dims[axis];
}

// As gmem_proof_parts_find, of an op with padding per dimension or strides.
static void find_rows_of_parts(const gmem_proof_program_t *program,
                               const gmem_proof_op_t *op, gmem_bump_t *arena,
                               gmem_proof_parts_t *out) {
  bool is_slice = op->model->slice.operand != GMEM_NO_OPERAND;
  if (!is_slice && !op->model->concat.axis)
    return;
  out->first =
      (uint32_t)(is_slice                      ? op->model->slice.operand
                 : op->model->concat.first > 0 ? op->model->concat.first
                                               : 0);
  out->end = is_slice ? out->first + 1 : op->operand_count;
  size_t count = op->operand_count + 1u;
  gmem_proof_rows_t *rows = gmem_bump_alloc(arena, count, sizeof *rows);
  out->offsets = gmem_bump_alloc(arena, count, sizeof *out->offsets);
  if (!rows || !out->offsets ||
      !(is_slice ? find_slice_rows(program, op, arena, rows)
                 : find_piece_rows(op, out, rows)))
    return;
  for (uint32_t i = 0; i < out->end - out->first; ++i)
    out->offsets[i] =
        rows[i].is_laid_out_so ? rows[i].offset : GMEM_PROOF_NO_PART;
  out->rows = rows;
  out->shape = is_slice ? GMEM_PROOF_SLICES : GMEM_PROOF_JOINS;
}

void gmem_proof_parts_find(const gmem_proof_program_t *program,
                           const gmem_proof_op_t *op, gmem_bump_t *arena,
                           gmem_proof_parts_t *out) {
  const gmem_op_model_t *model = op->model;
  bool is_join = model->concat.axis || model->tuple;
  *out = (gmem_proof_parts_t){.shape = GMEM_PROOF_COMPUTES};
  if (!gmem_proof_runs_as_modelled(op) || op->results.count == 0)
    return;
  if (gmem_proof_has_layout(op)) {
    find_rows_of_parts(program, op, arena, out);
    return;
  }
  if (!(is_join || model->tuple_element ||
        model->slice.operand != GMEM_NO_OPERAND ||
        model->insert.operand != GMEM_NO_OPERAND))
    return;
  out->offsets =
      gmem_bump_alloc(arena, op->operand_count + 1u, sizeof *out->offsets);
  if (!out->offsets)
    return;
  if (is_join) {
    out->first = model->concat.first > 0 ? (uint32_t)model->concat.first : 0;
    out->end = op->operand_count;
    if (model->tuple ? find_elements(op, out) : find_pieces(op, out))
      out->shape = GMEM_PROOF_JOINS;
    return;
  }
  bool is_insert = model->insert.operand != GMEM_NO_OPERAND;
  bool is_element = model->tuple_element != NULL;
  const gmem_op_box_t *box = is_insert ? &model->insert : &model->slice;
  out->first = is_element ? 0 : (uint32_t)box->operand;
  out->end = out->first + 1;
  if (is_element ? find_element(op, out->offsets)
                 : find_box(program, op, box, !is_insert, arena, out->offsets))
    out->shape = is_insert ? GMEM_PROOF_INSERTS : GMEM_PROOF_SLICES;
}

uint32_t gmem_proof_rest(const gmem_proof_op_t *op,
                         const gmem_proof_parts_t *parts) {
  return parts->shape == GMEM_PROOF_INSERTS &&
                 op->model->destination == GMEM_DESTINATION_OPERAND
             ? op->operands[op->model->destination_operand]
             : GMEM_NO_INDEX;
}
