// type_size.c - see type_size.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "type_size.h"

#include <assert.h>
#include <string.h>

#include "annotations.h"
#include "diagnostics.h"
#include "gmem/planner.h"
#include "ir_reading.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Quant.h"
#include "mlir-c/Dialect/SparseTensor.h"
#include "numbers.h"

// Stores a * b in *product; returns false when it exceeds GMEM_MAX_ADDRESS.
static bool multiply(uint64_t a, uint64_t b, uint64_t *product) {
  if (b && a > GMEM_MAX_ADDRESS / b)
    return false;
  *product = a * b;
  return true;
}

//===--- bounds of dynamic dimensions -------------------------------------===//

// Tensors with more axes, or a longer encoding, have no encoded bounds.
enum { MAX_AXES = 32, MAX_ENCODING_TEXT = 1024 };

static const char *skip_spaces(const char *at) { return at + strspn(at, " "); }

// The position after "bounds<" or "bounds = [" in the text of an encoding; NULL
// when there is none. Encodings of other dialects are ignored, as the word may
// mean something else there.
static const char *find_bounds(const char *text) {
  if (strncmp(text, "#stablehlo", 10) != 0 && strncmp(text, "#mhlo", 5) != 0)
    return NULL;
  const char *at = strstr(text, "bounds");
  if (!at || !strchr(".<\" ", at[-1]))
    return NULL;
  at = skip_spaces(at + strlen("bounds"));
  if (*at == '<')
    return at + 1;
  if (*at != '=')
    return NULL;
  at = skip_spaces(at + 1);
  return *at == '[' ? at + 1 : NULL;
}

// Reads one bound: "10", or "?" (older: "-1"), which becomes -1. Returns the
// position after it, or NULL.
static const char *read_bound(const char *at, int64_t *out) {
  at = skip_spaces(at);
  *out = -1;
  if (*at == '?')
    return skip_spaces(at + 1);
  if (strncmp(at, "-1", 2) == 0)
    return skip_spaces(at + 2);
  uint64_t bound;
  if (gmem_read_digits(&at, at + strlen(at), 10, INT64_MAX, &bound) !=
      GMEM_DIGITS_NUMBER)
    return NULL;
  *out = (int64_t)bound;
  return skip_spaces(at);
}

// Reads the bounds in the encoding of a ranked tensor, one per axis, -1 for
// none; returns false unless there is one for every axis.
static bool read_encoding(MlirType type, int64_t *bounds) {
  MlirAttribute encoding = mlirRankedTensorTypeGetEncoding(type);
  char text[MAX_ENCODING_TEXT];
  int64_t rank = mlirShapedTypeGetRank(type);
  if (mlirAttributeIsNull(encoding) || rank > MAX_AXES ||
      !gmem_attribute_text(encoding, text, sizeof text))
    return false;
  const char *at = find_bounds(text);
  for (int64_t i = 0; i < rank && at; ++i) {
    at = read_bound(at, &bounds[i]);
    if (at && i + 1 < rank)
      at = *at == ',' ? at + 1 : NULL;
  }
  return at && (*at == '>' || *at == ']');
}

// The size or upper bound of one axis; false when it has no bound.
static bool bounded_axis(MlirType type, const gmem_type_bounds_t *bounds,
                         int64_t axis, const int64_t *encoded, uint64_t *out) {
  if (!mlirShapedTypeIsDynamicDim(type, axis))
    *out = (uint64_t)mlirShapedTypeGetDimSize(type, axis);
  else if (bounds && bounds->dimensions && bounds->dimensions[axis] >= 0)
    *out = (uint64_t)bounds->dimensions[axis];
  else if (encoded && encoded[axis] >= 0)
    *out = (uint64_t)encoded[axis];
  else if (bounds && bounds->others)
    *out = bounds->others;
  else
    return false;
  return true;
}

// |size| rounded up to a multiple of what the model says of |axis|; its list
// has an entry for each of the last axes.
static uint64_t rounded_axis(const gmem_tensor_form_t *form, int64_t rank,
                             int64_t axis, uint64_t size) {
  int64_t number = form ? axis - rank + (int64_t)form->multiple_count : -1;
  uint64_t multiple = number < 0 ? 1 : (uint64_t)form->multiples[number];
  assert(multiple > 0);
  return size > GMEM_MAX_ADDRESS - multiple
             ? size
             : (size + multiple - 1) / multiple * multiple;
}

// The largest number of elements of a vector, ranked tensor or memref:
// GMEM_TYPE_SIZED, _DYNAMIC or _TOO_LARGE.
static gmem_type_kind_t count_elements(MlirType type,
                                       const gmem_type_bounds_t *bounds,
                                       const gmem_tensor_form_t *form,
                                       uint64_t *count) {
  int64_t encoded[MAX_AXES];
  const int64_t *known = mlirTypeIsARankedTensor(type) &&
                                 !mlirShapedTypeHasStaticShape(type) &&
                                 read_encoding(type, encoded)
                             ? encoded
                             : NULL;
  int64_t rank = mlirShapedTypeGetRank(type);
  bool is_empty = false, is_too_large = false;
  *count = 1;
  for (int64_t i = 0; i < rank; ++i) {
    uint64_t size;
    if (!bounded_axis(type, bounds, i, known, &size))
      return GMEM_TYPE_DYNAMIC;
    is_empty |= size == 0;
    size = rounded_axis(form, rank, i, size);
    is_too_large |= !is_too_large && !multiply(*count, size, count);
  }
  // A dimension of zero makes it empty, even if the other dimensions overflow.
  if (is_empty)
    return *count = 0, GMEM_TYPE_SIZED;
  return is_too_large ? GMEM_TYPE_TOO_LARGE : GMEM_TYPE_SIZED;
}

//===--- sizes ------------------------------------------------------------===//

static uint64_t round_to_power(uint64_t bytes) {
  assert(bytes <= UINT64_C(1) << 63);
  uint64_t power = 1;
  while (power < bytes)
    power *= 2;
  return power;
}

// Bits of an integer, float, index or quantized type; 0 when unknown.
static uint64_t scalar_bits(MlirType type) {
  if (mlirTypeIsAInteger(type))
    return mlirIntegerTypeGetWidth(type);
  if (mlirTypeIsAF32(type)) // most are; others are looked up in an interface
    return 32;
  if (mlirTypeIsAFloat(type))
    return mlirFloatTypeGetWidth(type);
  if (mlirTypeIsAIndex(type))
    return 64;
  if (mlirTypeIsAQuantizedType(type)) {
    MlirType stored = mlirQuantizedTypeGetStorageType(type);
    if (mlirTypeIsNull(stored)) // calibrated: not quantized yet
      stored = mlirQuantizedTypeGetExpressedType(type);
    return mlirTypeIsNull(stored) ? 0 : scalar_bits(stored);
  }
  return 0;
}

uint64_t gmem_element_bits(MlirType type) {
  uint64_t count = 1;
  if (mlirTypeIsAVector(type)) {
    if (mlirVectorTypeIsScalable(type) ||
        count_elements(type, NULL, NULL, &count) != GMEM_TYPE_SIZED)
      return 0;
    type = mlirShapedTypeGetElementType(type);
  } else if (mlirTypeIsAComplex(type)) {
    count = 2;
    type = mlirComplexTypeGetElementType(type);
  }
  uint64_t bits = scalar_bits(type);
  bits = bits > 8 ? round_to_power(bits) : bits;
  return multiply(bits, count, &bits) ? bits : 0;
}

const void *gmem_element_coding(MlirType type) {
  return mlirTypeIsAQuantizedType(type) &&
                 !mlirTypeIsNull(mlirQuantizedTypeGetStorageType(type))
             ? type.ptr
             : NULL;
}

gmem_type_kind_t gmem_packed_size(uint64_t count, uint64_t bits,
                                  uint64_t *out_bytes) {
  uint64_t total;
  *out_bytes = 0;
  if (bits % 8 == 0)
    return multiply(count, bits / 8, out_bytes) ? GMEM_TYPE_SIZED
                                                : GMEM_TYPE_TOO_LARGE;
  if (!multiply(count, bits, &total))
    return GMEM_TYPE_TOO_LARGE;
  *out_bytes = total / 8 + (total % 8 != 0);
  return GMEM_TYPE_SIZED;
}

gmem_type_kind_t gmem_tensor_size(MlirType type,
                                  const gmem_type_bounds_t *bounds,
                                  const gmem_tensor_form_t *form,
                                  uint64_t *out_bytes) {
  uint64_t count;
  *out_bytes = 0;
  gmem_type_kind_t counted = count_elements(type, bounds, form, &count);
  if (counted == GMEM_TYPE_DYNAMIC)
    return counted;
  uint64_t bits = form && form->bits
                      ? form->bits
                      : gmem_element_bits(mlirShapedTypeGetElementType(type));
  if (bits == 0)
    return GMEM_TYPE_UNKNOWN_ELEMENT;
  return counted == GMEM_TYPE_TOO_LARGE
             ? counted
             : gmem_packed_size(count, bits, out_bytes);
}

bool gmem_is_dense_encoding(MlirAttribute encoding) {
  static const char *const known[] = {"#stablehlo.bounds",
                                      "#stablehlo.type_extensions",
                                      "#mhlo.type_extensions"};
  // An integer is an address.
  if (mlirAttributeIsNull(encoding) || mlirAttributeIsAInteger(encoding))
    return true;
  char text[64];
  (void)gmem_attribute_text(encoding, text, sizeof text);
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (strncmp(text, known[i], strlen(known[i])) == 0)
      return true;
  return false;
}

static gmem_type_kind_t ranked_tensor_size(MlirType type,
                                           const gmem_type_bounds_t *bounds,
                                           uint64_t *out_bytes) {
  MlirAttribute encoding = mlirRankedTensorTypeGetEncoding(type);
  if (gmem_attribute_is(encoding, mlirAttributeIsASparseTensorEncodingAttr))
    return GMEM_TYPE_SPARSE;
  if (!gmem_is_dense_encoding(encoding))
    return GMEM_TYPE_ENCODING;
  return gmem_tensor_size(type, bounds, NULL, out_bytes);
}

//===--- memrefs ----------------------------------------------------------===//

// Bits of a scalar that MLIR can lower to LLVM; 0 for other types.
static uint64_t lowered_bits(MlirType type) {
  bool has_lowering = !mlirTypeIsATF32(type) && !mlirTypeIsAQuantizedType(type);
  return has_lowering ? scalar_bits(type) : 0;
}

// LLVM aligns an integer to a power of two of at most 16 bytes. Targets with
// smaller alignments need no more than that.
static uint64_t lowered_scalar_bytes(MlirType type) {
  uint64_t bits = lowered_bits(type);
  uint64_t bytes = bits / 8 + (bits % 8 != 0);
  if (bytes == 0)
    return 0;
  return bytes <= 16 ? round_to_power(bytes) : (bytes + 15) / 16 * 16;
}

// The last axis of a vector is an LLVM vector, which packs its elements bit by
// bit and is aligned to its size.
static uint64_t lowered_row_bytes(MlirType type) {
  uint64_t bits = lowered_bits(mlirShapedTypeGetElementType(type));
  int64_t rank = mlirShapedTypeGetRank(type);
  uint64_t row = rank ? (uint64_t)mlirShapedTypeGetDimSize(type, rank - 1) : 1;
  if (mlirVectorTypeIsScalable(type) || !multiply(bits, row, &bits) || !bits)
    return 0;
  return round_to_power(bits / 8 + (bits % 8 != 0));
}

// A vector of several axes is an array of rows.
static uint64_t lowered_vector_bytes(MlirType type) {
  int64_t rank = mlirShapedTypeGetRank(type);
  uint64_t bytes = lowered_row_bytes(type);
  for (int64_t i = 0; i + 1 < rank; ++i)
    if (!multiply(bytes, (uint64_t)mlirShapedTypeGetDimSize(type, i), &bytes))
      return 0;
  return bytes;
}

// Two pointers and the offset, then a size and a stride per axis.
enum { DESCRIPTOR_BYTES = 24, DESCRIPTOR_AXIS_BYTES = 16 };

uint64_t gmem_memref_element_bytes(MlirType type) {
  if (mlirTypeIsAVector(type))
    return lowered_vector_bytes(type);
  if (mlirTypeIsAComplex(type))
    return 2 * lowered_scalar_bytes(mlirComplexTypeGetElementType(type));
  if (mlirTypeIsAMemRef(type))
    return DESCRIPTOR_BYTES +
           DESCRIPTOR_AXIS_BYTES * (uint64_t)mlirShapedTypeGetRank(type);
  if (mlirTypeIsAUnrankedMemRef(type))
    return 16; // a rank and a pointer to the descriptor
  return lowered_scalar_bytes(type);
}

uint64_t gmem_memref_element_alignment(MlirType type) {
  if (mlirTypeIsAVector(type)) {
    uint64_t row = lowered_row_bytes(type);
    return row ? row : 1;
  }
  if (mlirTypeIsAComplex(type))
    type = mlirComplexTypeGetElementType(type);
  if (gmem_is_memref_type(type))
    return 8;
  uint64_t bytes = lowered_scalar_bytes(type);
  return bytes > 16 ? 16 : bytes ? bytes : 1;
}

// Adds the distance from the first to the last of |count| elements, |stride|
// apart.
static bool add_stride(uint64_t count, int64_t stride, uint64_t *reach) {
  assert(count > 0 && stride >= 0 && *reach <= GMEM_MAX_ADDRESS);
  uint64_t step;
  if (!multiply(count - 1, (uint64_t)stride, &step) ||
      step > GMEM_MAX_ADDRESS - *reach)
    return false;
  *reach += step;
  return true;
}

// The number of elements from the start of the memory to the last one that the
// strides reach. No dimension is 0.
static gmem_type_kind_t strided_extent(MlirType type,
                                       const gmem_type_bounds_t *bounds,
                                       uint64_t *count) {
  int64_t strides[MAX_AXES], offset, rank = mlirShapedTypeGetRank(type);
  bool is_too_large = false;
  if (rank > MAX_AXES ||
      mlirLogicalResultIsFailure(
          mlirMemRefTypeGetStridesAndOffset(type, strides, &offset)))
    return GMEM_TYPE_LAYOUT;
  if (offset < 0) // a dynamic one is negative too
    return GMEM_TYPE_LAYOUT;
  *count = (uint64_t)offset;
  for (int64_t i = 0; i < rank; ++i) {
    uint64_t size = 1;
    (void)bounded_axis(type, bounds, i, NULL, &size); // it has been counted
    if (size > 1 && strides[i] < 0)
      return GMEM_TYPE_LAYOUT;
    is_too_large |=
        size > 1 && !is_too_large && !add_stride(size, strides[i], count);
  }
  if (is_too_large || *count == GMEM_MAX_ADDRESS)
    return GMEM_TYPE_TOO_LARGE;
  ++*count;
  return GMEM_TYPE_SIZED;
}

bool gmem_is_memref_type(MlirType type) {
  return mlirTypeIsAMemRef(type) || mlirTypeIsAUnrankedMemRef(type);
}

gmem_type_kind_t gmem_memref_size(MlirType type,
                                  const gmem_type_bounds_t *bounds,
                                  uint64_t *out_bytes) {
  *out_bytes = 0;
  if (mlirTypeIsAUnrankedMemRef(type))
    return GMEM_TYPE_DYNAMIC;
  if (!mlirTypeIsAMemRef(type))
    return GMEM_TYPE_NO_MEMORY;
  uint64_t count;
  gmem_type_kind_t counted = count_elements(type, bounds, NULL, &count);
  if (counted == GMEM_TYPE_DYNAMIC)
    return counted;
  uint64_t element =
      gmem_memref_element_bytes(mlirShapedTypeGetElementType(type));
  if (element == 0)
    return GMEM_TYPE_UNKNOWN_ELEMENT;
  if (counted == GMEM_TYPE_SIZED && count == 0)
    return GMEM_TYPE_SIZED;
  if (!mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)))
    counted = strided_extent(type, bounds, &count);
  if (counted != GMEM_TYPE_SIZED)
    return counted;
  return multiply(count, element, out_bytes) ? GMEM_TYPE_SIZED
                                             : GMEM_TYPE_TOO_LARGE;
}

//===--- types ------------------------------------------------------------===//

// The size of any type but a tuple.
static gmem_type_kind_t plain_size(MlirType type,
                                   const gmem_type_bounds_t *bounds,
                                   uint64_t *out_bytes) {
  if (mlirTypeIsARankedTensor(type))
    return ranked_tensor_size(type, bounds, out_bytes);
  if (mlirTypeIsAUnrankedTensor(type))
    return GMEM_TYPE_DYNAMIC;
  if (gmem_is_memref_type(type))
    return GMEM_TYPE_MEMREF;
  return GMEM_TYPE_NO_MEMORY;
}

// More deeply nested tuples are not planned.
enum { MAX_TUPLE_DEPTH = 8 };

// Appends an element to |*bytes|; false when the size exceeds GMEM_MAX_ADDRESS.
static bool add_element(uint64_t size, uint64_t *bytes) {
  uint64_t begin = (*bytes + GMEM_TUPLE_ALIGNMENT - 1) / GMEM_TUPLE_ALIGNMENT *
                   GMEM_TUPLE_ALIGNMENT;
  if (begin > GMEM_MAX_ADDRESS || size > GMEM_MAX_ADDRESS - begin)
    return false;
  *bytes = begin + size;
  return true;
}

// The size of the first |count| elements of a tuple. A tuple with a sized
// element must have sized elements only: a token or handle has no memory.
static gmem_type_kind_t tuple_size(MlirType type,
                                   const gmem_type_bounds_t *bounds,
                                   intptr_t count, int depth,
                                   uint64_t *out_bytes) {
  gmem_type_kind_t kind = GMEM_TYPE_NO_MEMORY;
  *out_bytes = 0;
  for (intptr_t i = 0; i < count; ++i) {
    MlirType element = mlirTupleTypeGetType(type, i);
    uint64_t size = 0;
    gmem_type_kind_t one =
        !mlirTypeIsATuple(element) ? plain_size(element, bounds, &size)
        : depth < MAX_TUPLE_DEPTH
            ? tuple_size(element, bounds, mlirTupleTypeGetNumTypes(element),
                         depth + 1, &size)
            : GMEM_TYPE_TUPLE;
    if (one == GMEM_TYPE_TOO_LARGE ||
        (one == GMEM_TYPE_SIZED && !add_element(size, out_bytes)))
      return GMEM_TYPE_TOO_LARGE;
    if ((one != GMEM_TYPE_SIZED && one != GMEM_TYPE_NO_MEMORY) ||
        (i && one != kind))
      kind = GMEM_TYPE_TUPLE;
    else if (i == 0)
      kind = one;
  }
  return kind;
}

gmem_type_kind_t gmem_type_size_within(MlirType type,
                                       const gmem_type_bounds_t *bounds,
                                       uint64_t *out_bytes) {
  *out_bytes = 0;
  if (!mlirTypeIsATuple(type))
    return plain_size(type, bounds, out_bytes);
  // Bounds per axis apply to tensors only.
  gmem_type_bounds_t others = {NULL, bounds ? bounds->others : 0};
  return tuple_size(type, &others, mlirTupleTypeGetNumTypes(type), 1,
                    out_bytes);
}

gmem_type_kind_t gmem_type_size(MlirType type, uint64_t *out_bytes) {
  return gmem_type_size_within(type, NULL, out_bytes);
}

static bool is_dynamic(MlirType type, int depth) {
  if (mlirTypeIsAUnrankedTensor(type))
    return true;
  if (mlirTypeIsARankedTensor(type))
    return !mlirShapedTypeHasStaticShape(type);
  if (!mlirTypeIsATuple(type) || depth > MAX_TUPLE_DEPTH)
    return false;
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
    if (is_dynamic(mlirTupleTypeGetType(type, i), depth + 1))
      return true;
  return false;
}

bool gmem_type_is_dynamic(MlirType type) { return is_dynamic(type, 1); }

bool gmem_tuple_element_offset(MlirType tuple, intptr_t index,
                               const gmem_type_bounds_t *bounds,
                               uint64_t *out_offset) {
  uint64_t bytes;
  gmem_type_bounds_t others = {NULL, bounds ? bounds->others : 0};
  if (!mlirTypeIsATuple(tuple) || index < 0 ||
      index >= mlirTupleTypeGetNumTypes(tuple) ||
      gmem_type_size_within(tuple, bounds, &bytes) != GMEM_TYPE_SIZED)
    return false;
  (void)tuple_size(tuple, &others, index, 1, &bytes);
  *out_offset = (bytes + GMEM_TUPLE_ALIGNMENT - 1) / GMEM_TUPLE_ALIGNMENT *
                GMEM_TUPLE_ALIGNMENT;
  return true;
}

//===--- bounds of values -------------------------------------------------===//

// The entry of gmem.upper_bound for one result; null when absent.
static gmem_status_t bound_of_result(MlirValue value, MlirAttribute *out,
                                     gmem_diag_t *diag) {
  MlirOperation op = mlirOpResultGetOwner(value);
  MlirAttribute all = gmem_op_annotation(op, GMEM_ATTR_UPPER_BOUND);
  *out = all;
  if (mlirAttributeIsNull(all))
    return GMEM_OK;
  if (!mlirAttributeIsAArray(all) ||
      mlirArrayAttrGetNumElements(all) != mlirOperationGetNumResults(op))
    return gmem_bad_annotation(mlirOperationGetLocation(op),
                               GMEM_ATTR_UPPER_BOUND,
                               "an array with one array<i64> per result", diag);
  *out = mlirArrayAttrGetElement(all, mlirOpResultGetResultNumber(value));
  return GMEM_OK;
}

// The same for an argument of a function.
static MlirAttribute bound_of_argument(MlirValue value) {
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  MlirOperation op = mlirBlockGetParentOperation(block);
  if (mlirOperationIsNull(op) || mlirOperationGetNumRegions(op) != 1 ||
      !mlirBlockEqual(block, gmem_entry_block(op)))
    return mlirAttributeGetNull();
  return gmem_argument_annotation(op, mlirBlockArgumentGetArgNumber(value),
                                  GMEM_ATTR_UPPER_BOUND);
}

// Reads the bounds in |list|, one per axis of the tensor or memref |value|.
static gmem_status_t read_list(MlirValue value, MlirAttribute list,
                               gmem_bump_t *arena, const int64_t **out,
                               gmem_diag_t *diag) {
  MlirType type = mlirValueGetType(value);
  assert(mlirTypeIsAShaped(type));
  int64_t rank = mlirShapedTypeGetRank(type);
  bool is_good = mlirAttributeIsADenseI64Array(list) &&
                 mlirDenseArrayGetNumElements(list) == rank;
  int64_t *bounds;
  GMEM_TRY_ALLOC(bounds, arena, (size_t)rank, diag);
  for (int64_t i = 0; i < rank && is_good; ++i) {
    bounds[i] = mlirDenseI64ArrayGetElement(list, i);
    is_good = bounds[i] >= 0 || !mlirShapedTypeIsDynamicDim(type, i);
  }
  *out = bounds;
  return is_good ? GMEM_OK
                 : gmem_bad_annotation(
                       mlirValueGetLocation(value), GMEM_ATTR_UPPER_BOUND,
                       "array<i64> with one element per dimension of the "
                       "tensor, non-negative for dynamic dimensions",
                       diag);
}

gmem_status_t gmem_bounds_read(MlirValue value, uint64_t others,
                               gmem_bump_t *arena,
                               gmem_type_bounds_t *out_bounds,
                               gmem_diag_t *diag) {
  MlirAttribute list = mlirAttributeGetNull();
  *out_bounds = (gmem_type_bounds_t){NULL, others};
  if (mlirShapedTypeHasStaticShape(mlirValueGetType(value)))
    return GMEM_OK;
  if (mlirValueIsABlockArgument(value))
    list = bound_of_argument(value);
  else
    GMEM_TRY(bound_of_result(value, &list, diag));
  return mlirAttributeIsNull(list)
             ? GMEM_OK
             : read_list(value, list, arena, &out_bounds->dimensions, diag);
}
