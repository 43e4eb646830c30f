// op_model_read.c - see op_model_read.h. IRDL cannot express optional
// attributes, so the rules of dialect/gmem.irdl.mlir are checked here.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "op_model_read.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "attribute_codec.h"
#include "diagnostics.h"
#include "edit_distance.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { MAX_OPERAND = 63 }; // the highest bit of an operand mask

static const char *const kind_names[] = {
    [GMEM_OP_UNKNOWN] = "unknown",
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
    NULL,
};

const char *gmem_op_kind_name(gmem_op_kind_t kind) { return kind_names[kind]; }

gmem_op_model_t gmem_op_model_of(const char *op) {
  const gmem_op_list_t nowhere = {.operand = GMEM_NO_OPERAND};
  const gmem_op_box_t no_box = {GMEM_NO_OPERAND, nowhere, nowhere,
                                nowhere,         nowhere, nowhere};
  return (gmem_op_model_t){.op = op,
                           .kind = GMEM_OP_COMPUTE,
                           .destination_operand = GMEM_NO_OPERAND,
                           .slice = no_box,
                           .insert = no_box,
                           .moves = {.axes = nowhere, .second = nowhere},
                           .valid_region = {.kernel = nowhere,
                                            .before = nowhere,
                                            .after = nowhere,
                                            .step = nowhere,
                                            .block = nowhere,
                                            .axes = nowhere}};
}

//===--- values -----------------------------------------------------------===//

static bool is_word(MlirAttribute value, const char *word) {
  MlirStringRef text;
  return gmem_string_get(value, &text) && gmem_string_is(text, word);
}

static bool to_operand(int64_t number, int32_t *out) {
  *out = (int32_t)number;
  return number >= 0 && number <= MAX_OPERAND;
}

static bool get_operand(MlirAttribute value, int32_t *out) {
  return mlirAttributeIsAInteger(value) &&
         mlirTypeIsAInteger(mlirAttributeGetType(value)) &&
         mlirIntegerTypeGetWidth(mlirAttributeGetType(value)) <= 64 &&
         mlirIntegerTypeIsSignless(mlirAttributeGetType(value)) &&
         to_operand(mlirIntegerAttrGetValueInt(value), out);
}

static gmem_status_t get_name(const gmem_field_reader_t *reader,
                              MlirAttribute value, const char **out) {
  MlirStringRef name;
  if (!gmem_string_get(value, &name) || name.length == 0 ||
      memchr(name.data, 0, name.length))
    return GMEM_ERR_INVALID_ARGUMENT;
  *out = gmem_bump_string(reader->arena, name.data, name.length);
  return *out ? GMEM_OK : GMEM_ERR_OUT_OF_MEMORY;
}

static gmem_status_t status_of(bool is_good) {
  return is_good ? GMEM_OK : GMEM_ERR_INVALID_ARGUMENT;
}

static gmem_status_t read_operand(const gmem_field_reader_t *reader,
                                  MlirAttribute value) {
  return status_of(get_operand(value, gmem_field_member(reader)));
}

static gmem_status_t read_name(const gmem_field_reader_t *reader,
                               MlirAttribute value) {
  return get_name(reader, value, gmem_field_member(reader));
}

static gmem_status_t read_unit(const gmem_field_reader_t *reader,
                               MlirAttribute value) {
  *(bool *)gmem_field_member(reader) = true;
  return status_of(mlirAttributeIsAUnit(value));
}

static gmem_status_t read_mask(const gmem_field_reader_t *reader,
                               MlirAttribute value) {
  uint64_t *mask = gmem_field_member(reader);
  int32_t operand;
  if (!gmem_is_i64_list(value, -1))
    return GMEM_ERR_INVALID_ARGUMENT;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(value); ++i) {
    if (!to_operand(mlirDenseI64ArrayGetElement(value, i), &operand))
      return GMEM_ERR_INVALID_ARGUMENT;
    *mask |= UINT64_C(1) << operand;
  }
  return GMEM_OK;
}

static gmem_status_t read_numbers(MlirAttribute value, gmem_bump_t *arena,
                                  gmem_integers_t *out) {
  intptr_t count = mlirDenseArrayGetNumElements(value);
  int64_t *at;
  GMEM_TRY_ALLOC(at, arena, (size_t)count, NULL);
  for (intptr_t i = 0; i < count; ++i)
    at[i] = mlirDenseI64ArrayGetElement(value, i);
  *out = (gmem_integers_t){at, (size_t)count};
  return status_of(count > 0 && count <= GMEM_MOST_INTEGERS);
}

// A list of integers: the name of an attribute, an operand, or the list itself.
static gmem_status_t read_list(const gmem_field_reader_t *reader,
                               MlirAttribute value) {
  gmem_op_list_t *list = gmem_field_member(reader);
  if (gmem_is_i64_list(value, -1))
    return read_numbers(value, reader->arena, &list->numbers);
  return mlirAttributeIsAInteger(value)
             ? status_of(get_operand(value, &list->operand))
             : get_name(reader, value, &list->attribute);
}

static gmem_status_t read_inplace(const gmem_field_reader_t *reader,
                                  MlirAttribute value) {
  gmem_op_model_t *model = reader->out;
  if (is_word(value, "all"))
    return model->inplace.operands = UINT64_MAX, GMEM_OK;
  if (is_word(value, "map"))
    return model->inplace.by_map = true, GMEM_OK;
  return read_mask(reader, value);
}

static gmem_status_t read_unless(const gmem_field_reader_t *reader,
                                 MlirAttribute value) {
  gmem_op_model_t *model = reader->out;
  if (is_word(value, "all"))
    return model->unless.operands = UINT64_MAX, GMEM_OK;
  if (!mlirAttributeIsAArray(value))
    return GMEM_ERR_INVALID_ARGUMENT;
  intptr_t count = mlirArrayAttrGetNumElements(value);
  const char **names;
  GMEM_TRY_ALLOC(names, reader->arena, (size_t)count + 1, NULL);
  model->unless.attributes = names;
  for (intptr_t i = 0; i < count; ++i) {
    int32_t operand;
    MlirAttribute entry = mlirArrayAttrGetElement(value, i);
    if (get_operand(entry, &operand))
      model->unless.operands |= UINT64_C(1) << operand;
    else
      GMEM_TRY(get_name(reader, entry, names++));
  }
  return GMEM_OK;
}

static gmem_status_t read_destination(const gmem_field_reader_t *reader,
                                      MlirAttribute value) {
  gmem_op_model_t *model = reader->out;
  bool is_trailing = is_word(value, "trailing");
  model->destination =
      is_trailing ? GMEM_DESTINATION_TRAILING : GMEM_DESTINATION_OPERAND;
  return status_of(is_trailing ||
                   get_operand(value, &model->destination_operand));
}

//===--- dictionaries inside a model --------------------------------------===//

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define OPERAND_PROBLEM "must be the number of an operand, from 0 to 63"
#define OPERANDS_PROBLEM "must be an array<i64> of operands from 0 to 63"
#define LIST_PROBLEM                                                           \
  "must be the name of an attribute, the number of an operand from 0 to 63, "  \
  "or an array<i64> of 1 to 64 numbers"
#define NAME_PROBLEM "must be the name of an attribute"
#define UNIT_PROBLEM "must be a unit attribute"

static const char unknown_key[] = "unknown key";
static const char no_dictionary[] = "must be a dictionary";
static const char slice_problem[] =
    "slice requires 'begin' and at most one of 'size' and 'end'";

// A key that is read by read_|form|.
#define KEY(key, member, form, presence, text)                                 \
  {                                                                            \
    GMEM_FIELD(key, gmem_op_model_t, member, OTHER, presence),                 \
        .read = read_##form, .problem = (text)                                 \
  }

static const gmem_field_t slice_fields[] = {
    KEY("operand", slice.operand, operand, OPTIONAL, OPERAND_PROBLEM),
    KEY("begin", slice.begin, list, REQUIRED, LIST_PROBLEM),
    KEY("size", slice.size, list, OPTIONAL, LIST_PROBLEM),
    KEY("end", slice.end, list, OPTIONAL, LIST_PROBLEM),
    KEY("step", slice.step, list, OPTIONAL, LIST_PROBLEM),
    KEY("axes", slice.axes, list, OPTIONAL, LIST_PROBLEM)};
static const gmem_field_t insert_fields[] = {
    KEY("operand", insert.operand, operand, REQUIRED, OPERAND_PROBLEM),
    KEY("begin", insert.begin, list, REQUIRED, LIST_PROBLEM),
    KEY("size", insert.size, list, OPTIONAL, LIST_PROBLEM),
    KEY("step", insert.step, list, OPTIONAL, LIST_PROBLEM),
    KEY("axes", insert.axes, list, OPTIONAL, LIST_PROBLEM)};
static const gmem_field_t swap_fields[] = {
    KEY("first", moves.axes, list, REQUIRED, LIST_PROBLEM),
    KEY("second", moves.second, list, REQUIRED, LIST_PROBLEM)};
static const gmem_field_t concat_fields[] = {
    KEY("axis", concat.axis, name, REQUIRED, NAME_PROBLEM),
    KEY("first", concat.first, operand, OPTIONAL, OPERAND_PROBLEM)};

static const gmem_field_t region_fields[] = {
    KEY("operand", valid_region.operand, operand, OPTIONAL, OPERAND_PROBLEM),
    KEY("kernel", valid_region.kernel, list, OPTIONAL, LIST_PROBLEM),
    KEY("before", valid_region.before, list, OPTIONAL, LIST_PROBLEM),
    KEY("after", valid_region.after, list, OPTIONAL, LIST_PROBLEM),
    KEY("step", valid_region.step, list, OPTIONAL, LIST_PROBLEM),
    KEY("block", valid_region.block, list, OPTIONAL, LIST_PROBLEM),
    KEY("axes", valid_region.axes, list, OPTIONAL, LIST_PROBLEM)};

static gmem_status_t read_permutation(const gmem_field_reader_t *reader,
                                      MlirAttribute value) {
  gmem_op_model_t *model = reader->out;
  model->moves.permutes = true;
  return read_list(reader, value);
}

static gmem_status_t read_broadcast(const gmem_field_reader_t *reader,
                                    MlirAttribute value) {
  gmem_op_model_t *model = reader->out;
  model->moves.broadcasts = true;
  return mlirAttributeIsAUnit(value) ? GMEM_OK : read_list(reader, value);
}

static gmem_status_t read_inner(const gmem_field_reader_t *reader,
                                MlirAttribute value, const gmem_field_t *fields,
                                size_t count, const char *incomplete) {
  const gmem_schema_t schema = {.fields = fields,
                                .count = count,
                                .unknown = unknown_key,
                                .incomplete = incomplete,
                                .no_dictionary = no_dictionary};
  gmem_malformed_t *problem = reader->problem;
  gmem_status_t status =
      gmem_dictionary_read(&schema, value, reader->arena, reader->out, problem);
  if (problem->word.data)
    problem->inside = reader->field->key;
  else if (problem->text == no_dictionary)
    problem->word = gmem_string(reader->field->key);
  return status;
}

static bool is_given(const gmem_op_list_t *list) {
  return list->attribute || list->operand != GMEM_NO_OPERAND ||
         list->numbers.count;
}

static gmem_status_t read_slice(const gmem_field_reader_t *reader,
                                MlirAttribute value) {
  gmem_op_model_t *model = reader->out;
  model->slice.operand = 0;
  GMEM_TRY(read_inner(reader, value, slice_fields, COUNT(slice_fields),
                      slice_problem));
  *reader->problem = (gmem_malformed_t){.text = slice_problem};
  return status_of(!is_given(&model->slice.size) ||
                   !is_given(&model->slice.end));
}

static gmem_status_t read_insert(const gmem_field_reader_t *reader,
                                 MlirAttribute value) {
  return read_inner(reader, value, insert_fields, COUNT(insert_fields),
                    "insert requires 'operand' and 'begin'");
}

static gmem_status_t read_swap(const gmem_field_reader_t *reader,
                               MlirAttribute value) {
  gmem_op_model_t *model = reader->out;
  model->moves.swaps = true;
  return read_inner(reader, value, swap_fields, COUNT(swap_fields),
                    "swap requires 'first' and 'second'");
}

static gmem_status_t read_concat(const gmem_field_reader_t *reader,
                                 MlirAttribute value) {
  return read_inner(reader, value, concat_fields, COUNT(concat_fields),
                    "concat requires 'axis'");
}

static gmem_status_t read_region(const gmem_field_reader_t *reader,
                                 MlirAttribute value) {
  static const char problem[] =
      "valid_region does not take 'kernel' beside 'before' and 'after'";
  gmem_op_region_t *region = &((gmem_op_model_t *)reader->out)->valid_region;
  if (is_word(value, "full"))
    return region->rule = GMEM_REGION_FULL, GMEM_OK;
  if (is_word(value, "same"))
    return region->rule = GMEM_REGION_SAME, GMEM_OK;
  region->rule = GMEM_REGION_AROUND;
  *reader->problem =
      (gmem_malformed_t){.word = gmem_string(reader->field->key),
                         .text = "must be \"full\", \"same\" or a dictionary"};
  if (!mlirAttributeIsADictionary(value))
    return GMEM_ERR_INVALID_ARGUMENT;
  GMEM_TRY(
      read_inner(reader, value, region_fields, COUNT(region_fields), problem));
  *reader->problem = (gmem_malformed_t){.text = problem};
  return status_of(!is_given(&region->kernel) ||
                   (!is_given(&region->before) && !is_given(&region->after)));
}

//===--- models -----------------------------------------------------------===//

static const gmem_field_t model_fields[] = {
    {GMEM_FIELD("kind", gmem_op_model_t, kind, WORD, OPTIONAL),
     .words = kind_names, .least = GMEM_OP_UNKNOWN,
     .problem =
         "must be \"unknown\", \"compute\", \"weight\", \"layer_group\", "
         "\"scalar_body\", \"parallel\", \"reshape\", "
         "\"input\", \"none\", \"empty\", \"branch\", \"for\", "
         "\"while\", \"loop\", \"alloc\", \"dealloc\", "
         "\"view\" or \"global\""},
    KEY("inplace", inplace.operands, inplace, OPTIONAL,
        "must be \"all\", \"map\" or an array<i64> of operands from 0 to 63"),
    KEY("rowwise", rowwise, mask, OPTIONAL, OPERANDS_PROBLEM),
    KEY("permutation", moves.axes, permutation, OPTIONAL, LIST_PROBLEM),
    KEY("broadcast", moves.axes, broadcast, OPTIONAL,
        "must be a unit attribute, the name of an attribute, the number of an "
        "operand from 0 to 63, or an array<i64> of 1 to 64 numbers"),
    KEY("swap", moves.axes, swap, OPTIONAL, NULL),
    KEY("unread", unread, mask, OPTIONAL, OPERANDS_PROBLEM),
    KEY("strided_operands", strided_operands, mask, OPTIONAL, OPERANDS_PROBLEM),
    KEY("strided_results", strided_results, mask, OPTIONAL,
        "must be an array<i64> of results from 0 to 63"),
    KEY("writes", writes, mask, OPTIONAL, OPERANDS_PROBLEM),
    KEY("unless", unless, unless, OPTIONAL,
        "must be \"all\", or an array of operands from 0 to 63 and names of "
        "attributes"),
    KEY("destination", destination, destination, OPTIONAL,
        "must be \"trailing\" or the number of an operand, from 0 to 63"),
    KEY("slice", slice, slice, OPTIONAL, NULL),
    KEY("insert", insert, insert, OPTIONAL, NULL),
    KEY("concat", concat, concat, OPTIONAL, NULL),
    KEY("valid_region", valid_region, region, OPTIONAL, NULL),
    KEY("tuple", tuple, unit, OPTIONAL, UNIT_PROBLEM),
    KEY("tuple_element", tuple_element, name, OPTIONAL, NAME_PROBLEM),
    KEY("stack", stack, unit, OPTIONAL, UNIT_PROBLEM),
    KEY("escapes", escapes, unit, OPTIONAL, UNIT_PROBLEM),
    KEY("starts", starts, unit, OPTIONAL, UNIT_PROBLEM),
    KEY("waits", waits, unit, OPTIONAL, UNIT_PROBLEM)};

// The key of |fields| that may be meant, or NULL.
static const char *nearest_key(MlirStringRef word, const gmem_field_t *fields,
                               size_t count) {
  gmem_nearest_t nearest = {NULL, gmem_slip_limit(word.length)};
  for (size_t i = 0; i < count; ++i)
    gmem_nearest_try(&nearest, word.data, word.length, fields[i].key);
  return nearest.found;
}

// The keys that |problem| may be about.
static const gmem_field_t *keys_of(const gmem_malformed_t *problem,
                                   size_t *out_count) {
  static const struct {
    const char *inside;
    const gmem_field_t *fields;
    size_t count;
  } inner[] = {{"slice", slice_fields, COUNT(slice_fields)},
               {"insert", insert_fields, COUNT(insert_fields)},
               {"swap", swap_fields, COUNT(swap_fields)},
               {"concat", concat_fields, COUNT(concat_fields)},
               {"valid_region", region_fields, COUNT(region_fields)}};
  for (size_t i = 0; problem->inside && i < COUNT(inner); ++i)
    if (strcmp(problem->inside, inner[i].inside) == 0)
      return *out_count = inner[i].count, inner[i].fields;
  *out_count = COUNT(model_fields);
  return model_fields;
}

// Reports the word as an unknown key, with the one that may be meant, or with
// all if these are few.
static gmem_status_t report_key(const gmem_malformed_t *problem,
                                gmem_diag_t *diag) {
  size_t count, length = 0;
  const gmem_field_t *keys = keys_of(problem, &count);
  const char *meant = nearest_key(problem->word, keys, count);
  char hint[128] = "";
  if (meant)
    snprintf(hint, sizeof hint, ": did you mean '%s'?", meant);
  for (size_t i = 0; !meant && problem->inside && i < count; ++i)
    length += (size_t)snprintf(hint + length, sizeof hint - length, "%s'%s'",
                               i ? ", " : ": it has ", keys[i].key);
  assert(length < sizeof hint);
  return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT, "%s '%.*s'%s%s%s",
                   problem->inside ? "unknown key"
                                   : "unknown op model attribute",
                   (int)problem->word.length, problem->word.data,
                   problem->inside ? " in " : "",
                   problem->inside ? problem->inside : "", hint);
}

static gmem_status_t report(const gmem_malformed_t *problem,
                            gmem_diag_t *diag) {
  const char *word = problem->word.data;
  if (!word)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT, "%s", problem->text);
  if (problem->text == unknown_key)
    return report_key(problem, diag);
  return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT, "%.*s%s%s %s",
                   (int)problem->word.length, word,
                   problem->inside ? " of " : "",
                   problem->inside ? problem->inside : "", problem->text);
}

gmem_status_t gmem_op_model_read(MlirNamedAttribute attribute,
                                 gmem_bump_t *arena, gmem_op_model_t *model,
                                 gmem_diag_t *diag) {
  static const gmem_schema_t schema = {.fields = model_fields,
                                       .count = COUNT(model_fields),
                                       .unknown = unknown_key};
  gmem_malformed_t problem;
  gmem_status_t status =
      gmem_field_read(&schema, attribute, arena, model, &problem);
  if (status == GMEM_ERR_OUT_OF_MEMORY)
    return gmem_out_of_memory(diag);
  return status == GMEM_OK ? GMEM_OK : report(&problem, diag);
}

// The number of mutually exclusive definitions of result 0.
static int count_sources(const gmem_op_model_t *model) {
  return (model->slice.operand != GMEM_NO_OPERAND) +
         (model->insert.operand != GMEM_NO_OPERAND) +
         (model->concat.axis != NULL) + model->tuple +
         (model->tuple_element != NULL) + model->moves.permutes +
         model->moves.swaps + model->moves.broadcasts;
}

gmem_status_t gmem_op_model_check(const gmem_op_model_t *model,
                                  gmem_diag_t *diag) {
  if (count_sources(model) > 1)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "slice, insert, concat, tuple, tuple_element, "
                     "permutation, swap and broadcast are mutually exclusive");
  if (model->insert.operand != GMEM_NO_OPERAND &&
      (model->destination != GMEM_DESTINATION_OPERAND ||
       model->destination_operand == model->insert.operand))
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "insert requires another operand as destination");
  bool shares = count_sources(model) || model->inplace.operands ||
                model->inplace.by_map || model->rowwise || model->destination ||
                model->strided_operands || model->strided_results;
  if (shares && model->kind != GMEM_OP_COMPUTE &&
      model->kind != GMEM_OP_SCALAR_BODY)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "kind \"%s\" does not support inplace, rowwise, "
                     "destination, slice, insert, concat, tuple, "
                     "tuple_element, permutation, swap, broadcast, "
                     "strided_operands or strided_results",
                     kind_names[model->kind]);
  if ((model->starts || model->waits) && model->kind != GMEM_OP_COMPUTE)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "kind \"%s\" does not support starts or waits",
                     kind_names[model->kind]);
  return GMEM_OK;
}
