// op_model_text.c - reads model files with MLIR's parser in a separate context,
// so that the user's context is not modified.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "op_model_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnostics.h"
#include "dialect.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Diagnostics.h"
#include "op_model_read.h"

// MLIR's parser is recursive: deeper nesting could overflow its stack.
enum { MAX_NESTING = 100 };

// State while one part of a text is read.
typedef struct part_s {
  const char *name;   // of the text
  const char *bytes;  // NUL-terminated
  size_t length;      //
  int64_t first_line; // of the part in its text, from 0
  gmem_bump_t *arena;
  gmem_op_models_t *models;
  size_t model_room, argument_room;
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

// Prepends "NAME:LINE:COLUMN: " to the text of |part->diag|.
static gmem_status_t add_location(part_t *part, MlirLocation location) {
  char text[sizeof part->diag->text];
  snprintf(text, sizeof text, "%s", part->diag->text);
  return gmem_fail(part->diag, GMEM_ERR_INVALID_ARGUMENT,
                   "%s:%" PRId64 ":%d: %s", part->name, line_of(part, location),
                   column_of(location), text);
}

static gmem_status_t fail_at(part_t *part, MlirLocation location,
                             const char *text) {
  (void)gmem_fail(part->diag, GMEM_ERR_INVALID_ARGUMENT, "%s", text);
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

// Reads a required string attribute into |*out|.
static gmem_status_t read_string(part_t *part, MlirOperation op,
                                 const char *name, const char **out) {
  MlirAttribute value = gmem_op_attribute(op, name);
  MlirStringRef text = {NULL, 0};
  if (!mlirAttributeIsNull(value) && mlirAttributeIsAString(value))
    text = mlirStringAttrGetValue(value);
  if (text.length == 0 || memchr(text.data, 0, text.length)) {
    (void)gmem_fail(part->diag, GMEM_ERR_INVALID_ARGUMENT,
                    "%s must be a non-empty string", name);
    return add_location(part, mlirOperationGetLocation(op));
  }
  *out = gmem_bump_string(part->arena, text.data, text.length);
  return *out ? GMEM_OK : gmem_out_of_memory(part->diag);
}

static gmem_status_t add_model(part_t *part, MlirOperation op) {
  gmem_op_models_t *models = part->models;
  const char *name = NULL;
  gmem_status_t status = read_string(part, op, "op", &name);
  gmem_op_model_t model = gmem_op_model_of(name);
  model.line = line_of(part, mlirOperationGetLocation(op));
  intptr_t count = mlirOperationGetNumAttributes(op);
  for (intptr_t i = 0; i < count && status == GMEM_OK; ++i) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(op, i);
    if (mlirStringRefEqual(mlirIdentifierStr(attribute.name),
                           gmem_string("op")))
      continue;
    status = gmem_op_model_read(attribute, part->arena, &model, part->diag);
    if (status == GMEM_ERR_INVALID_ARGUMENT)
      return add_location(part, mlirOperationGetLocation(op));
  }
  if (status != GMEM_OK)
    return status;
  if (gmem_op_model_check(&model, part->diag) != GMEM_OK)
    return add_location(part, mlirOperationGetLocation(op));
  if (!gmem_bump_grow(part->arena, &models->models, models->count,
                      &part->model_room, sizeof model))
    return gmem_out_of_memory(part->diag);
  models->models[models->count++] = model;
  return GMEM_OK;
}

static gmem_status_t add_argument_model(part_t *part, MlirOperation op) {
  gmem_op_models_t *models = part->models;
  gmem_argument_model_t model = {NULL, NULL};
  const char *kind = "";
  GMEM_TRY(read_string(part, op, "attribute", &model.attribute));
  GMEM_TRY(read_string(part, op, "contains", &model.contains));
  GMEM_TRY(read_string(part, op, "kind", &kind));
  if (strcmp(kind, "weight") != 0)
    return fail_at(part, mlirOperationGetLocation(op),
                   "kind must be \"weight\"");
  if (mlirOperationGetNumAttributes(op) != 3)
    return fail_at(part, mlirOperationGetLocation(op),
                   "gmem.argument_model accepts only 'attribute', "
                   "'contains' and 'kind'");
  if (!gmem_bump_grow(part->arena, &models->arguments, models->argument_count,
                      &part->argument_room, sizeof model))
    return gmem_out_of_memory(part->diag);
  models->arguments[models->argument_count++] = model;
  return GMEM_OK;
}

static gmem_status_t add_entry(part_t *part, MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (mlirStringRefEqual(name, gmem_string("gmem.op_model")))
    return add_model(part, op);
  if (mlirStringRefEqual(name, gmem_string("gmem.argument_model")))
    return add_argument_model(part, op);
  (void)gmem_fail(part->diag, GMEM_ERR_INVALID_ARGUMENT,
                  "unexpected op '%.*s': expected gmem.op_model or "
                  "gmem.argument_model",
                  (int)name.length, name.data);
  return add_location(part, mlirOperationGetLocation(op));
}

// The block with the models; gmem-opt prints a file wrapped in a module.
static MlirBlock models_of(MlirModule module) {
  MlirBlock body = mlirModuleGetBody(module);
  MlirOperation first = mlirBlockGetFirstOperation(body);
  bool is_wrapped = !mlirOperationIsNull(first) &&
                    mlirOperationIsNull(mlirOperationGetNextInBlock(first)) &&
                    gmem_op_is(first, "builtin.module");
  return is_wrapped ? mlirRegionGetFirstBlock(mlirOperationGetRegion(first, 0))
                    : body;
}

static int by_name(const void *a, const void *b) {
  const gmem_op_model_t *left = a, *right = b;
  int order = strcmp(left->op, right->op);
  return order ? order
               : (left->line > right->line) - (left->line < right->line);
}

static gmem_status_t sort_models(part_t *part) {
  gmem_op_models_t *models = part->models;
  if (models->count)
    qsort(models->models, models->count, sizeof *models->models, by_name);
  for (size_t i = 1; i < models->count; ++i)
    if (strcmp(models->models[i - 1].op, models->models[i].op) == 0)
      return gmem_fail(part->diag, GMEM_ERR_INVALID_ARGUMENT,
                       "%s:%" PRId64 ": duplicate op model of '%s', first "
                       "defined on line %" PRId64,
                       part->name, models->models[i].line, models->models[i].op,
                       models->models[i - 1].line);
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

static MlirContext create_context(void) {
  MlirContext context = mlirContextCreateWithThreading(false);
  mlirContextSetAllowUnregisteredDialects(context, true);
  return context;
}

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

static gmem_status_t parse_parts(gmem_bump_t *arena, MlirContext context,
                                 const char *name, MlirStringRef text,
                                 const gmem_op_models_t **models,
                                 gmem_diag_t *diag) {
  int64_t line = 0;
  while (text.length) {
    size_t taken, length = part_length(text, &taken);
    gmem_op_models_t *layer = gmem_bump_alloc(arena, 1, sizeof *layer);
    part_t part = {.name = name,
                   .bytes = gmem_bump_string(arena, text.data, length),
                   .length = length,
                   .first_line = line,
                   .arena = arena,
                   .models = layer,
                   .diag = diag};
    if (!layer || !part.bytes)
      return gmem_out_of_memory(diag);
    layer->outer = *models;
    *models = layer;
    GMEM_TRY(read_part(&part, context));
    line += count_lines(text.data, taken);
    text = mlirStringRefCreate(text.data + taken, text.length - taken);
  }
  return GMEM_OK;
}

gmem_status_t gmem_op_models_parse(gmem_bump_t *arena, const char *name,
                                   MlirStringRef text,
                                   const gmem_op_models_t *outer,
                                   const gmem_op_models_t **out_models,
                                   gmem_diag_t *diag) {
  *out_models = outer;
  MlirContext context = create_context();
  gmem_status_t status =
      mlirLogicalResultIsFailure(gmem_load_dialect(context))
          ? gmem_fail(diag, GMEM_ERR_STATE, "cannot load the gmem dialect")
          : parse_parts(arena, context, name, text, out_models, diag);
  mlirContextDestroy(context);
  return status;
}

// All compiled-in files make up one layer.
static gmem_status_t load_all(gmem_bump_t *arena, MlirContext context,
                              gmem_op_models_t *models, gmem_diag_t *diag) {
  if (mlirLogicalResultIsFailure(gmem_load_dialect(context)))
    return gmem_fail(diag, GMEM_ERR_STATE, "cannot load the gmem dialect");
  part_t part = {.arena = arena, .models = models, .diag = diag};
  for (size_t i = 0; i < gmem_model_text_count; ++i) {
    part.name = gmem_model_texts[i].name;
    part.bytes = gmem_model_texts[i].bytes;
    part.length = gmem_model_texts[i].length;
    GMEM_TRY(read_part(&part, context));
  }
  return GMEM_OK;
}

gmem_status_t gmem_op_models_load(gmem_bump_t *arena,
                                  gmem_op_models_t *out_models,
                                  gmem_diag_t *diag) {
  *out_models = (gmem_op_models_t){.outer = NULL};
  MlirContext context = create_context();
  gmem_status_t status = load_all(arena, context, out_models, diag);
  mlirContextDestroy(context);
  return status;
}
