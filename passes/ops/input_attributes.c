// input_attributes.c - see input_attributes.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "input_attributes.h"

#include <inttypes.h>
#include <string.h>

#include "annotations.h"
#include "attribute_codec.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "relocations.h"
#include "type_models.h"
#include "weight_transforms.h"

//===--- forms ------------------------------------------------------------===//

static bool is_name(MlirAttribute name) {
  MlirStringRef text;
  return gmem_string_get(name, &text) && text.length;
}

// Names of groups are those of plan images.
static const char group_form[] =
    "a name of 1 to 255 printable ASCII characters";

static bool is_group(MlirAttribute name) {
  MlirStringRef text;
  if (!gmem_string_get(name, &text) || text.length == 0 || text.length > 255)
    return false;
  for (size_t i = 0; i < text.length; ++i)
    if (text.data[i] < ' ' || text.data[i] > '~')
      return false;
  return true;
}

static bool is_name_list(MlirAttribute list) {
  return gmem_is_string_list(list, -1) && mlirArrayAttrGetNumElements(list);
}

static const char tag_form[] = "a non-empty string without NUL bytes, or an "
                               "array of them that is not empty";

static bool is_word(MlirAttribute tag) {
  MlirStringRef text;
  return gmem_string_get(tag, &text) && text.length &&
         !memchr(text.data, '\0', text.length);
}

static bool is_tag(MlirAttribute tag) {
  bool is_good = is_word(tag) || is_name_list(tag);
  for (intptr_t i = 0; is_good && mlirAttributeIsAArray(tag) &&
                       i < mlirArrayAttrGetNumElements(tag);
       ++i)
    is_good = is_word(mlirArrayAttrGetElement(tag, i));
  return is_good;
}

// Whether |list| is an array of name lists, of which some may be empty, one for
// each of |count| results.
static bool are_name_lists(MlirAttribute list, intptr_t count) {
  if (!mlirAttributeIsAArray(list) ||
      mlirArrayAttrGetNumElements(list) != count)
    return false;
  for (intptr_t i = 0; i < count; ++i)
    if (!gmem_is_string_list(mlirArrayAttrGetElement(list, i), -1))
      return false;
  return true;
}

// Whether |list| is an array<i64> of |count| offsets, or -1.
static bool are_offsets(MlirAttribute list, intptr_t count) {
  bool are_good = gmem_is_i64_list(list, count);
  for (intptr_t i = 0; are_good && i < count; ++i)
    are_good = mlirDenseI64ArrayGetElement(list, i) >= -1;
  return are_good;
}

static bool is_offset(MlirAttribute offset) {
  int64_t number = -2;
  return gmem_i64_get(offset, &number) && number >= -1;
}

// Whether |bounds| is an array<i64> with one element for each dimension of
// |type|, non-negative for the dynamic ones. Of a type without a rank it has
// any number.
static bool are_bounds(MlirAttribute bounds, MlirType type) {
  bool is_ranked = mlirTypeIsAShaped(type) && mlirShapedTypeHasRank(type);
  intptr_t rank = is_ranked ? (intptr_t)mlirShapedTypeGetRank(type) : -1;
  bool are_good = gmem_is_i64_list(bounds, rank);
  for (intptr_t i = 0; are_good && i < rank; ++i)
    are_good = mlirDenseI64ArrayGetElement(bounds, i) >= 0 ||
               !mlirShapedTypeIsDynamicDim(type, i);
  return are_good;
}

//===--- ops --------------------------------------------------------------===//

static gmem_status_t check_target(MlirOperation op, gmem_diag_t *diag) {
  MlirAttribute target = gmem_op_annotation(op, GMEM_ATTR_TARGET);
  MlirStringRef name;
  return mlirAttributeIsNull(target) ||
                 (gmem_string_get(target, &name) && name.length)
             ? GMEM_OK
             : gmem_bad_annotation(mlirOperationGetLocation(op),
                                   GMEM_ATTR_TARGET, "the name of a target",
                                   diag);
}

static gmem_status_t check_bounds(MlirOperation op, gmem_diag_t *diag) {
  MlirAttribute all = gmem_op_annotation(op, GMEM_ATTR_UPPER_BOUND);
  MlirLocation location = mlirOperationGetLocation(op);
  intptr_t count = mlirOperationGetNumResults(op);
  if (mlirAttributeIsNull(all))
    return GMEM_OK;
  if (!mlirAttributeIsAArray(all) || mlirArrayAttrGetNumElements(all) != count)
    return gmem_bad_annotation(location, GMEM_ATTR_UPPER_BOUND,
                               "an array with one array<i64> per result", diag);
  for (intptr_t i = 0; i < count; ++i)
    if (!are_bounds(mlirArrayAttrGetElement(all, i),
                    mlirValueGetType(mlirOperationGetResult(op, i))))
      return gmem_bad_annotation(
          location, GMEM_ATTR_UPPER_BOUND,
          "array<i64> with one element per dimension of the tensor, "
          "non-negative for dynamic dimensions",
          diag);
  return GMEM_OK;
}

// A type that gmem sizes by itself has no other size.
static gmem_status_t check_stated(MlirLocation location, MlirType type,
                                  int64_t bytes, gmem_diag_t *diag) {
  uint64_t size;
  if (bytes < 0 || gmem_needs_bytes(type) ||
      (gmem_type_size(type, &size) == GMEM_TYPE_SIZED &&
       size == (uint64_t)bytes))
    return GMEM_OK;
  return gmem_error_at(diag, GMEM_ERR_INVALID_ARGUMENT, location,
                       "gmem.bytes states %" PRId64 " bytes of a value whose "
                       "type says otherwise: only values of types of other "
                       "dialects, encoded and dynamic tensors may have it",
                       bytes);
}

static gmem_status_t check_bytes(MlirOperation op, gmem_diag_t *diag) {
  MlirAttribute all = gmem_op_annotation(op, GMEM_ATTR_BYTES);
  MlirLocation location = mlirOperationGetLocation(op);
  intptr_t count = mlirOperationGetNumResults(op);
  if (mlirAttributeIsNull(all))
    return GMEM_OK;
  if (!are_offsets(all, count))
    return gmem_bad_annotation(location, GMEM_ATTR_BYTES,
                               "array<i64> with the bytes, or -1, per result",
                               diag);
  for (intptr_t i = 0; i < count; ++i)
    GMEM_TRY(check_stated(location,
                          mlirValueGetType(mlirOperationGetResult(op, i)),
                          mlirDenseI64ArrayGetElement(all, i), diag));
  return GMEM_OK;
}

static gmem_status_t check_relocations(MlirOperation op, gmem_diag_t *diag) {
  gmem_stated_relocation_t *ignored;
  size_t count;
  gmem_bump_t arena;
  if (mlirAttributeIsNull(gmem_op_annotation(op, GMEM_ATTR_RELOCATIONS)))
    return GMEM_OK;
  gmem_bump_init(&arena, NULL);
  gmem_status_t status =
      gmem_relocations_read(op, &arena, &ignored, &count, diag);
  gmem_bump_destroy(&arena);
  return status;
}

static gmem_status_t check_transforms(MlirOperation op, gmem_diag_t *diag) {
  gmem_stated_transform_t *ignored;
  size_t count;
  gmem_bump_t arena;
  gmem_bump_init(&arena, NULL);
  gmem_status_t status =
      gmem_weight_transforms_read(op, &arena, &ignored, &count, diag);
  gmem_bump_destroy(&arena);
  return status;
}

static MlirAttribute read(MlirOperation op, uint64_t own, gmem_attr_t name) {
  return own >> name & 1 ? gmem_op_annotation(op, name)
                         : mlirAttributeGetNull();
}

gmem_status_t gmem_input_attributes_check(MlirOperation op, uint64_t own,
                                          gmem_diag_t *diag) {
  MlirLocation location = mlirOperationGetLocation(op);
  intptr_t count = mlirOperationGetNumResults(op);
  if (own >> GMEM_ATTR_TARGET & 1)
    GMEM_TRY(check_target(op, diag));
  MlirAttribute name = read(op, own, GMEM_ATTR_NAME);
  if (!mlirAttributeIsNull(name) && !is_name(name))
    return gmem_bad_annotation(location, GMEM_ATTR_NAME, "a non-empty string",
                               diag);
  MlirAttribute pools = read(op, own, GMEM_ATTR_POOLS);
  if (!mlirAttributeIsNull(pools) && !is_name_list(pools) &&
      !are_name_lists(pools, count))
    return gmem_bad_annotation(
        location, GMEM_ATTR_POOLS,
        "an array of names of pools, or one such array per result", diag);
  MlirAttribute fixed = read(op, own, GMEM_ATTR_FIXED);
  if (!mlirAttributeIsNull(fixed) && !are_offsets(fixed, count))
    return gmem_bad_annotation(location, GMEM_ATTR_FIXED,
                               "array<i64> with one offset, or -1, per result",
                               diag);
  MlirAttribute sensitive = read(op, own, GMEM_ATTR_SENSITIVE);
  if (!mlirAttributeIsNull(sensitive) && !mlirAttributeIsAUnit(sensitive))
    return gmem_bad_annotation(location, GMEM_ATTR_SENSITIVE,
                               "a unit attribute", diag);
  MlirAttribute tag = read(op, own, GMEM_ATTR_TAG);
  if (!mlirAttributeIsNull(tag) && !is_tag(tag))
    return gmem_bad_annotation(location, GMEM_ATTR_TAG, tag_form, diag);
  MlirAttribute group = read(op, own, GMEM_ATTR_MEMORY_GROUP);
  if (!mlirAttributeIsNull(group) && !is_group(group))
    return gmem_bad_annotation(location, GMEM_ATTR_MEMORY_GROUP, group_form,
                               diag);
  if (own >> GMEM_ATTR_BYTES & 1)
    GMEM_TRY(check_bytes(op, diag));
  if (own >> GMEM_ATTR_RELOCATIONS & 1)
    GMEM_TRY(check_relocations(op, diag));
  if ((own >> GMEM_ATTR_TRANSFORM & 1) || (own >> GMEM_ATTR_SOURCE & 1))
    GMEM_TRY(check_transforms(op, diag));
  return own >> GMEM_ATTR_UPPER_BOUND & 1 ? check_bounds(op, diag) : GMEM_OK;
}

//===--- functions --------------------------------------------------------===//

// Where argument |number| is: of a declaration, where the function is.
static MlirLocation location_of(MlirOperation function, intptr_t number) {
  MlirBlock block = {NULL};
  if (mlirOperationGetNumRegions(function))
    block = gmem_entry_block(function);
  return mlirBlockIsNull(block) || number >= mlirBlockGetNumArguments(block)
             ? mlirOperationGetLocation(function)
             : mlirValueGetLocation(mlirBlockGetArgument(block, number));
}

static gmem_status_t check_argument(MlirOperation function, intptr_t number,
                                    MlirType type, gmem_diag_t *diag) {
  MlirAttribute of[GMEM_ATTR_COUNT];
  static const gmem_attr_t read[] = {
      GMEM_ATTR_POOLS,      GMEM_ATTR_FIXED,     GMEM_ATTR_UPPER_BOUND,
      GMEM_ATTR_NO_CAPTURE, GMEM_ATTR_BYTES,     GMEM_ATTR_NAME,
      GMEM_ATTR_STATE,      GMEM_ATTR_SENSITIVE, GMEM_ATTR_MEMORY_GROUP,
      GMEM_ATTR_TAG};
  for (size_t i = 0; i < sizeof read / sizeof *read; ++i)
    of[read[i]] = gmem_argument_annotation(function, number, read[i]);
  const struct {
    gmem_attr_t name;
    bool is_good;
    const char *what;
  } checks[] = {
      {GMEM_ATTR_POOLS, is_name_list(of[GMEM_ATTR_POOLS]),
       "an array of names of pools on an argument"},
      {GMEM_ATTR_FIXED, is_offset(of[GMEM_ATTR_FIXED]),
       "an offset of type i64, or -1, on an argument"},
      {GMEM_ATTR_NAME, is_name(of[GMEM_ATTR_NAME]), "a non-empty string"},
      {GMEM_ATTR_BYTES, is_offset(of[GMEM_ATTR_BYTES]),
       "a number of bytes of type i64, or -1, on an argument"},
      {GMEM_ATTR_UPPER_BOUND, are_bounds(of[GMEM_ATTR_UPPER_BOUND], type),
       "array<i64> with one element per dimension of the tensor, "
       "non-negative for dynamic dimensions"},
      {GMEM_ATTR_NO_CAPTURE,
       gmem_attribute_is(of[GMEM_ATTR_NO_CAPTURE], mlirAttributeIsAUnit),
       "a unit attribute"},
      {GMEM_ATTR_STATE,
       gmem_attribute_is(of[GMEM_ATTR_STATE], mlirAttributeIsAUnit) ||
           is_name(of[GMEM_ATTR_STATE]),
       "a unit attribute or a non-empty string"},
      {GMEM_ATTR_SENSITIVE,
       gmem_attribute_is(of[GMEM_ATTR_SENSITIVE], mlirAttributeIsAUnit),
       "a unit attribute"},
      {GMEM_ATTR_TAG, is_tag(of[GMEM_ATTR_TAG]), tag_form},
      {GMEM_ATTR_MEMORY_GROUP, is_group(of[GMEM_ATTR_MEMORY_GROUP]),
       group_form}};
  for (size_t i = 0; i < sizeof checks / sizeof *checks; ++i)
    if (!mlirAttributeIsNull(of[checks[i].name]) && !checks[i].is_good)
      return gmem_bad_annotation(location_of(function, number), checks[i].name,
                                 checks[i].what, diag);
  int64_t bytes = -1;
  (void)gmem_i64_get(of[GMEM_ATTR_BYTES], &bytes);
  return check_stated(location_of(function, number), type, bytes, diag);
}

gmem_status_t gmem_function_attributes_check(MlirOperation function,
                                             gmem_diag_t *diag) {
  MlirAttribute type = gmem_op_attribute(function, "function_type");
  MlirAttribute all = gmem_op_attribute(function, "arg_attrs");
  GMEM_TRY(check_target(function, diag));
  if (!gmem_attribute_is(type, mlirAttributeIsAType) ||
      !gmem_attribute_is(all, mlirAttributeIsAArray) ||
      !mlirTypeIsAFunction(mlirTypeAttrGetValue(type)))
    return GMEM_OK;
  MlirType signature = mlirTypeAttrGetValue(type);
  intptr_t count = mlirFunctionTypeGetNumInputs(signature);
  if (count > mlirArrayAttrGetNumElements(all))
    count = mlirArrayAttrGetNumElements(all);
  for (intptr_t i = 0; i < count; ++i)
    GMEM_TRY(check_argument(function, i, mlirFunctionTypeGetInput(signature, i),
                            diag));
  return GMEM_OK;
}
