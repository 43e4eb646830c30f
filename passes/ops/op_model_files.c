// op_model_files.c - copies model files into the gmem.op_models attributes of
// scopes, so that the planned IR can be verified without the files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "op_model_files.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attribute_codec.h"
#include "diag.h"
#include "diagnostics.h"
#include "files.h"
#include "mlir-c/BuiltinAttributes.h"
#include "op_model_text.h"
#include "scopes.h"
#include "text.h"
#include "vocabulary.h"

static const char separator[] = "// -----\n";

//===--- texts ------------------------------------------------------------===//

// Appends |part| to |text|, separated by a line "// -----".
static void append_part(gmem_text_t *text, MlirStringRef part) {
  if (text->length && text->bytes[text->length - 1] != '\n')
    gmem_text_append(text, "\n", 1);
  if (text->length)
    gmem_text_append(text, separator, sizeof separator - 1);
  gmem_text_append(text, part.data, part.length);
}

static bool ends_with(MlirStringRef text, MlirStringRef end) {
  return text.length >= end.length &&
         memcmp(text.data + (text.length - end.length), end.data, end.length) ==
             0 &&
         (text.length == end.length ||
          text.data[text.length - end.length - 1] == '\n');
}

// Appends a validated text to the scope's models, unless they already end with
// it: every pass of a pipeline is given the same files.
static gmem_status_t add_checked(MlirOperation scope, MlirStringRef text,
                                 gmem_bump_t *arena, gmem_diag_t *diag) {
  MlirAttribute old = gmem_op_annotation(scope, GMEM_ATTR_OP_MODELS);
  MlirStringRef present = {NULL, 0};
  gmem_text_t whole = {.arena = arena};
  if (text.length == 0)
    return GMEM_OK;
  if (!mlirAttributeIsNull(old) && !gmem_string_get(old, &present))
    return gmem_reject(diag, scope, "%s must be a string",
                       gmem_vocabulary[GMEM_ATTR_OP_MODELS].name);
  if (ends_with(present, text))
    return GMEM_OK;
  gmem_text_piece(present, &whole);
  append_part(&whole, text);
  assert(whole.out_of_memory || whole.length >= text.length);
  if (whole.out_of_memory)
    return gmem_out_of_memory(diag);
  gmem_op_annotate(
      scope, GMEM_ATTR_OP_MODELS,
      mlirStringAttrGet(mlirOperationGetContext(scope),
                        mlirStringRefCreate(whole.bytes, whole.length)));
  return GMEM_OK;
}

static gmem_status_t parse_and_add(MlirOperation scope, MlirStringRef text,
                                   gmem_bump_t *arena, gmem_diag_t *diag) {
  const gmem_op_models_t *ignored;
  GMEM_TRY(gmem_op_models_parse(arena, "text", text, NULL, &ignored, diag));
  return add_checked(scope, text, arena, diag);
}

gmem_status_t gmem_op_models_add(MlirOperation scope, const char *text,
                                 size_t length, gmem_diag_t *diag) {
  GMEM_NEED(scope.ptr && text, diag);
  gmem_bump_t arena;
  gmem_diag_t unread;
  gmem_bump_init(&arena, NULL);
  gmem_status_t status = parse_and_add(scope, mlirStringRefCreate(text, length),
                                       &arena, diag ? diag : &unread);
  gmem_bump_destroy(&arena);
  return status;
}

//===--- files ------------------------------------------------------------===//

static gmem_status_t unreadable(const char *path, int error,
                                gmem_diag_t *diag) {
  char reason[128];
  if (strerror_r(error, reason, sizeof reason) != 0)
    snprintf(reason, sizeof reason, "error %d", error);
  gmem_status_t status = gmem_fail(diag, GMEM_ERR_IO, "%s: %s", path, reason);
  diag->os_error = error;
  return status;
}

// Reads and checks the file at |path|, and appends it to |text|.
static gmem_status_t append_file(gmem_text_t *text, const char *path,
                                 gmem_diag_t *diag) {
  const gmem_op_models_t *ignored;
  char *bytes;
  size_t size;
  gmem_status_t status = gmem_read_file(path, &bytes, &size, diag);
  if (status == GMEM_ERR_IO)
    return unreadable(path, diag->os_error, diag);
  MlirStringRef part = mlirStringRefCreate(bytes, size);
  if (status == GMEM_OK)
    status =
        gmem_op_models_parse(text->arena, path, part, NULL, &ignored, diag);
  if (status == GMEM_OK)
    append_part(text, part);
  free(bytes);
  return status;
}

// |paths| is a comma-separated list.
static gmem_status_t append_files(gmem_text_t *text, const char *paths,
                                  gmem_diag_t *diag) {
  for (size_t length;; paths += length + 1) {
    length = strcspn(paths, ",");
    char *path = gmem_bump_string(text->arena, paths, length);
    if (!path)
      return gmem_out_of_memory(diag);
    GMEM_TRY(append_file(text, path, diag));
    if (!paths[length])
      return text->out_of_memory ? gmem_out_of_memory(diag) : GMEM_OK;
  }
}

typedef struct files_s {
  gmem_text_t text;
  gmem_diag_t *diag;
} files_t;

static gmem_status_t add_to_scope(MlirOperation scope, void *user) {
  files_t *files = user;
  return add_checked(scope,
                     mlirStringRefCreate(files->text.bytes, files->text.length),
                     files->text.arena, files->diag);
}

// Reports errors about files, which have no location of their own, at |top|.
static gmem_status_t add_files(MlirOperation top, const char *paths,
                               files_t *files) {
  gmem_status_t status = append_files(&files->text, paths, files->diag);
  if (status != GMEM_OK && status != GMEM_ERR_OUT_OF_MEMORY)
    return gmem_op_error(NULL, status, top, "op-models: %s", files->diag->text);
  if (status == GMEM_OK)
    status = gmem_for_each_scope(top, add_to_scope, files);
  if (status == GMEM_ERR_OUT_OF_MEMORY)
    gmem_op_error(NULL, status, top, "%s", files->diag->text);
  return status;
}

gmem_status_t gmem_op_models_add_files(MlirOperation top,
                                       const gmem_plan_options_t *options,
                                       const gmem_allocator_t *allocator,
                                       gmem_diag_t *diag) {
  if (!options->op_models[0])
    return GMEM_OK;
  gmem_bump_t arena;
  gmem_diag_t unread;
  gmem_bump_init(&arena, allocator);
  files_t files = {{.arena = &arena}, diag ? diag : &unread};
  gmem_status_t status = add_files(top, options->op_models, &files);
  gmem_bump_destroy(&arena);
  return status;
}
