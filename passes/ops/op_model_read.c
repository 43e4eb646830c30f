// op_model_read.c - see op_model_read.h. IRDL cannot express optional
// attributes, so the rules of dialect/gmem.irdl.mlir are checked here.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "op_model_read.h"

#include <stdio.h>
#include <string.h>

#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { MAX_OPERAND = 63 }; // the highest bit of an operand mask

static const char *const kind_names[] = {
    [GMEM_OP_COMPUTE] = "compute",
    [GMEM_OP_WEIGHT] = "weight",
    [GMEM_OP_LAYER_GROUP] = "layer_group",
    [GMEM_OP_SCALAR_BODY] = "scalar_body",
    [GMEM_OP_PARALLEL] = "parallel",
    [GMEM_OP_RESHAPE] = "reshape",
    [GMEM_OP_INPUT] = "input",
    [GMEM_OP_NONE] = "none",
    [GMEM_OP_EMPTY] = "empty",
    [GMEM_OP_BRANCH] = "branch",
    [GMEM_OP_FOR] = "for",
    [GMEM_OP_WHILE] = "while",
    [GMEM_OP_LOOP] = "loop",
    [GMEM_OP_ALLOC] = "alloc",
    [GMEM_OP_DEALLOC] = "dealloc",
    [GMEM_OP_VIEW] = "view",
    [GMEM_OP_GLOBAL] = "global",
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

const char *gmem_op_kind_name(gmem_op_kind_t kind) { return kind_names[kind]; }

gmem_op_model_t gmem_op_model_of(const char *op) {
  const gmem_op_list_t nowhere = {NULL, GMEM_NO_OPERAND};
  const gmem_op_box_t no_box = {nowhere, nowhere, nowhere, nowhere, nowhere};
  return (gmem_op_model_t){.op = op,
                           .kind = GMEM_OP_COMPUTE,
                           .destination_operand = GMEM_NO_OPERAND,
                           .slice_operand = GMEM_NO_OPERAND,
                           .slice = no_box,
                           .insert_operand = GMEM_NO_OPERAND,
                           .insert = no_box};
}

//===--- values -----------------------------------------------------------===//

typedef struct reader_s {
  gmem_bump_t *arena;
  gmem_op_model_t *model;
  gmem_diag_t *diag;
  const char *key; // of the attribute being read
} reader_t;

static gmem_status_t must_be(const reader_t *reader, const char *what) {
  return gmem_fail(reader->diag, GMEM_ERR_INVALID_ARGUMENT, "%s must be %s",
                   reader->key, what);
}

static bool is_word(MlirAttribute value, const char *word) {
  return mlirAttributeIsAString(value) &&
         mlirStringRefEqual(mlirStringAttrGetValue(value), gmem_string(word));
}

static bool to_operand(int64_t number, int32_t *out) {
  *out = (int32_t)number;
  return number >= 0 && number <= MAX_OPERAND;
}

static bool read_operand(MlirAttribute value, int32_t *out) {
  return mlirAttributeIsAInteger(value) &&
         mlirTypeIsAInteger(mlirAttributeGetType(value)) &&
         mlirIntegerTypeGetWidth(mlirAttributeGetType(value)) <= 64 &&
         mlirIntegerTypeIsSignless(mlirAttributeGetType(value)) &&
         to_operand(mlirIntegerAttrGetValueInt(value), out);
}

static gmem_status_t read_name(const reader_t *reader, MlirAttribute value,
                               const char *what, const char **out) {
  if (!mlirAttributeIsAString(value) ||
      mlirStringAttrGetValue(value).length == 0)
    return must_be(reader, what);
  MlirStringRef name = mlirStringAttrGetValue(value);
  if (memchr(name.data, 0, name.length))
    return must_be(reader, what);
  *out = gmem_bump_string(reader->arena, name.data, name.length);
  return *out ? GMEM_OK : gmem_out_of_memory(reader->diag);
}

static gmem_status_t read_mask(const reader_t *reader, MlirAttribute value,
                               const char *what, uint64_t *out) {
  if (!mlirAttributeIsADenseI64Array(value))
    return must_be(reader, what);
  *out = 0;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(value); ++i) {
    int32_t operand;
    if (!to_operand(mlirDenseI64ArrayGetElement(value, i), &operand))
      return must_be(reader, what);
    *out |= UINT64_C(1) << operand;
  }
  return GMEM_OK;
}

//===--- dictionaries inside a model --------------------------------------===//

// An entry of a dictionary: an integer list, an operand number or the name of
// an attribute. Exactly one of the pointers is set.
typedef struct field_s {
  const char *name;
  gmem_op_list_t *list;
  int32_t *operand;
  const char **text;
} field_t;

static gmem_status_t read_list(const reader_t *reader, MlirAttribute value,
                               gmem_op_list_t *list) {
  static const char what[] =
      "the name of an attribute or the number of an operand from 0 to 63";
  if (mlirAttributeIsAInteger(value))
    return read_operand(value, &list->operand) ? GMEM_OK
                                               : must_be(reader, what);
  return read_name(reader, value, what, &list->attribute);
}

static gmem_status_t read_field(const reader_t *reader, const field_t *field,
                                MlirAttribute value) {
  char key[64];
  snprintf(key, sizeof key, "%s of %s", field->name, reader->key);
  reader_t inner = *reader;
  inner.key = key;
  if (field->list)
    return read_list(&inner, value, field->list);
  if (field->text)
    return read_name(&inner, value, "the name of an attribute", field->text);
  if (!read_operand(value, field->operand))
    return must_be(&inner, "the number of an operand, from 0 to 63");
  return GMEM_OK;
}

static gmem_status_t read_dictionary(const reader_t *reader,
                                     MlirAttribute value, const field_t *fields,
                                     size_t field_count) {
  if (!mlirAttributeIsADictionary(value))
    return must_be(reader, "a dictionary");
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(value); ++i) {
    MlirNamedAttribute entry = mlirDictionaryAttrGetElement(value, i);
    MlirStringRef name = mlirIdentifierStr(entry.name);
    size_t f = 0;
    while (f < field_count &&
           !mlirStringRefEqual(name, gmem_string(fields[f].name)))
      ++f;
    if (f == field_count)
      return gmem_fail(reader->diag, GMEM_ERR_INVALID_ARGUMENT,
                       "unknown key '%.*s' in %s", (int)name.length, name.data,
                       reader->key);
    GMEM_TRY(read_field(reader, &fields[f], entry.attribute));
  }
  return GMEM_OK;
}

static bool is_given(const gmem_op_list_t *list) {
  return list->attribute || list->operand != GMEM_NO_OPERAND;
}

//===--- the attributes of a model ----------------------------------------===//

static gmem_status_t read_kind(const reader_t *reader, MlirAttribute value) {
  for (int kind = GMEM_OP_COMPUTE; kind < (int)COUNT(kind_names); ++kind) {
    if (!is_word(value, kind_names[kind]))
      continue;
    reader->model->kind = (gmem_op_kind_t)kind;
    return GMEM_OK;
  }
  return must_be(reader, "\"compute\", \"weight\", \"layer_group\", "
                         "\"scalar_body\", \"parallel\", \"reshape\", "
                         "\"input\", \"none\", \"empty\", \"branch\", \"for\", "
                         "\"while\", \"loop\", \"alloc\", \"dealloc\", "
                         "\"view\" or \"global\"");
}

static gmem_status_t read_inplace(const reader_t *reader, MlirAttribute value) {
  if (is_word(value, "all"))
    return reader->model->inplace = UINT64_MAX, GMEM_OK;
  if (is_word(value, "map"))
    return reader->model->inplace_by_map = true, GMEM_OK;
  return read_mask(reader, value,
                   "\"all\", \"map\" or an array<i64> of operands from 0 to 63",
                   &reader->model->inplace);
}

static gmem_status_t read_unread(const reader_t *reader, MlirAttribute value) {
  return read_mask(reader, value, "an array<i64> of operands from 0 to 63",
                   &reader->model->unread);
}

static gmem_status_t read_writes(const reader_t *reader, MlirAttribute value) {
  return read_mask(reader, value, "an array<i64> of operands from 0 to 63",
                   &reader->model->writes);
}

static gmem_status_t read_unless(const reader_t *reader, MlirAttribute value) {
  static const char what[] =
      "\"all\", or an array of operands from 0 to 63 and names of attributes";
  gmem_op_model_t *model = reader->model;
  if (is_word(value, "all"))
    return model->unless = UINT64_MAX, GMEM_OK;
  if (!mlirAttributeIsAArray(value))
    return must_be(reader, what);
  intptr_t count = mlirArrayAttrGetNumElements(value);
  const char **names;
  GMEM_TRY_ALLOC(names, reader->arena, (size_t)count + 1, reader->diag);
  model->unless_attributes = names;
  for (intptr_t i = 0; i < count; ++i) {
    int32_t operand;
    MlirAttribute entry = mlirArrayAttrGetElement(value, i);
    if (read_operand(entry, &operand)) {
      model->unless |= UINT64_C(1) << operand;
      continue;
    }
    GMEM_TRY(read_name(reader, entry, what, names));
    ++names;
  }
  return GMEM_OK;
}

static gmem_status_t read_destination(const reader_t *reader,
                                      MlirAttribute value) {
  gmem_op_model_t *model = reader->model;
  if (is_word(value, "trailing"))
    return model->destination = GMEM_DESTINATION_TRAILING, GMEM_OK;
  if (!read_operand(value, &model->destination_operand))
    return must_be(reader,
                   "\"trailing\" or the number of an operand, from 0 to "
                   "63");
  model->destination = GMEM_DESTINATION_OPERAND;
  return GMEM_OK;
}

static gmem_status_t read_slice(const reader_t *reader, MlirAttribute value) {
  gmem_op_model_t *model = reader->model;
  gmem_op_box_t *box = &model->slice;
  const field_t fields[] = {
      {"operand", NULL, &model->slice_operand, NULL},
      {"begin", &box->begin, NULL, NULL},
      {"size", &box->size, NULL, NULL},
      {"end", &box->end, NULL, NULL},
      {"step", &box->step, NULL, NULL},
      {"axes", &box->axes, NULL, NULL},
  };
  model->slice_operand = 0;
  GMEM_TRY(read_dictionary(reader, value, fields, COUNT(fields)));
  if (!is_given(&box->begin) || (is_given(&box->size) && is_given(&box->end)))
    return gmem_fail(reader->diag, GMEM_ERR_INVALID_ARGUMENT,
                     "slice requires 'begin' and at most one of 'size' and "
                     "'end'");
  return GMEM_OK;
}

static gmem_status_t read_insert(const reader_t *reader, MlirAttribute value) {
  gmem_op_model_t *model = reader->model;
  gmem_op_box_t *box = &model->insert;
  const field_t fields[] = {
      {"operand", NULL, &model->insert_operand, NULL},
      {"begin", &box->begin, NULL, NULL},
      {"size", &box->size, NULL, NULL},
      {"step", &box->step, NULL, NULL},
      {"axes", &box->axes, NULL, NULL},
  };
  GMEM_TRY(read_dictionary(reader, value, fields, COUNT(fields)));
  if (!is_given(&box->begin) || model->insert_operand == GMEM_NO_OPERAND)
    return gmem_fail(reader->diag, GMEM_ERR_INVALID_ARGUMENT,
                     "insert requires 'operand' and 'begin'");
  return GMEM_OK;
}

static gmem_status_t read_concat(const reader_t *reader, MlirAttribute value) {
  gmem_op_model_t *model = reader->model;
  const field_t fields[] = {
      {"axis", NULL, NULL, &model->concat_axis},
      {"first", NULL, &model->concat_first, NULL},
  };
  GMEM_TRY(read_dictionary(reader, value, fields, COUNT(fields)));
  if (!model->concat_axis)
    return gmem_fail(reader->diag, GMEM_ERR_INVALID_ARGUMENT,
                     "concat requires 'axis'");
  model->concat = true;
  return GMEM_OK;
}

static gmem_status_t read_tuple(const reader_t *reader, MlirAttribute value) {
  reader->model->tuple = true;
  return mlirAttributeIsAUnit(value) ? GMEM_OK
                                     : must_be(reader, "a unit attribute");
}

static gmem_status_t read_tuple_element(const reader_t *reader,
                                        MlirAttribute value) {
  return read_name(reader, value, "the name of an attribute",
                   &reader->model->tuple_element);
}

static gmem_status_t read_stack(const reader_t *reader, MlirAttribute value) {
  reader->model->stack = true;
  return mlirAttributeIsAUnit(value) ? GMEM_OK
                                     : must_be(reader, "a unit attribute");
}

static gmem_status_t read_escapes(const reader_t *reader, MlirAttribute value) {
  reader->model->escapes = true;
  return mlirAttributeIsAUnit(value) ? GMEM_OK
                                     : must_be(reader, "a unit attribute");
}

//===--- models -----------------------------------------------------------===//

gmem_status_t gmem_op_model_read(MlirNamedAttribute attribute,
                                 gmem_bump_t *arena, gmem_op_model_t *model,
                                 gmem_diag_t *diag) {
  static const struct {
    const char *name;
    gmem_status_t (*read)(const reader_t *reader, MlirAttribute value);
  } keys[] = {
      {"writes", read_writes},
      {"unless", read_unless},
      {"kind", read_kind},
      {"inplace", read_inplace},
      {"unread", read_unread},
      {"destination", read_destination},
      {"slice", read_slice},
      {"insert", read_insert},
      {"concat", read_concat},
      {"tuple", read_tuple},
      {"tuple_element", read_tuple_element},
      {"stack", read_stack},
      {"escapes", read_escapes},
  };
  MlirStringRef name = mlirIdentifierStr(attribute.name);
  for (size_t i = 0; i < COUNT(keys); ++i) {
    reader_t reader = {arena, model, diag, keys[i].name};
    if (mlirStringRefEqual(name, gmem_string(keys[i].name)))
      return keys[i].read(&reader, attribute.attribute);
  }
  return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                   "unknown op model attribute '%.*s'", (int)name.length,
                   name.data);
}

// The number of mutually exclusive definitions of result 0.
static int count_sources(const gmem_op_model_t *model) {
  return (model->slice_operand != GMEM_NO_OPERAND) +
         (model->insert_operand != GMEM_NO_OPERAND) + model->concat +
         model->tuple + (model->tuple_element != NULL);
}

gmem_status_t gmem_op_model_check(const gmem_op_model_t *model,
                                  gmem_diag_t *diag) {
  if (count_sources(model) > 1)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "slice, insert, concat, tuple and tuple_element are "
                     "mutually exclusive");
  if (model->insert_operand != GMEM_NO_OPERAND &&
      (model->destination != GMEM_DESTINATION_OPERAND ||
       model->destination_operand == model->insert_operand))
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "insert requires another operand as destination");
  bool shares = count_sources(model) || model->inplace ||
                model->inplace_by_map || model->destination;
  if (shares && model->kind != GMEM_OP_COMPUTE &&
      model->kind != GMEM_OP_SCALAR_BODY)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "kind \"%s\" does not support inplace, destination, "
                     "slice, insert, concat, tuple or tuple_element",
                     kind_names[model->kind]);
  return GMEM_OK;
}
