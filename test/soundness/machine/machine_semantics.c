// machine_semantics.c - what an op does, from its name and its own attributes.
// Ops of no dialect may say it in attributes test.*, for tests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <string.h>

#include "machine_op_names.h"
#include "machine_program.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Quant.h"

//===--- lists of integers ------------------------------------------------===//

typedef struct integers_s {
  int64_t at[MAX_RANK];
  intptr_t count; // -1: not known
} integers_t;

static int64_t dense_element(MlirAttribute dense, intptr_t i) {
  MlirType type = mlirShapedTypeGetElementType(mlirAttributeGetType(dense));
  if (mlirTypeIsAIndex(type))
    return (int64_t)mlirDenseElementsAttrGetIndexValue(dense, i);
  switch (mlirIntegerTypeGetWidth(type)) {
  case 64:
    return mlirDenseElementsAttrGetInt64Value(dense, i);
  case 32:
    return mlirDenseElementsAttrGetInt32Value(dense, i);
  default:
    return INT64_MIN;
  }
}

static bool is_integer_type(MlirType type) {
  return mlirTypeIsAIndex(type) ||
         (mlirTypeIsAInteger(type) && (mlirIntegerTypeGetWidth(type) == 64 ||
                                       mlirIntegerTypeGetWidth(type) == 32));
}

static integers_t integers_of(MlirAttribute attribute) {
  integers_t unknown = {{0}, -1}, read = {{0}, 0};
  if (mlirAttributeIsNull(attribute))
    return unknown;
  if (mlirAttributeIsAInteger(attribute)) {
    read.at[read.count++] = mlirIntegerAttrGetValueInt(attribute);
  } else if (mlirAttributeIsADenseI64Array(attribute)) {
    read.count = mlirDenseArrayGetNumElements(attribute);
    for (intptr_t i = 0; i < read.count && i < MAX_RANK; ++i)
      read.at[i] = mlirDenseI64ArrayGetElement(attribute, i);
  } else if (mlirAttributeIsADenseI32Array(attribute)) {
    read.count = mlirDenseArrayGetNumElements(attribute);
    for (intptr_t i = 0; i < read.count && i < MAX_RANK; ++i)
      read.at[i] = mlirDenseI32ArrayGetElement(attribute, i);
  } else if (mlirAttributeIsAArray(attribute)) {
    read.count = mlirArrayAttrGetNumElements(attribute);
    for (intptr_t i = 0; i < read.count && i < MAX_RANK; ++i) {
      MlirAttribute one = mlirArrayAttrGetElement(attribute, i);
      if (!mlirAttributeIsAInteger(one))
        return unknown;
      read.at[i] = mlirIntegerAttrGetValueInt(one);
    }
  } else if (mlirAttributeIsADenseElements(attribute) &&
             is_integer_type(mlirShapedTypeGetElementType(
                 mlirAttributeGetType(attribute)))) {
    read.count = mlirElementsAttrGetNumElements(attribute);
    for (intptr_t i = 0; i < read.count && i < MAX_RANK; ++i)
      read.at[i] = dense_element(attribute, i);
  } else {
    return unknown;
  }
  return read.count > MAX_RANK ? unknown : read;
}

// The integers that operand |number| of |op| is a constant of.
static integers_t integers_of_operand(MlirOperation op, intptr_t number) {
  static const char *const names[] = {"value", "values", "value_int",
                                      "value_ints"};
  integers_t unknown = {{0}, -1};
  MlirValue value = number < mlirOperationGetNumOperands(op)
                        ? mlirOperationGetOperand(op, number)
                        : (MlirValue){NULL};
  if (!value.ptr || !mlirValueIsAOpResult(value))
    return unknown;
  MlirOperation owner = mlirOpResultGetOwner(value);
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    integers_t read = integers_of(attribute_of(owner, names[i]));
    if (read.count >= 0)
      return read;
  }
  return unknown;
}

// |where|: see box_row_t.
static integers_t list_of(MlirOperation op, const char *where, bool rest) {
  if (where[0] != '@')
    return integers_of(attribute_of(op, where));
  if (!rest)
    return integers_of_operand(op, where[1] - '0');
  integers_t all = {{0}, 0};
  for (intptr_t i = where[1] - '0'; i < mlirOperationGetNumOperands(op); ++i) {
    integers_t one = integers_of_operand(op, i);
    if (one.count != 1 || all.count == MAX_RANK)
      return (integers_t){{0}, -1};
    all.at[all.count++] = one.at[0];
  }
  return all;
}

//===--- boxes ------------------------------------------------------------===//

typedef struct box_s {
  intptr_t rank;
  int64_t dims[MAX_RANK]; // of the whole
  int64_t begin[MAX_RANK], size[MAX_RANK], step[MAX_RANK];
} box_t;

static bool is_sized(MlirType type) {
  uint64_t bytes;
  return mlirTypeIsARankedTensor(type) && type_bytes(type, &bytes) &&
         mlirShapedTypeGetRank(type) <= MAX_RANK;
}

// Spreads |list| over the axes it speaks of. A missing list changes nothing.
static bool spread(box_t *box, int64_t *target, integers_t list,
                   const integers_t *axes) {
  if (list.count < 0 || (axes && axes->count != list.count) ||
      (!axes && list.count != box->rank))
    return false;
  for (intptr_t i = 0; i < list.count; ++i) {
    int64_t axis = axes ? axes->at[i] : i;
    axis += axis < 0 ? box->rank : 0;
    if (axis < 0 || axis >= box->rank)
      return false;
    target[axis] = list.at[i];
  }
  return true;
}

// The shape of the box as |part| has it.
static bool read_sizes(box_t *box, const box_row_t *row, MlirType whole,
                       MlirType part, const integers_t *axes) {
  intptr_t rank = mlirShapedTypeGetRank(part), next = 0;
  int64_t dropped = -1;
  if (row->drops && axes && axes->count == 1)
    dropped = axes->at[0] + (axes->at[0] < 0 ? box->rank : 0);
  if (!row->size && rank + (dropped >= 0) != box->rank)
    return false;
  for (intptr_t i = 0; i < box->rank; ++i) {
    box->dims[i] = mlirShapedTypeGetDimSize(whole, i);
    box->step[i] = 1;
    box->size[i] = row->size      ? 0
                   : i == dropped ? 1
                                  : mlirShapedTypeGetDimSize(part, next++);
  }
  return true;
}

// The box by |row|; |part| is the type of the smaller tensor.
static bool read_box(MlirOperation op, const box_row_t *row, MlirType whole,
                     MlirType part, box_t *box) {
  *box = (box_t){.rank = mlirShapedTypeGetRank(whole)};
  integers_t axes = {{0}, -1};
  if (row->axes)
    axes = list_of(op, row->axes, false);
  // Those of tpu-mlir are there or not.
  bool is_named = row->axes && (row->axes[0] == '@' || axes.count > 0);
  const integers_t *named = is_named ? &axes : NULL;
  if (!read_sizes(box, row, whole, part, named))
    return false;
  if (!spread(box, box->begin, list_of(op, row->begin, row->rest), named))
    return false;
  if (row->size && !spread(box, box->size, list_of(op, row->size, false), NULL))
    return false;
  integers_t steps = {{0}, -1};
  if (row->step)
    steps = list_of(op, row->step, false);
  if (steps.count >= 0 && !spread(box, box->step, steps, named))
    return false;
  for (intptr_t i = 0; i < box->rank; ++i) {
    if (box->begin[i] < 0 && box->begin[i] >= -box->dims[i])
      box->begin[i] += box->dims[i];
    // Starts that are computed are moved into the tensor.
    if (row->rest && box->begin[i] > box->dims[i] - box->size[i])
      box->begin[i] = box->dims[i] - box->size[i];
    if (box->begin[i] < 0 || box->size[i] < 0 ||
        box->begin[i] + box->size[i] > box->dims[i])
      return false;
  }
  return true;
}

// Whether the box is one piece of whole bytes; where it begins in *offset.
static bool is_one_piece(const box_t *box, MlirType type, uint64_t *offset) {
  uint64_t all_bytes, elements = 1, first = 0, count = 1;
  type_bytes(type, &all_bytes);
  intptr_t inner = box->rank; // axes from here on are whole
  while (inner > 0 && box->size[inner - 1] == box->dims[inner - 1])
    --inner;
  for (intptr_t i = 0; i < box->rank; ++i) {
    // One axis may be cut, those around it have one element.
    if (i + 1 < inner && box->size[i] != 1)
      return false;
    if (box->step[i] != 1 && box->size[i] > 1)
      return false;
    elements *= (uint64_t)box->dims[i];
    first = first * (uint64_t)box->dims[i] + (uint64_t)box->begin[i];
    count *= (uint64_t)box->size[i];
  }
  if (elements == 0 || count == 0)
    return false;
  if (all_bytes % elements == 0) {
    *offset = first * (all_bytes / elements);
    return true;
  }
  // Elements smaller than a byte: eighths of a byte are enough to know.
  uint64_t bits = 8 * all_bytes / elements;
  *offset = first * bits / 8;
  return first * bits % 8 == 0 && count * bits % 8 == 0 &&
         (all_bytes * 8 == elements * bits);
}

// The result of |op| is a box of elements of whole bytes of operand |whole|.
static bool keep_box(MlirOperation op, intptr_t whole, const box_t *box,
                     semantics_t *does) {
  uint64_t bytes, all, part, elements = 1, count = 1;
  for (intptr_t i = 0; i < box->rank; ++i) {
    if (box->size[i] == 0 || (box->step[i] != 1 && box->size[i] > 1))
      return false;
    does->begin[i] = box->begin[i];
    does->box[i] = box->size[i];
    elements *= (uint64_t)box->size[i];
    count *= (uint64_t)box->dims[i];
  }
  type_bytes(mlirValueGetType(mlirOperationGetOperand(op, whole)), &all);
  type_bytes(mlirValueGetType(mlirOperationGetResult(op, 0)), &part);
  bytes = all / count;
  does->has_box = bytes > 0 && bytes * count == all && bytes * elements == part;
  return does->has_box;
}

// What |row| makes of |op|; plain computing when the part is not one piece.
static void apply_box(MlirOperation op, const box_row_t *row,
                      semantics_t *does) {
  if (mlirOperationGetNumOperands(op) <= row->whole ||
      mlirOperationGetNumResults(op) < 1)
    return;
  MlirType whole = mlirValueGetType(mlirOperationGetOperand(op, row->whole));
  MlirType part =
      mlirValueGetType(row->part < 0 ? mlirOperationGetResult(op, 0)
                                     : mlirOperationGetOperand(op, row->part));
  if (row->part >= 0)
    does->destination = row->whole;
  box_t box;
  uint64_t offset = 0;
  if (!is_sized(whole) || !is_sized(part) ||
      !read_box(op, row, whole, part, &box))
    return;
  bool is_box = row->part < 0 && keep_box(op, row->whole, &box, does);
  does->boxed = !is_one_piece(&box, whole, &offset);
  if (does->boxed && !is_box)
    return;
  does->does = row->part < 0 ? DOES_SLICE : DOES_INSERT;
  does->part = row->part < 0 ? row->whole : row->part;
  does->offset = offset;
  // Begins, ends and steps are no contents, unless they decide the offset: then
  // they are constants.
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && i < 64; ++i)
    if (i != row->whole && i != row->part)
      does->unread |= UINT64_C(1) << i;
}

// Operands are joined along axis |cut|: one behind the other, or in rows.
static void apply_cut(MlirType type, int64_t cut, semantics_t *does) {
  uint64_t bytes, elements = 1;
  int64_t rank = mlirShapedTypeGetRank(type);
  for (int64_t i = 0; i < rank; ++i)
    elements *= (uint64_t)mlirShapedTypeGetDimSize(type, i);
  type_bytes(type, &bytes);
  for (int64_t i = 0; i < cut && i < rank; ++i)
    does->boxed |= mlirShapedTypeGetDimSize(type, i) != 1;
  if (does->boxed && (bytes == 0 || bytes % elements != 0)) {
    does->boxed = false;
    return; // elements smaller than a byte
  }
  does->has_box = bytes > 0 && bytes % elements == 0;
  does->axis = cut;
  does->does = DOES_JOIN;
  does->part = 0;
}

// A concatenation: of operands of one rank, as many bytes as the result.
static void apply_join(MlirOperation op, semantics_t *does) {
  static const char *const names[] = {"dim", "axis", "dimension"};
  if (mlirOperationGetNumResults(op) != 1 ||
      !is_sized(mlirValueGetType(mlirOperationGetResult(op, 0))))
    return;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  int64_t rank = mlirShapedTypeGetRank(type);
  integers_t axis = {{0}, -1};
  for (size_t i = 0; i < sizeof names / sizeof *names && axis.count != 1; ++i)
    axis = integers_of(attribute_of(op, names[i]));
  uint64_t all, sum = 0;
  type_bytes(type, &all);
  for (int64_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType operand = mlirValueGetType(mlirOperationGetOperand(op, i));
    uint64_t bytes = 0;
    if (!is_sized(operand) || mlirShapedTypeGetRank(operand) != rank)
      return;
    type_bytes(operand, &bytes);
    sum += bytes;
  }
  if (axis.count != 1 || sum != all)
    return;
  int64_t cut = axis.at[0] < 0 ? axis.at[0] + rank : axis.at[0];
  apply_cut(type, cut, does);
}

static bool is_set(MlirOperation op, const char *name) {
  MlirAttribute attribute = attribute_of(op, name);
  return !mlirAttributeIsNull(attribute) &&
         !(mlirAttributeIsABool(attribute) && !mlirBoolAttrGetValue(attribute));
}

// Bytes from the start of a tuple to element |number|.
static bool element_offset(MlirType tuple, intptr_t number, uint64_t *offset) {
  uint64_t bytes;
  *offset = 0;
  if (!mlirTypeIsATuple(tuple) || !type_bytes(tuple, &bytes) || number < 0 ||
      number >= mlirTupleTypeGetNumTypes(tuple))
    return false;
  for (intptr_t i = 0; i < number; ++i) {
    type_bytes(mlirTupleTypeGetType(tuple, i), &bytes);
    *offset = (*offset + bytes + TUPLE_ALIGNMENT - 1) / TUPLE_ALIGNMENT *
              TUPLE_ALIGNMENT;
  }
  return true;
}

static void apply_tuple(MlirOperation op, MlirStringRef name,
                        semantics_t *does) {
  uint64_t offset;
  if (is_named(NAMES_TUPLE, name) &&
      element_offset(mlirValueGetType(mlirOperationGetResult(op, 0)), 0,
                     &offset)) {
    does->does = DOES_JOIN;
    does->alignment = TUPLE_ALIGNMENT;
  }
  integers_t index = integers_of(attribute_of(op, "index"));
  if (is_named(NAMES_ELEMENT, name) && index.count == 1 &&
      element_offset(mlirValueGetType(mlirOperationGetOperand(op, 0)),
                     (intptr_t)index.at[0], &offset)) {
    does->does = DOES_SLICE;
    does->offset = offset;
  }
}

//===--- element by element -----------------------------------------------===//

// The innermost axis before |axis| that has not one element, or -1.
static int64_t next_axis(MlirType type, int64_t axis) {
  do
    --axis;
  while (axis >= 0 && mlirShapedTypeGetDimSize(type, axis) == 1);
  return axis;
}

// Whether operand and result have one shape and elements of one size, so that
// element i is at one place in both.
static bool is_alike(MlirOperation op, intptr_t operand, intptr_t result) {
  MlirType from = mlirValueGetType(mlirOperationGetOperand(op, operand));
  MlirType to = mlirValueGetType(mlirOperationGetResult(op, result));
  uint64_t from_bytes, to_bytes;
  if (!mlirTypeIsARankedTensor(from) || !mlirTypeIsARankedTensor(to) ||
      !type_bytes(from, &from_bytes) || !type_bytes(to, &to_bytes) ||
      from_bytes != to_bytes)
    return false;
  // Axes of one element change nothing.
  int64_t left = next_axis(from, mlirShapedTypeGetRank(from)),
          right = next_axis(to, mlirShapedTypeGetRank(to));
  while (left >= 0 && right >= 0 &&
         mlirShapedTypeGetDimSize(from, left) ==
             mlirShapedTypeGetDimSize(to, right)) {
    left = next_axis(from, left);
    right = next_axis(to, right);
  }
  return left < 0 && right < 0;
}

static MlirAffineMap map_at(MlirAttribute maps, intptr_t i) {
  return mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
}

// Whether all loops of a linalg op are parallel.
static bool is_all_parallel(MlirOperation op) {
  MlirAttribute loops = attribute_of(op, "iterator_types");
  if (mlirAttributeIsNull(loops) || !mlirAttributeIsAArray(loops))
    return false;
  MlirAttribute parallel = mlirAttributeParseGet(
      mlirOperationGetContext(op),
      mlirStringRefCreateFromCString("#linalg.iterator_type<parallel>"));
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(loops); ++i)
    if (!mlirAttributeEqual(mlirArrayAttrGetElement(loops, i), parallel))
      return false;
  return true;
}

// Whether the maps agree on every element of a value of |type|. On an axis of
// one element all indexes are 0.
static bool indexes_alike(MlirAffineMap a, MlirAffineMap b, MlirType type) {
  intptr_t rank = mlirAffineMapGetNumResults(b);
  if (mlirAffineMapEqual(a, b))
    return true;
  if (mlirAffineMapGetNumResults(a) != rank || !mlirTypeIsARankedTensor(type) ||
      mlirShapedTypeGetRank(type) != rank)
    return false;
  for (intptr_t i = 0; i < rank; ++i) {
    MlirAffineExpr index = mlirAffineMapGetResult(a, i);
    bool is_first = mlirAffineExprIsAConstant(index) &&
                    mlirAffineConstantExprGetValue(index) == 0 &&
                    mlirShapedTypeGetDimSize(type, i) == 1;
    if (!is_first && !mlirAffineExprEqual(index, mlirAffineMapGetResult(b, i)))
      return false;
  }
  return true;
}

// The operands that are indexed as result |number| is, each element once.
static uint64_t elementwise_by_maps(MlirOperation op, intptr_t number) {
  MlirAttribute maps = attribute_of(op, "indexing_maps");
  intptr_t count = mlirOperationGetNumOperands(op);
  intptr_t output = count - mlirOperationGetNumResults(op) + number;
  uint64_t mask = 0;
  if (mlirAttributeIsNull(maps) || mlirArrayAttrGetNumElements(maps) != count ||
      output < 0 || !mlirAffineMapIsPermutation(map_at(maps, output)))
    return 0;
  for (intptr_t i = 0; i < count && i < 64; ++i)
    if (indexes_alike(map_at(maps, i), map_at(maps, output),
                      mlirValueGetType(mlirOperationGetResult(op, number))) &&
        is_alike(op, i, number))
      mask |= UINT64_C(1) << i;
  return mask;
}

static uint64_t alike_operands(MlirOperation op) {
  uint64_t mask = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && i < 64; ++i)
    if (is_alike(op, i, 0))
      mask |= UINT64_C(1) << i;
  return mask;
}

//===--- reordering -------------------------------------------------------===//

// The number that a row-major walk through |to| gives each element of |from| is
// the same as the one it has there: walked through, element by element.
// |where|: by axis of |to|, the axis of |from|, -1 for none.
static bool is_same_walk(MlirType from, MlirType to, const intptr_t *where) {
  int64_t index[MAX_RANK] = {0}, count = 1;
  intptr_t rank = mlirShapedTypeGetRank(to),
           inner = mlirShapedTypeGetRank(from);
  for (intptr_t i = 0; i < rank; ++i)
    count *= mlirShapedTypeGetDimSize(to, i);
  // Two elements per axis are enough: what moves, moves one of them.
  for (int64_t step = 0; step < INT64_C(1) << rank; ++step) {
    int64_t there = 0, here = 0, source[MAX_RANK] = {0};
    for (intptr_t i = 0; i < rank; ++i) {
      index[i] = step >> i & 1 ? mlirShapedTypeGetDimSize(to, i) - 1 : 0;
      there = there * mlirShapedTypeGetDimSize(to, i) + index[i];
      if (where[i] >= 0)
        source[where[i]] =
            mlirShapedTypeGetDimSize(from, where[i]) == 1 ? 0 : index[i];
    }
    for (intptr_t i = 0; i < inner; ++i)
      here = here * mlirShapedTypeGetDimSize(from, i) + source[i];
    if (here != there)
      return false;
  }
  return count > 0;
}

// Where each axis of the result comes from; false when it is not known.
static bool find_axes(MlirOperation op, MlirStringRef name, intptr_t from,
                      intptr_t to, intptr_t *where) {
  static const char *const lists[] = {"permutation", "perms", "perm", "order"};
  integers_t list = {{0}, -1};
  for (intptr_t i = 0; i < to; ++i)
    where[i] = is_named(NAMES_EXPAND, name) ? i - (to - from) : i;
  if (is_named(NAMES_SWAP, name)) {
    integers_t a = integers_of(attribute_of(op, "dim0"));
    integers_t b = integers_of(attribute_of(op, "dim1"));
    a = a.count == 1 ? a : integers_of_operand(op, 1);
    b = b.count == 1 ? b : integers_of_operand(op, 2);
    if (a.count != 1 || b.count != 1)
      return false;
    int64_t left = a.at[0] + (a.at[0] < 0 ? to : 0);
    int64_t right = b.at[0] + (b.at[0] < 0 ? to : 0);
    if (left < 0 || right < 0 || left >= to || right >= to)
      return false;
    where[left] = (intptr_t)right;
    where[right] = (intptr_t)left;
    return true;
  }
  if (is_named(NAMES_EXPAND, name)) {
    list = integers_of(attribute_of(op, "broadcast_dimensions"));
    bool is_list = memcmp(name.data, "ttir.", 5) != 0 && list.count == from;
    for (intptr_t i = 0; i < to && is_list; ++i)
      where[i] = -1;
    for (intptr_t i = 0; i < from && is_list; ++i)
      if (list.at[i] >= 0 && list.at[i] < to)
        where[list.at[i]] = i;
    return true;
  }
  for (size_t i = 0; i < sizeof lists / sizeof *lists && list.count < 0; ++i)
    list = integers_of(attribute_of(op, lists[i]));
  for (intptr_t i = 0; i < to; ++i) {
    where[i] = list.count < 0 ? to - 1 - i : (intptr_t)list.at[i];
    if (where[i] < 0 || where[i] >= from)
      return false;
  }
  return list.count < 0 || list.count == to;
}

// An op that only names axes anew is a view.
static void apply_reorder(MlirOperation op, MlirStringRef name,
                          semantics_t *does) {
  intptr_t where[MAX_RANK];
  if (!(is_named(NAMES_PERMUTE, name) || is_named(NAMES_SWAP, name) ||
        is_named(NAMES_EXPAND, name)) ||
      mlirOperationGetNumOperands(op) == 0 ||
      mlirOperationGetNumResults(op) != 1)
    return;
  MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType to = mlirValueGetType(mlirOperationGetResult(op, 0));
  uint64_t from_bytes, to_bytes;
  if (!is_sized(from) || !is_sized(to) || !type_bytes(from, &from_bytes) ||
      !type_bytes(to, &to_bytes) || from_bytes != to_bytes ||
      !mlirTypeEqual(mlirShapedTypeGetElementType(from),
                     mlirShapedTypeGetElementType(to)) ||
      !find_axes(op, name, mlirShapedTypeGetRank(from),
                 mlirShapedTypeGetRank(to), where))
    return;
  if (is_same_walk(from, to, where))
    does->does = DOES_VIEW;
}

typedef struct start_s {
  char text[12];
  size_t length;
} start_t;

static void take_start(MlirStringRef text, void *user) {
  start_t *start = user;
  for (size_t i = 0; i < text.length; ++i)
    if (start->length + 1 < sizeof start->text)
      start->text[start->length++] = text.data[i];
}

// Whether tensors of |type| have an order of elements of their own: an encoding
// that is no address and no bound.
static bool has_own_order(MlirType type) {
  MlirAttribute encoding = mlirTypeIsARankedTensor(type)
                               ? mlirRankedTensorTypeGetEncoding(type)
                               : (MlirAttribute){NULL};
  if (mlirAttributeIsNull(encoding) || mlirAttributeIsAInteger(encoding))
    return false;
  start_t start = {"", 0};
  mlirAttributePrint(encoding, take_start, &start);
  return strncmp(start.text, "#stablehlo.", 11) != 0 &&
         strncmp(start.text, "#mhlo.", 6) != 0;
}

static bool is_tpu_reshape(MlirStringRef name) {
  return mlirStringRefEqual(name,
                            mlirStringRefCreateFromCString("tpu.Reshape"));
}

// A reshape or cast from one order or scale to another one is no view, nor is
// one that takes a buffer.
static bool changes_order(MlirOperation op, MlirStringRef name) {
  if (mlirOperationGetNumOperands(op) == 0 ||
      mlirOperationGetNumResults(op) == 0)
    return false;
  MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType to = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (!mlirTypeIsARankedTensor(from) || !mlirTypeIsARankedTensor(to))
    return false;
  MlirType old = mlirShapedTypeGetElementType(from);
  MlirType new = mlirShapedTypeGetElementType(to);
  if (mlirTypeIsAQuantizedType(old) && mlirTypeIsAQuantizedType(new) &&
      !mlirTypeEqual(old, new))
    return true;
  if (is_tpu_reshape(name) && mlirOperationGetNumOperands(op) > 1 &&
      mlirTypeIsAShaped(mlirValueGetType(mlirOperationGetOperand(op, 1))))
    return true;
  if (!has_own_order(from) && !has_own_order(to))
    return false;
  bool differs = !mlirAttributeEqual(mlirRankedTensorTypeGetEncoding(from),
                                     mlirRankedTensorTypeGetEncoding(to)) ||
                 mlirShapedTypeGetRank(from) != mlirShapedTypeGetRank(to);
  for (int64_t i = 0; !differs && i < mlirShapedTypeGetRank(from); ++i)
    differs =
        mlirShapedTypeGetDimSize(from, i) != mlirShapedTypeGetDimSize(to, i);
  return differs;
}

//===--- linalg -----------------------------------------------------------===//

// The outs whose elements the body does not look at.
static uint64_t unread_outs(MlirOperation op, intptr_t first) {
  uint64_t mask = 0;
  MlirBlock body = mlirOperationGetNumRegions(op) == 1
                       ? mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0))
                       : (MlirBlock){NULL};
  intptr_t count = mlirOperationGetNumOperands(op);
  if (mlirBlockIsNull(body) || mlirBlockGetNumArguments(body) != count)
    return 0;
  for (intptr_t i = first; i < count && i < 64; ++i)
    if (mlirOpOperandIsNull(
            mlirValueGetFirstUse(mlirBlockGetArgument(body, i))))
      mask |= UINT64_C(1) << i;
  return mask;
}

static bool has_prefix(MlirStringRef name, const char *prefix) {
  size_t length = strlen(prefix);
  return name.length >= length && memcmp(name.data, prefix, length) == 0;
}

static bool is_op(MlirStringRef name, const char *wanted) {
  return mlirStringRefEqual(name, mlirStringRefCreateFromCString(wanted));
}

// linalg on tensors: the results are made in the last operands.
static void apply_linalg(MlirOperation op, MlirStringRef name,
                         semantics_t *does) {
  intptr_t results = mlirOperationGetNumResults(op);
  intptr_t first = mlirOperationGetNumOperands(op) - results;
  does->opaque = true;
  if (results == 0 || first < 0)
    return;
  does->destination = (int32_t)first;
  does->unread = unread_outs(op, first);
  if (is_op(name, "linalg.transpose") || is_op(name, "linalg.broadcast") ||
      is_op(name, "linalg.map"))
    does->unread |= first < 64 ? UINT64_C(1) << first : 0;
  if ((is_op(name, "linalg.generic") && is_all_parallel(op)) ||
      is_op(name, "linalg.elementwise"))
    for (intptr_t i = 0; i < ELEMENTWISE_RESULTS && i < results; ++i)
      does->elementwise[i] = elementwise_by_maps(op, i);
}

//===--- what tests say ---------------------------------------------------===//

static const char *const kind_names[] = {
    [DOES_COMPUTE] = "compute", [DOES_WEIGHT] = "weight",
    [DOES_VIEW] = "view",       [DOES_SLICE] = "slice",
    [DOES_JOIN] = "join",       [DOES_INSERT] = "insert",
    [DOES_EMPTY] = "empty",     [DOES_NOTHING] = "nothing",
    [DOES_INPUT] = "input",     [DOES_CHOOSE] = "choose",
    [DOES_FOR] = "for",         [DOES_WHILE] = "while",
    [DOES_TEST] = "test",
};

static uint64_t mask_of(MlirOperation op, const char *name) {
  MlirAttribute attribute = attribute_of(op, name);
  uint64_t mask = 0;
  if (mlirAttributeIsNull(attribute))
    return 0;
  if (mlirAttributeIsAUnit(attribute))
    return UINT64_MAX;
  integers_t list = integers_of(attribute);
  for (intptr_t i = 0; i < list.count; ++i)
    mask |= UINT64_C(1) << list.at[i];
  return mask;
}

// test.begin: where a slice begins along each axis; test.axis: of a
// join; test.strided: the op takes strides.
static void apply_test_box(MlirOperation op, semantics_t *does) {
  integers_t begin = integers_of(attribute_of(op, "test.begin"));
  integers_t axis = integers_of(attribute_of(op, "test.axis"));
  does->takes_strides = !mlirAttributeIsNull(attribute_of(op, "test.strided"));
  if (axis.count == 1)
    apply_cut(mlirValueGetType(mlirOperationGetResult(op, 0)), axis.at[0],
              does);
  if (begin.count <= 0)
    return;
  MlirType whole = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType part = mlirValueGetType(mlirOperationGetResult(op, 0));
  box_t box = {.rank = begin.count};
  for (intptr_t i = 0; i < begin.count; ++i) {
    box.begin[i] = begin.at[i];
    box.size[i] = mlirShapedTypeGetDimSize(part, i);
    box.dims[i] = mlirShapedTypeGetDimSize(whole, i);
    box.step[i] = 1;
  }
  (void)keep_box(op, 0, &box, does);
  does->boxed = !is_one_piece(&box, whole, &does->offset);
}

// test.does: a name of above; test.part, test.offset, test.destination:
// integers; test.elementwise, test.unread: lists of operands, or all.
static void apply_test(MlirOperation op, semantics_t *does) {
  MlirAttribute name = attribute_of(op, "test.does");
  if (!mlirAttributeIsNull(name) && mlirAttributeIsAString(name))
    for (size_t i = 0; i < sizeof kind_names / sizeof *kind_names; ++i)
      if (kind_names[i] && is_op(mlirStringAttrGetValue(name), kind_names[i]))
        does->does = (does_t)i;
  integers_t part = integers_of(attribute_of(op, "test.part"));
  integers_t offset = integers_of(attribute_of(op, "test.offset"));
  integers_t destination = integers_of(attribute_of(op, "test.destination"));
  if (part.count == 1)
    does->part = (int32_t)part.at[0];
  if (offset.count == 1)
    does->offset = (uint64_t)offset.at[0];
  if (destination.count == 1)
    does->destination = (int32_t)destination.at[0];
  apply_test_box(op, does);
  does->unread |= mask_of(op, "test.unread");
  does->writes |= mask_of(op, "test.writes");
  if (mlirOperationGetNumResults(op) == 1)
    does->elementwise[0] |=
        mask_of(op, "test.elementwise") & alike_operands(op);
}

// Nothing is left of what is replaced as a whole.
static void judge_insert(MlirOperation op, semantics_t *does) {
  uint64_t part, whole;
  if (does->does == DOES_INSERT && does->destination >= 0 &&
      type_bytes(mlirValueGetType(mlirOperationGetOperand(op, does->part)),
                 &part) &&
      type_bytes(mlirValueGetType(mlirOperationGetResult(op, 0)), &whole) &&
      part == whole)
    does->unread |= UINT64_C(1) << does->destination;
}

//===--- all together -----------------------------------------------------===//

static does_t does_by_name(MlirStringRef name) {
  static const struct {
    name_list_t list;
    does_t does;
  } rows[] = {{NAMES_WEIGHT, DOES_WEIGHT}, {NAMES_VIEW, DOES_VIEW},
              {NAMES_EMPTY, DOES_EMPTY},   {NAMES_NOTHING, DOES_NOTHING},
              {NAMES_INPUT, DOES_INPUT},   {NAMES_CHOOSE, DOES_CHOOSE},
              {NAMES_FOR, DOES_FOR},       {NAMES_WHILE, DOES_WHILE},
              {NAMES_TEST, DOES_TEST}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (is_named(rows[i].list, name))
      return rows[i].does;
  return DOES_COMPUTE;
}

// An op of no known kind whose regions hold neither a place nor a call is one
// of code.
static bool holds_no_place(MlirOperation op);

static MlirWalkResult look_for_place(MlirOperation op, void *user) {
  bool *found = user;
  *found |= !mlirAttributeIsNull(attribute_of(op, "gmem.pool")) ||
            !mlirAttributeIsNull(attribute_of(op, "gmem.block_args")) ||
            !mlirAttributeIsNull(attribute_of(op, "callee"));
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool holds_no_place(MlirOperation op) {
  bool found = !mlirAttributeIsNull(attribute_of(op, "gmem.block_args"));
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op) && !found; ++i)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
         !mlirBlockIsNull(block) && !found;
         block = mlirBlockGetNextInRegion(block))
      for (MlirOperation child = mlirBlockGetFirstOperation(block);
           !mlirOperationIsNull(child) && !found;
           child = mlirOperationGetNextInBlock(child))
        mlirOperationWalk(child, look_for_place, &found, MlirWalkPreOrder);
  return !found;
}

static bool is_last(MlirOperation op) {
  return mlirOperationIsNull(mlirOperationGetNextInBlock(op));
}

semantics_t semantics_of(const program_t *program, const op_t *op) {
  (void)program;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op->op));
  semantics_t does = {
      .does = does_by_name(name), .destination = -1, .alignment = 1};
  intptr_t regions = mlirOperationGetNumRegions(op->op);
  if (mlirOperationGetNumSuccessors(op->op)) {
    does.does = DOES_JUMP;
    return does;
  }
  if (does.does == DOES_VIEW && changes_order(op->op, name))
    does.does = DOES_COMPUTE;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op->op); ++i)
    if (does.does == DOES_WEIGHT &&
        mlirTypeIsAShaped(mlirValueGetType(mlirOperationGetOperand(op->op, i))))
      does.does = DOES_COMPUTE;
  if (is_named(NAMES_ELEMENTWISE, name) ||
      is_named(NAMES_ELEMENTWISE_TOO, name))
    does.elementwise[0] = alike_operands(op->op);
  if (is_named(NAMES_ROWWISE, name) && mlirOperationGetNumResults(op->op))
    does.elementwise[0] |= alike_operands(op->op) & 1;
  apply_reorder(op->op, name, &does);
  if (is_named(NAMES_SHAPE, name))
    does.unread = UINT64_MAX;
  // Of tpu-mlir, those that compute as well are none.
  if (is_named(NAMES_JOIN, name) && !is_set(op->op, "do_relu") &&
      !is_set(op->op, "multipliers") && !is_set(op->op, "rshifts"))
    apply_join(op->op, &does);
  apply_tuple(op->op, name, &does);
  if (is_named(NAMES_WRITES, name) && mlirOperationGetNumResults(op->op) == 0)
    does.writes = 1;
  if (is_named(NAMES_WRITES_SIXTH, name))
    does.writes = 1u << 5;
  if (is_named(NAMES_INTO_FIRST, name))
    does.destination = 0;

  const box_row_t *row = find_box_row(name);
  if (row)
    apply_box(op->op, row, &does);
  if (has_prefix(name, "linalg.") || has_prefix(name, "iree_linalg_ext."))
    apply_linalg(op->op, name, &does);
  if (is_named(NAMES_INTO_SECOND, name))
    does.destination = 1;
  does.lists = is_named(NAMES_LIST, name);
  does.opaque |= is_named(NAMES_GROUP, name) || is_named(NAMES_OPAQUE, name);
  apply_test(op->op, &does);
  judge_insert(op->op, &does);
  if (regions < (does.does == DOES_WHILE || does.does == DOES_TEST) +
                    (does.does >= DOES_CHOOSE))
    does.does = DOES_COMPUTE; // a name that promises regions, without them
  if (does.does == DOES_COMPUTE && regions && !does.opaque) {
    does.opaque = holds_no_place(op->op);
    does.does = does.opaque ? DOES_COMPUTE : DOES_ANYTHING;
  }
  if (does.does == DOES_COMPUTE && !regions && is_last(op->op) &&
      !does.writes && mlirOperationGetNumResults(op->op) == 0)
    does.does = DOES_END;
  return does;
}
