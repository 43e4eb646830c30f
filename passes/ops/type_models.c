// type_models.c - see type_models.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "type_models.h"

#include <assert.h>
#include <string.h>

#include "annotations.h"
#include "attribute_codec.h"
#include "gmem/planner.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "numbers.h"
#include "padded_layout.h"

enum { MAX_TEXT = 512, MAX_DIMENSIONS = 32 };

//===--- models -----------------------------------------------------------===//

// Whether |text| is |name|, or |name| with parameters.
static bool begins_with(const char *text, const char *name) {
  size_t length = strlen(name);
  return strncmp(text, name, length) == 0 &&
         (name[length - 1] == '>' || strchr("<", text[length]) != NULL);
}

static bool is_builtin(MlirType type) {
  MlirDialect dialect = mlirTypeGetDialect(type);
  return gmem_string_is(mlirDialectGetNamespace(dialect), "builtin");
}

static bool print_type(MlirType type, char *text) {
  gmem_printed_t out = {text, MAX_TEXT, 0, false};
  text[0] = '\0';
  mlirTypePrint(type, gmem_print_into, &out);
  return !out.is_cut;
}

static bool is_of_dialect(MlirType type) {
  return !is_builtin(type) || mlirTypeIsAOpaque(type);
}

// The innermost model of the type, or NULL. |text|: its printed form.
static const gmem_type_model_t *find_model(const gmem_op_models_t *models,
                                           MlirType type, const char *text) {
  char encoding[MAX_TEXT] = "";
  if (mlirTypeIsARankedTensor(type)) {
    MlirAttribute attribute = mlirRankedTensorTypeGetEncoding(type);
    if (mlirAttributeIsNull(attribute) ||
        !gmem_attribute_text(attribute, encoding, sizeof encoding))
      return NULL;
  }
  for (; models; models = models->outer)
    for (size_t i = 0; i < models->type_count; ++i) {
      const gmem_type_model_t *model = &models->types[i];
      if (model->type ? encoding[0] == '\0' && begins_with(text, model->type)
                      : encoding[0] && begins_with(encoding, model->encoding))
        return model;
    }
  return NULL;
}

//===--- types of other dialects ------------------------------------------===//

// Bits of the element type that |text| begins with: "f32", "bf16", "si8",
// "index", "complex<f32>"; 0 when unknown.
static uint64_t element_bits(const char *text) {
  static const char *const prefixes[] = {"bf", "tf", "f", "si", "ui", "i"};
  if (strncmp(text, "complex<", 8) == 0) {
    uint64_t half = element_bits(text + 8);
    return half > UINT64_MAX / 2 ? 0 : 2 * half;
  }
  if (strncmp(text, "index", 5) == 0)
    return 64;
  if (strncmp(text, "tf32", 4) == 0)
    return 32; // as wide as f32 in memory
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; ++i) {
    size_t length = strlen(prefixes[i]);
    const char *at = text + length;
    uint64_t bits;
    if (strncmp(text, prefixes[i], length) == 0 &&
        gmem_read_digits(&at, at + strlen(at), 10, 1 << 20, &bits) ==
            GMEM_DIGITS_NUMBER)
      return bits;
  }
  return 0;
}

// Elements wider than a byte take a power of two bytes, as in gmem_type_size.
static uint64_t stored_bits(uint64_t bits) {
  uint64_t power = 8;
  while (power < bits)
    power *= 2;
  return bits > 8 ? power : bits;
}

typedef struct dimensions_s {
  uint64_t at[MAX_DIMENSIONS];
  size_t count;
} dimensions_t;

// Reads a dimension and |after| it; returns the position behind, or NULL.
static const char *read_dimension(const char *at, const char *after,
                                  dimensions_t *out) {
  at += strspn(at, " ");
  if (out->count == MAX_DIMENSIONS ||
      gmem_read_digits(&at, at + strlen(at), 10, INT64_MAX,
                       &out->at[out->count]) != GMEM_DIGITS_NUMBER)
    return NULL;
  ++out->count;
  return *at && strchr(after, *at) ? at : NULL;
}

// Reads "16x64xi8" or "[1,64],f32"; returns the position of the element type,
// or NULL: the text has another form, or a dimension is unknown.
static const char *read_shape(const char *at, dimensions_t *out) {
  out->count = 0;
  if (*at != '[') {
    while (at && *at >= '0' && *at <= '9')
      if ((at = read_dimension(at, "x", out)))
        ++at;
    return at;
  }
  ++at;
  while (at && *at != ']') {
    at = read_dimension(at, ",]", out);
    at += at && *at == ',';
  }
  return at && at[1] == ',' ? at + 2 + strspn(at + 2, " ") : NULL;
}

// The parameters in the printed form of a type, or "".
static const char *parameters_of(const char *text) {
  const char *parameters = strchr(text, '<');
  return parameters ? parameters + 1 : "";
}

// Whether a later one of the parameters |text| begins with a shape and an
// element type, too: the type is of several tensors, and the first says nothing
// of the others.
static bool has_several_shapes(const char *text) {
  dimensions_t shape;
  const char *at = read_shape(text, &shape);
  int depth = 0;
  for (; at && *at && depth >= 0; ++at) {
    depth += strchr("<([{", *at) != NULL;
    depth -= strchr(">)]}", *at) != NULL;
    if (depth != 0 || *at != ',')
      continue;
    const char *element = read_shape(at + 1 + strspn(at + 1, " "), &shape);
    if (element && shape.count && element_bits(element))
      return true;
  }
  return false;
}

// The size of a type of another dialect whose parameters are |text|.
static gmem_type_kind_t dialect_type_size(const gmem_type_model_t *model,
                                          const char *text,
                                          uint64_t *out_bytes) {
  dimensions_t shape;
  const char *element = read_shape(text, &shape);
  if (!element)
    return GMEM_TYPE_DYNAMIC;
  uint64_t count = 1,
           bits = model->form.bits ? model->form.bits : element_bits(element);
  bool is_empty = false, is_too_large = false;
  if (bits == 0)
    return GMEM_TYPE_UNKNOWN_ELEMENT;
  for (size_t i = 0; i < shape.count; ++i) {
    size_t left = shape.count - i, known = model->form.multiple_count;
    uint64_t multiple =
        left > known ? 1 : (uint64_t)model->form.multiples[known - left];
    uint64_t size = shape.at[i];
    is_empty |= size == 0;
    if (size > GMEM_MAX_ADDRESS - multiple)
      is_too_large = true;
    else
      size = (size + multiple - 1) / multiple * multiple;
    is_too_large |= size && count > GMEM_MAX_ADDRESS / size;
    count = is_too_large ? 1 : count * size;
  }
  if (is_empty)
    return GMEM_TYPE_SIZED;
  return is_too_large
             ? GMEM_TYPE_TOO_LARGE
             : gmem_packed_size(count,
                                model->form.bits ? bits : stored_bits(bits),
                                out_bytes);
}

gmem_type_kind_t gmem_modelled_size(const gmem_op_models_t *models,
                                    MlirType type,
                                    const gmem_type_bounds_t *bounds,
                                    uint64_t *out_bytes) {
  gmem_type_kind_t kind = gmem_type_size_within(type, bounds, out_bytes);
  bool is_dialect = kind == GMEM_TYPE_NO_MEMORY && is_of_dialect(type);
  char text[MAX_TEXT] = "";
  if (!is_dialect && kind != GMEM_TYPE_ENCODING)
    return kind;
  if (is_dialect && !print_type(type, text))
    return kind;
  const gmem_type_model_t *model = find_model(models, type, text);
  if (!model || model->is_none)
    return kind;
  if (!is_dialect)
    return gmem_tensor_size(type, bounds, &model->form, out_bytes);
  return has_several_shapes(parameters_of(text))
             ? kind
             : dialect_type_size(model, parameters_of(text), out_bytes);
}

bool gmem_is_opaque(const gmem_op_models_t *models, MlirType type) {
  char text[MAX_TEXT];
  if (!is_of_dialect(type))
    return false;
  const gmem_type_model_t *model =
      print_type(type, text) ? find_model(models, type, text) : NULL;
  return !model || (!model->is_none && has_several_shapes(parameters_of(text)));
}

bool gmem_is_scalar_type(const gmem_op_models_t *models, MlirType type) {
  char text[MAX_TEXT];
  if (!is_of_dialect(type) || !print_type(type, text))
    return false;
  const gmem_type_model_t *model = find_model(models, type, text);
  return model && model->is_scalar;
}

bool gmem_needs_bytes(MlirType type) {
  uint64_t ignored;
  return is_of_dialect(type) ||
         (mlirTypeIsATensor(type) &&
          gmem_type_size(type, &ignored) != GMEM_TYPE_SIZED);
}

bool gmem_is_same_form(MlirType left, MlirType right) {
  char text[MAX_TEXT];
  if (!mlirTypeEqual(left, right))
    return false;
  if (mlirTypeIsARankedTensor(left))
    return mlirShapedTypeHasStaticShape(left);
  return is_of_dialect(left) && print_type(left, text) && !strchr(text, '?');
}

//===--- values -----------------------------------------------------------===//

// The number that gmem.bytes states, -1 for none.
static int64_t bytes_of_argument(MlirValue value) {
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  MlirOperation op = mlirBlockGetParentOperation(block);
  int64_t bytes = -1;
  if (mlirOperationIsNull(op) || mlirOperationGetNumRegions(op) != 1 ||
      !mlirBlockEqual(block, gmem_entry_block(op)))
    return -1;
  (void)gmem_i64_get(
      gmem_argument_annotation(op, mlirBlockArgumentGetArgNumber(value),
                               GMEM_ATTR_BYTES),
      &bytes);
  return bytes;
}

int64_t gmem_stated_bytes(MlirValue value) {
  if (mlirValueIsABlockArgument(value))
    return bytes_of_argument(value);
  MlirOperation op = mlirOpResultGetOwner(value);
  MlirAttribute all = gmem_op_annotation(op, GMEM_ATTR_BYTES);
  return gmem_is_i64_list(all, mlirOperationGetNumResults(op))
             ? mlirDenseI64ArrayGetElement(all,
                                           mlirOpResultGetResultNumber(value))
             : -1;
}

bool gmem_plain_size(MlirType type, uint64_t own, gmem_sizes_seen_t *seen,
                     uint64_t *out_bytes) {
  static const uint64_t others =
      UINT64_C(1) << GMEM_ATTR_PADDING | UINT64_C(1) << GMEM_ATTR_STRIDES |
      UINT64_C(1) << GMEM_ATTR_BYTES | UINT64_C(1) << GMEM_ATTR_UPPER_BOUND;
  size_t slot = gmem_seen_slot(type.ptr);
  if (own & others)
    return false;
  if (seen->types[slot] != type.ptr) {
    uint64_t bytes;
    if (!mlirTypeIsARankedTensor(type) || !mlirShapedTypeHasStaticShape(type) ||
        gmem_type_size(type, &bytes) != GMEM_TYPE_SIZED)
      return false;
    seen->types[slot] = type.ptr;
    seen->bytes[slot] = bytes;
  }
  *out_bytes = seen->bytes[slot];
  return true;
}

gmem_type_kind_t gmem_value_size(const gmem_op_models_t *models,
                                 MlirValue value,
                                 const gmem_type_bounds_t *bounds,
                                 uint64_t *out_bytes) {
  MlirType type = mlirValueGetType(value);
  gmem_type_kind_t kind = gmem_type_size_within(type, bounds, out_bytes);
  gmem_padded_layout_t layout;
  if (kind == GMEM_TYPE_SIZED && mlirTypeIsARankedTensor(type) &&
      gmem_has_layout(value, &layout)) {
    *out_bytes = layout.span;
    return kind;
  }
  bool may_state = is_of_dialect(type) || mlirTypeIsATensor(type);
  if (!may_state || (kind == GMEM_TYPE_SIZED && !gmem_type_is_dynamic(type)))
    return kind;
  int64_t stated = gmem_stated_bytes(value);
  if (stated < 0)
    return gmem_modelled_size(models, type, bounds, out_bytes);
  *out_bytes = (uint64_t)stated;
  return GMEM_TYPE_SIZED;
}

//===--- arrangement of elements ------------------------------------------===//

// Whether tensors of |type| are stored row by row. That is assumed of types of
// other dialects whose dimensions are not rounded.
static bool is_row_major(const gmem_op_models_t *models, MlirType type) {
  char text[MAX_TEXT];
  if (mlirTypeIsARankedTensor(type))
    return gmem_is_dense_encoding(mlirRankedTensorTypeGetEncoding(type));
  const gmem_type_model_t *model = is_of_dialect(type) && print_type(type, text)
                                       ? find_model(models, type, text)
                                       : NULL;
  return !model || model->form.multiple_count == 0;
}

static bool have_same_shape(MlirType left, MlirType right) {
  int64_t rank = mlirShapedTypeGetRank(left);
  bool is_same = rank == mlirShapedTypeGetRank(right);
  for (intptr_t i = 0; i < rank && is_same; ++i)
    is_same =
        mlirShapedTypeGetDimSize(left, i) == mlirShapedTypeGetDimSize(right, i);
  return is_same;
}

// Whether the elements are quantized in two ways, so that the same numbers are
// other bytes.
static bool have_other_codings(MlirType left, MlirType right) {
  if (!mlirTypeIsARankedTensor(left) || !mlirTypeIsARankedTensor(right))
    return false;
  const void *a = gmem_element_coding(mlirShapedTypeGetElementType(left));
  const void *b = gmem_element_coding(mlirShapedTypeGetElementType(right));
  return a && b && a != b;
}

static bool is_tensor(const gmem_op_models_t *models, MlirValue value) {
  uint64_t ignored;
  gmem_type_kind_t kind = gmem_value_size(models, value, NULL, &ignored);
  return kind == GMEM_TYPE_SIZED || kind == GMEM_TYPE_DYNAMIC;
}

bool gmem_are_arranged_alike(const gmem_op_models_t *models, MlirValue left,
                             MlirValue right) {
  MlirType a = mlirValueGetType(left), b = mlirValueGetType(right);
  if (have_other_codings(a, b))
    return false;
  if (mlirTypeEqual(a, b) ||
      (is_row_major(models, a) && is_row_major(models, b)))
    return true;
  if (mlirTypeIsARankedTensor(a) && mlirTypeIsARankedTensor(b) &&
      mlirAttributeEqual(mlirRankedTensorTypeGetEncoding(a),
                         mlirRankedTensorTypeGetEncoding(b)) &&
      have_same_shape(a, b))
    return true;
  return !is_tensor(models, left) || !is_tensor(models, right);
}

bool gmem_may_stand_for_memory(const gmem_op_models_t *models,
                               MlirValue value) {
  MlirType type = mlirValueGetType(value);
  uint64_t ignored;
  gmem_type_kind_t kind = gmem_value_size(models, value, NULL, &ignored);
  return kind == GMEM_TYPE_MEMREF ||
         (kind == GMEM_TYPE_NO_MEMORY && is_of_dialect(type) &&
          !gmem_is_scalar_type(models, type));
}
