// padded_layout.c - see padded_layout.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "padded_layout.h"

#include <string.h>

#include "annotations.h"
#include "attribute_codec.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "type_size.h"

static bool read_border(MlirAttribute said, gmem_border_t *out) {
  static const char *const words[] = {"undefined", "constant", "replicate"};
  MlirStringRef word;
  *out = GMEM_BORDER_UNDEFINED;
  if (mlirAttributeIsNull(said))
    return true;
  for (int i = 0; i < 3 && gmem_string_get(said, &word); ++i)
    if (gmem_string_is(word, words[i])) {
      *out = (gmem_border_t)i;
      return true;
    }
  return false;
}

static bool read_list(MlirAttribute padding, const char *key, uint32_t rank,
                      int64_t *out) {
  MlirAttribute list =
      mlirDictionaryAttrGetElementByName(padding, gmem_string(key));
  if (mlirAttributeIsNull(list)) // nothing on this side
    return true;
  if (!gmem_is_i64_list(list, (intptr_t)rank))
    return false;
  for (uint32_t i = 0; i < rank; ++i) {
    out[i] = mlirDenseI64ArrayGetElement(list, (intptr_t)i);
    if (out[i] < 0)
      return false;
  }
  return true;
}

// Reads the sizes, and the bytes of an element.
static bool read_shape(MlirType type, gmem_padded_layout_t *out) {
  uint64_t bytes, count = 1;
  if (!mlirTypeIsARankedTensor(type) || !mlirShapedTypeHasStaticShape(type) ||
      !gmem_is_dense_encoding(mlirRankedTensorTypeGetEncoding(type)) ||
      mlirShapedTypeGetRank(type) > GMEM_LAYOUT_MOST_DIMENSIONS ||
      gmem_type_size(type, &bytes) != GMEM_TYPE_SIZED || bytes == 0)
    return false;
  out->rank = (uint32_t)mlirShapedTypeGetRank(type);
  for (uint32_t i = 0; i < out->rank; ++i) {
    out->sizes[i] = mlirShapedTypeGetDimSize(type, i);
    count *= (uint64_t)out->sizes[i]; // at most |bytes|, times 8
  }
  out->element = bytes / count;
  return out->element > 0 && bytes % count == 0;
}

// Whether it states a side, and nothing unknown.
static bool has_known_keys(MlirAttribute padding) {
  static const char *const keys[] = {"before", "after", "border"};
  intptr_t sides = 0, known = 0;
  for (int i = 0; i < 3; ++i) {
    bool is_there = !mlirAttributeIsNull(
        mlirDictionaryAttrGetElementByName(padding, gmem_string(keys[i])));
    known += is_there;
    sides += is_there && i < 2;
  }
  return sides > 0 && known == mlirDictionaryAttrGetNumElements(padding);
}

// Computes strides and bytes; false if they do not fit.
static bool measure(gmem_padded_layout_t *layout) {
  int64_t count = 1, lead = 0, last = 0, extent, side, whole, bytes;
  for (uint32_t i = layout->rank; i-- > 0;) {
    layout->strides[i] = count;
    if (__builtin_mul_overflow(layout->before[i], count, &side) ||
        __builtin_add_overflow(lead, side, &lead) ||
        __builtin_mul_overflow(layout->sizes[i] - 1, count, &extent) ||
        __builtin_add_overflow(last, extent, &last) ||
        __builtin_add_overflow(layout->sizes[i], layout->before[i], &whole) ||
        __builtin_add_overflow(whole, layout->after[i], &whole) ||
        __builtin_mul_overflow(count, whole, &count))
      return false;
  }
  if (__builtin_mul_overflow(count, (int64_t)layout->element, &bytes))
    return false;
  layout->lead = (uint64_t)lead * layout->element;
  layout->span = ((uint64_t)last + 1) * layout->element;
  layout->tail = (uint64_t)bytes - layout->lead - layout->span;
  return true;
}

//===--- strides ----------------------------------------------------------===//

enum { STRIDES_KEYS = 4 };

static bool read_number(MlirAttribute from, const char *key, int64_t *out) {
  return gmem_i64_get(
      mlirDictionaryAttrGetElementByName(from, gmem_string(key)), out);
}

// Whether the elements are in their columns, and these in the buffer. Sets the
// width.
static bool fit_columns(const gmem_padded_layout_t *layout,
                        gmem_strides_t *view) {
  int64_t width = 1, rows = 0, extent, last;
  for (uint32_t i = 0; i < layout->rank; ++i) {
    bool is_row = view->strides[i] >= view->pitch;
    if (view->strides[i] < 1 ||
        (is_row && view->strides[i] % view->pitch != 0) ||
        __builtin_mul_overflow(layout->sizes[i] - 1, view->strides[i],
                               &extent) ||
        __builtin_add_overflow(is_row ? rows : width, extent,
                               is_row ? &rows : &width))
      return false;
  }
  view->width = width;
  return width <= view->pitch && view->first <= view->pitch - width &&
         !__builtin_add_overflow(rows, view->first + width, &last) &&
         last <= view->size;
}

static bool read_strides(MlirAttribute from, gmem_padded_layout_t *layout) {
  gmem_strides_t *view = &layout->view;
  int64_t bytes;
  view->rank = layout->rank;
  if (mlirDictionaryAttrGetNumElements(from) != STRIDES_KEYS ||
      !read_number(from, "first", &view->first) || view->first < 0 ||
      !read_number(from, "pitch", &view->pitch) || view->pitch < 1 ||
      !read_number(from, "size", &view->size) ||
      !read_list(from, "strides", layout->rank, view->strides) ||
      !fit_columns(layout, view) ||
      __builtin_mul_overflow(view->size, (int64_t)layout->element, &bytes))
    return false;
  memcpy(layout->strides, view->strides, sizeof layout->strides);
  layout->span = (uint64_t)bytes;
  return true;
}

static gmem_layout_kind_t strided_layout_of(MlirValue value,
                                            gmem_padded_layout_t *out) {
  if (!mlirValueIsAOpResult(value))
    return GMEM_LAYOUT_DENSE;
  MlirOperation op = mlirOpResultGetOwner(value);
  MlirAttribute all = gmem_op_annotation(op, GMEM_ATTR_STRIDES);
  if (mlirAttributeIsNull(all))
    return GMEM_LAYOUT_DENSE;
  MlirAttribute from = gmem_value_annotation(value, GMEM_ATTR_STRIDES);
  if (!gmem_attribute_is(from, mlirAttributeIsADictionary) ||
      mlirArrayAttrGetNumElements(all) != mlirOperationGetNumResults(op))
    return GMEM_LAYOUT_MALFORMED;
  if (mlirDictionaryAttrGetNumElements(from) == 0)
    return GMEM_LAYOUT_DENSE;
  memset(out, 0, sizeof *out);
  return read_shape(mlirValueGetType(value), out) && read_strides(from, out)
             ? GMEM_LAYOUT_STRIDED
             : GMEM_LAYOUT_MALFORMED;
}

MlirAttribute gmem_strides_attribute(MlirContext context,
                                     const gmem_strides_t *strides) {
  MlirType i64 = mlirIntegerTypeGet(context, 64);
  if (!strides)
    return mlirDictionaryAttrGet(context, 0, NULL);
  const struct {
    const char *key;
    MlirAttribute value;
  } all[STRIDES_KEYS] = {
      {"first", mlirIntegerAttrGet(i64, strides->first)},
      {"pitch", mlirIntegerAttrGet(i64, strides->pitch)},
      {"size", mlirIntegerAttrGet(i64, strides->size)},
      {"strides",
       mlirDenseI64ArrayGet(context, strides->rank, strides->strides)}};
  MlirNamedAttribute entries[STRIDES_KEYS];
  for (int i = 0; i < STRIDES_KEYS; ++i)
    entries[i] = mlirNamedAttributeGet(
        mlirIdentifierGet(context, gmem_string(all[i].key)), all[i].value);
  return mlirDictionaryAttrGet(context, STRIDES_KEYS, entries);
}

//===--- all --------------------------------------------------------------===//

bool gmem_dense_layout_of(MlirValue value, gmem_padded_layout_t *out) {
  memset(out, 0, sizeof *out);
  return read_shape(mlirValueGetType(value), out) && measure(out);
}

gmem_layout_kind_t gmem_padded_layout_of(MlirValue value,
                                         gmem_padded_layout_t *out) {
  MlirAttribute padding = gmem_value_annotation(value, GMEM_ATTR_PADDING);
  if (!gmem_attribute_is(padding, mlirAttributeIsADictionary))
    return strided_layout_of(value, out);
  memset(out, 0, sizeof *out);
  bool is_good =
      has_known_keys(padding) && read_shape(mlirValueGetType(value), out) &&
      read_list(padding, "before", out->rank, out->before) &&
      read_list(padding, "after", out->rank, out->after) &&
      read_border(
          mlirDictionaryAttrGetElementByName(padding, gmem_string("border")),
          &out->border) &&
      measure(out);
  return is_good ? GMEM_LAYOUT_PADDED : GMEM_LAYOUT_MALFORMED;
}

// Whether the first |count| numbers are the same.
static bool are_equal(const int64_t *left, const int64_t *right,
                      uint32_t count) {
  return count == 0 || memcmp(left, right, count * sizeof *left) == 0;
}

bool gmem_strides_equal(const gmem_strides_t *left,
                        const gmem_strides_t *right) {
  return left->rank == right->rank && left->first == right->first &&
         left->width == right->width && left->pitch == right->pitch &&
         left->size == right->size &&
         are_equal(left->strides, right->strides, left->rank);
}

bool gmem_padded_layouts_equal(MlirValue left, MlirValue right) {
  gmem_padded_layout_t a, b;
  gmem_layout_kind_t kind = gmem_padded_layout_of(left, &a);
  if (kind != gmem_padded_layout_of(right, &b) || kind == GMEM_LAYOUT_MALFORMED)
    return false;
  // Borders may differ: it is the kernels that see to them.
  return kind == GMEM_LAYOUT_DENSE ||
         (a.rank == b.rank && a.element == b.element &&
          are_equal(a.sizes, b.sizes, a.rank) &&
          are_equal(a.before, b.before, a.rank) &&
          are_equal(a.after, b.after, a.rank) &&
          gmem_strides_equal(&a.view, &b.view));
}
