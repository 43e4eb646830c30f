// op_model_text.c - reads model files with MLIR's parser in a separate context,
// so that the user's context is not modified.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "op_model_text.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "attribute_codec.h"
#include "diagnostics.h"
#include "dialect.h"
#include "edit_distance.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Diagnostics.h"

// MLIR's parser is recursive: deeper nesting could overflow its stack.
enum { MAX_NESTING = 100 };

// State while one part of a text is read.
typedef struct part_s {
  const char *name;   // of the text
  const char *bytes;  // NUL-terminated
  size_t length;      //
  int64_t first_line; // of the part in its text, from 0
  gmem_bump_t *arena;
  GMEM_LIST(gmem_op_model_t) ops;
  GMEM_LIST(gmem_argument_model_t) arguments;
  GMEM_LIST(gmem_type_model_t) types;
  GMEM_LIST(gmem_op_name_t) names;
  GMEM_LIST(const char *) pure;
  gmem_diag_t *diag;
} part_t;

//===--- messages ---------------------------------------------------------===//

static int64_t line_of(const part_t *part, MlirLocation location) {
  return mlirLocationIsAFileLineColRange(location)
             ? part->first_line +
                   mlirLocationFileLineColRangeGetStartLine(location)
             : part->first_line + 1;
}

static int column_of(MlirLocation location) {
  return mlirLocationIsAFileLineColRange(location)
             ? mlirLocationFileLineColRangeGetStartColumn(location)
             : 1;
}

// A failure whose text has no location yet.
#define refuse(part, ...)                                                      \
  gmem_fail((part)->diag, GMEM_ERR_INVALID_ARGUMENT, __VA_ARGS__)

// Prepends "NAME:LINE:COLUMN: " to the text of |part->diag|.
static gmem_status_t add_location(part_t *part, MlirLocation location) {
  gmem_diag_t found = *part->diag;
  return refuse(part, "%s:%" PRId64 ":%d: %s", part->name,
                line_of(part, location), column_of(location), found.text);
}

static gmem_status_t fail_at(part_t *part, MlirLocation location,
                             const char *text) {
  (void)refuse(part, "%s", text);
  return add_location(part, location);
}

// Diagnostic handler: keeps the first error of MLIR's parser and prints
// nothing.
static MlirLogicalResult keep_error(MlirDiagnostic diagnostic, void *user) {
  part_t *part = user;
  if (mlirDiagnosticGetSeverity(diagnostic) != MlirDiagnosticError ||
      part->diag->status != GMEM_OK)
    return mlirLogicalResultSuccess();
  char text[256] = "";
  gmem_printed_t line = {text, sizeof text, 0, false};
  mlirDiagnosticPrint(diagnostic, gmem_print_into, &line);
  (void)fail_at(part, mlirDiagnosticGetLocation(diagnostic), text);
  return mlirLogicalResultSuccess();
}

//===--- one part of a text -----------------------------------------------===//

// Reads a required string attribute into |*out|. Fails without a location.
static gmem_status_t read_string(part_t *part, MlirOperation op,
                                 const char *name, const char **out) {
  MlirStringRef text = {NULL, 0};
  (void)gmem_string_get(gmem_op_attribute(op, name), &text);
  if (text.length == 0 || memchr(text.data, 0, text.length))
    return refuse(part, "%s must be a non-empty string", name);
  *out = gmem_bump_string(part->arena, text.data, text.length);
  return *out ? GMEM_OK : gmem_out_of_memory(part->diag);
}

// Adds the model that |op| describes. Fails without a location.
static gmem_status_t add_model(part_t *part, MlirOperation op) {
  const char *name = NULL;
  GMEM_TRY(read_string(part, op, "op", &name));
  gmem_op_model_t model = gmem_op_model_of(name);
  model.line = line_of(part, mlirOperationGetLocation(op));
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(op, i);
    if (!gmem_string_is(mlirIdentifierStr(attribute.name), "op"))
      GMEM_TRY(gmem_op_model_read(attribute, part->arena, &model, part->diag));
  }
  GMEM_TRY(gmem_op_model_check(&model, part->diag));
  GMEM_APPEND(part->arena, &part->ops, model);
  return gmem_bump_status(part->arena, part->diag);
}

static gmem_status_t add_argument_model(part_t *part, MlirOperation op) {
  gmem_argument_model_t model = {NULL, NULL};
  const char *kind = "";
  GMEM_TRY(read_string(part, op, "attribute", &model.attribute));
  GMEM_TRY(read_string(part, op, "contains", &model.contains));
  GMEM_TRY(read_string(part, op, "kind", &kind));
  if (strcmp(kind, "weight") != 0)
    return refuse(part, "kind must be \"weight\"");
  if (mlirOperationGetNumAttributes(op) != 3)
    return refuse(part, "gmem.argument_model accepts only 'attribute', "
                        "'contains' and 'kind'");
  GMEM_APPEND(part->arena, &part->arguments, model);
  return gmem_bump_status(part->arena, part->diag);
}

// Reads the multiples to which the last dimensions are rounded up.
static gmem_status_t read_multiples(part_t *part, MlirAttribute list,
                                    gmem_tensor_form_t *form) {
  const char *problem = "round must be an array<i64> of numbers from 1 to "
                        "1048576, one for each of the last dimensions";
  if (!gmem_is_i64_list(list, -1))
    return refuse(part, "%s", problem);
  int64_t *multiples;
  form->multiple_count = (size_t)mlirDenseArrayGetNumElements(list);
  GMEM_TRY_ALLOC(multiples, part->arena, form->multiple_count, part->diag);
  form->multiples = multiples;
  for (size_t i = 0; i < form->multiple_count; ++i) {
    multiples[i] = mlirDenseI64ArrayGetElement(list, (intptr_t)i);
    if (multiples[i] < 1 || multiples[i] > 1 << 20)
      return refuse(part, "%s", problem);
  }
  return GMEM_OK;
}

static gmem_status_t refuse_type_key(part_t *part, MlirStringRef key) {
  static const char *const keys[] = {"type", "encoding", "element_bits",
                                     "round", "kind"};
  gmem_nearest_t nearest = {NULL, gmem_slip_limit(key.length)};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i)
    gmem_nearest_try(&nearest, key.data, key.length, keys[i]);
  return refuse(part, "unknown type model attribute '%.*s'%s%s%s",
                (int)key.length, key.data,
                nearest.found ? ": did you mean '" : "",
                nearest.found ? nearest.found : "", nearest.found ? "'?" : "");
}

// Reads one attribute of a type model.
static gmem_status_t read_type_field(part_t *part, MlirOperation op,
                                     MlirNamedAttribute attribute,
                                     gmem_type_model_t *model) {
  MlirStringRef key = mlirIdentifierStr(attribute.name), kind = {NULL, 0};
  int64_t bits = 0;
  if (gmem_string_is(key, "type"))
    return read_string(part, op, "type", &model->type);
  if (gmem_string_is(key, "encoding"))
    return read_string(part, op, "encoding", &model->encoding);
  if (gmem_string_is(key, "round"))
    return read_multiples(part, attribute.attribute, &model->form);
  if (gmem_string_is(key, "kind")) {
    bool is_string = gmem_string_get(attribute.attribute, &kind);
    model->is_scalar = is_string && gmem_string_is(kind, "scalar");
    model->is_none =
        model->is_scalar || (is_string && gmem_string_is(kind, "none"));
    return model->is_none ? GMEM_OK
                          : refuse(part, "kind must be \"none\" or \"scalar\"");
  }
  if (!gmem_string_is(key, "element_bits"))
    return refuse_type_key(part, key);
  if (!gmem_i64_get(attribute.attribute, &bits) || bits < 1 || bits > 1 << 20)
    return refuse(part, "element_bits must be an i64 from 1 to 1048576");
  model->form.bits = (uint64_t)bits;
  return GMEM_OK;
}

static gmem_status_t add_type_model(part_t *part, MlirOperation op) {
  gmem_type_model_t model = {.type = NULL};
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i)
    GMEM_TRY(
        read_type_field(part, op, mlirOperationGetAttribute(op, i), &model));
  if (!model.type == !model.encoding)
    return refuse(part, "gmem.type_model requires 'type' or 'encoding'");
  if (model.type && model.type[0] != '!')
    return refuse(part,
                  "type '%s' is not one of another dialect, which begin with "
                  "'!'",
                  model.type);
  if (model.is_none && (model.form.bits || model.form.multiple_count))
    return refuse(part, "kind \"%s\" does not support element_bits or round",
                  model.is_scalar ? "scalar" : "none");
  GMEM_APPEND(part->arena, &part->types, model);
  return gmem_bump_status(part->arena, part->diag);
}

static gmem_status_t add_op_name(part_t *part, MlirOperation op) {
  gmem_op_name_t name = {NULL, NULL};
  GMEM_TRY(read_string(part, op, "op", &name.op));
  GMEM_TRY(read_string(part, op, "attribute", &name.attribute));
  if (mlirOperationGetNumAttributes(op) != 2)
    return refuse(part, "gmem.op_name accepts only 'op' and 'attribute'");
  for (size_t i = 0; i < part->names.count; ++i)
    if (strcmp(part->names.at[i].op, name.op) == 0)
      return refuse(part,
                    "an attribute of '%s' that names its models is stated "
                    "twice",
                    name.op);
  GMEM_APPEND(part->arena, &part->names, name);
  return gmem_bump_status(part->arena, part->diag);
}

static gmem_status_t add_pure_ops(part_t *part, MlirOperation op) {
  MlirAttribute ops = gmem_op_attribute(op, "ops");
  if (!gmem_attribute_is(ops, mlirAttributeIsAArray) ||
      mlirOperationGetNumAttributes(op) != 1)
    return refuse(part, "gmem.pure_ops accepts only 'ops', an array of names");
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(ops); ++i) {
    MlirStringRef name;
    if (!gmem_string_get(mlirArrayAttrGetElement(ops, i), &name) ||
        name.length == 0 || memchr(name.data, 0, name.length))
      return refuse(part, "ops must be an array of non-empty strings");
    const char *copy = gmem_bump_string(part->arena, name.data, name.length);
    GMEM_APPEND(part->arena, &part->pure, copy);
  }
  return gmem_bump_status(part->arena, part->diag);
}

static gmem_status_t add_entry(part_t *part, MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  gmem_status_t status =
      gmem_op_is(op, "gmem.op_model")         ? add_model(part, op)
      : gmem_op_is(op, "gmem.argument_model") ? add_argument_model(part, op)
      : gmem_op_is(op, "gmem.type_model")     ? add_type_model(part, op)
      : gmem_op_is(op, "gmem.op_name")        ? add_op_name(part, op)
      : gmem_op_is(op, "gmem.pure_ops")
          ? add_pure_ops(part, op)
          : refuse(part,
                   "unexpected op '%.*s': expected gmem.op_model, "
                   "gmem.argument_model, gmem.type_model, gmem.op_name or "
                   "gmem.pure_ops",
                   (int)name.length, name.data);
  return status == GMEM_ERR_INVALID_ARGUMENT
             ? add_location(part, mlirOperationGetLocation(op))
             : status;
}

// The block with the models; gmem-opt prints a file wrapped in a module.
static MlirBlock models_of(MlirModule module) {
  MlirBlock body = mlirModuleGetBody(module);
  MlirOperation first = mlirBlockGetFirstOperation(body);
  bool is_wrapped = !mlirOperationIsNull(first) &&
                    mlirOperationIsNull(mlirOperationGetNextInBlock(first)) &&
                    gmem_op_is(first, "builtin.module");
  return is_wrapped ? gmem_entry_block(first) : body;
}

static int by_name(const void *a, const void *b) {
  const gmem_op_model_t *left = a, *right = b;
  int order = strcmp(left->op, right->op);
  return order ? order
               : (left->line > right->line) - (left->line < right->line);
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static gmem_status_t sort_models(part_t *part) {
  const gmem_op_model_t *ops = part->ops.at;
  if (part->pure.count)
    qsort(part->pure.at, part->pure.count, sizeof *part->pure.at, by_text);
  if (part->ops.count)
    qsort(part->ops.at, part->ops.count, sizeof *ops, by_name);
  for (size_t i = 1; i < part->ops.count; ++i)
    if (strcmp(ops[i - 1].op, ops[i].op) == 0)
      return refuse(part,
                    "%s:%" PRId64 ": duplicate op model of '%s', first "
                    "defined on line %" PRId64,
                    part->name, ops[i].line, ops[i].op, ops[i - 1].line);
  return GMEM_OK;
}

// Whether the nesting of brackets is within MAX_NESTING.
static bool is_shallow(const part_t *part) {
  int depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < part->length; ++i) {
    char c = part->bytes[i];
    if (c == '"' || (in_string && c == '\n'))
      in_string = !in_string;
    else if (in_string)
      i += c == '\\';
    else if (c == '/' && part->bytes[i + 1] == '/')
      i += strcspn(part->bytes + i, "\n");
    else if (strchr("([{<", c))
      ++depth;
    else if (strchr(")]}>", c) &&
             (c != '>' || i == 0 || part->bytes[i - 1] != '-'))
      --depth;
    if (depth > MAX_NESTING)
      return false;
  }
  return true;
}

static gmem_status_t read_parsed(part_t *part, MlirModule module) {
  for (MlirOperation op = mlirBlockGetFirstOperation(models_of(module));
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    GMEM_TRY(add_entry(part, op));
  return sort_models(part);
}

static gmem_status_t read_part(part_t *part, MlirContext context) {
  MlirLocation start = mlirLocationUnknownGet(context);
  if (memchr(part->bytes, 0, part->length))
    return fail_at(part, start, "not a text file: contains a NUL byte");
  if (!is_shallow(part))
    return fail_at(part, start, "brackets are nested too deeply");
  part->diag->status = GMEM_OK;
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, keep_error, part, NULL);
  MlirModule module = mlirModuleCreateParse(
      context, mlirStringRefCreate(part->bytes, part->length));
  mlirContextDetachDiagnosticHandler(context, handler);
  if (mlirModuleIsNull(module))
    return part->diag->status != GMEM_OK
               ? part->diag->status
               : fail_at(part, start, "cannot be parsed");
  gmem_status_t status = read_parsed(part, module);
  mlirModuleDestroy(module);
  return status;
}

//===--- texts ------------------------------------------------------------===//

// The length of the first part of |text| without the separator line that
// follows it; |*out_with_separator| includes that line.
static size_t part_length(MlirStringRef text, size_t *out_with_separator) {
  static const char separator[] = "// -----";
  const size_t length = sizeof separator - 1;
  for (size_t i = 0; i + length <= text.length; ++i) {
    bool begins_line = i == 0 || text.data[i - 1] == '\n';
    size_t end = i + length;
    bool ends_line = end == text.length || text.data[end] == '\n';
    if (!begins_line || !ends_line ||
        memcmp(text.data + i, separator, length) != 0)
      continue;
    *out_with_separator = end + (end < text.length);
    return i;
  }
  return *out_with_separator = text.length;
}

static int64_t count_lines(const char *bytes, size_t length) {
  int64_t lines = 0;
  for (size_t i = 0; i < length; ++i)
    lines += bytes[i] == '\n';
  return lines;
}

// Sets |*out_models| to the models of |part|, on top of |outer|.
static gmem_status_t make_layer(const part_t *part,
                                const gmem_op_models_t *outer,
                                const gmem_op_models_t **out_models) {
  gmem_op_models_t *models;
  GMEM_TRY_ALLOC(models, part->arena, 1, part->diag);
  *models = (gmem_op_models_t){.models = part->ops.at,
                               .count = part->ops.count,
                               .arguments = part->arguments.at,
                               .argument_count = part->arguments.count,
                               .types = part->types.at,
                               .type_count = part->types.count,
                               .names = part->names.at,
                               .name_count = part->names.count,
                               .pure = part->pure.at,
                               .pure_count = part->pure.count,
                               .outer = outer};
  *out_models = models;
  return GMEM_OK;
}

// Reads |text| part by part. |*models| is those behind the text, and becomes
// those of the last part.
static gmem_status_t read_text(MlirContext context, part_t part,
                               MlirStringRef text,
                               const gmem_op_models_t **models) {
  while (text.length) {
    size_t taken;
    part_t next = {.name = part.name,
                   .length = part_length(text, &taken),
                   .first_line = part.first_line,
                   .arena = part.arena,
                   .diag = part.diag};
    next.bytes = gmem_bump_string(next.arena, text.data, next.length);
    if (!next.bytes)
      return gmem_out_of_memory(next.diag);
    assert(taken >= next.length && taken <= text.length);
    GMEM_TRY(read_part(&next, context));
    GMEM_TRY(make_layer(&next, *models, models));
    part.first_line += count_lines(text.data, taken);
    text = mlirStringRefCreate(text.data + taken, text.length - taken);
  }
  return GMEM_OK;
}

gmem_status_t gmem_op_models_parse(gmem_bump_t *arena, const char *name,
                                   MlirStringRef text,
                                   const gmem_op_models_t *outer,
                                   const gmem_op_models_t **out_models,
                                   gmem_diag_t *diag) {
  const part_t first = {.name = name, .arena = arena, .diag = diag};
  // A context of its own that has the gmem dialect.
  MlirContext context = mlirContextCreateWithThreading(false);
  mlirContextSetAllowUnregisteredDialects(context, true);
  *out_models = outer;
  gmem_status_t status =
      mlirLogicalResultIsFailure(gmem_load_dialect(context))
          ? gmem_fail(diag, GMEM_ERR_STATE, "cannot load the gmem dialect")
          : read_text(context, first, text, out_models);
  mlirContextDestroy(context);
  return status;
}
