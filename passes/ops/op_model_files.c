// op_model_files.c - copies model files into the gmem.op_models attributes of
// scopes, so that the planned IR can be verified without the files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "op_model_files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "diagnostics.h"
#include "mlir-c/BuiltinAttributes.h"
#include "op_model_text.h"
#include "scopes.h"
#include "vocabulary.h"

static const char separator[] = "// -----\n";

enum { MAX_FILE_BYTES = 1 << 26 };

//===--- texts ------------------------------------------------------------===//

// A growing text; |bytes| is in the bump allocator.
typedef struct text_s {
  gmem_bump_t *arena;
  char *bytes;
  size_t length;
} text_t;

// Appends |part| to |text|, separated by a line "// -----".
static gmem_status_t append_part(text_t *text, MlirStringRef part,
                                 gmem_diag_t *diag) {
  size_t mark = text->length ? sizeof separator - 1 : 0;
  char *bytes =
      gmem_bump_alloc(text->arena, text->length + mark + part.length + 2, 1);
  if (!bytes)
    return gmem_out_of_memory(diag);
  size_t used = text->length;
  if (used)
    memcpy(bytes, text->bytes, used);
  if (used && bytes[used - 1] != '\n')
    bytes[used++] = '\n';
  memcpy(bytes + used, separator, mark);
  used += mark;
  if (part.length)
    memcpy(bytes + used, part.data, part.length);
  text->bytes = bytes;
  text->length = used + part.length;
  return GMEM_OK;
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
  MlirStringRef name = gmem_attr_name(GMEM_ATTR_OP_MODELS);
  MlirAttribute old = mlirOperationGetDiscardableAttributeByName(scope, name);
  text_t whole = {arena, NULL, 0};
  gmem_status_t status = GMEM_OK;
  if (text.length == 0)
    return GMEM_OK;
  if (!mlirAttributeIsNull(old)) {
    if (!mlirAttributeIsAString(old))
      return gmem_error(diag, GMEM_ERR_INVALID_ARGUMENT,
                        mlirOperationGetLocation(scope), NULL, 0,
                        "%s must be a string",
                        gmem_vocabulary[GMEM_ATTR_OP_MODELS].name);
    if (ends_with(mlirStringAttrGetValue(old), text))
      return GMEM_OK;
    status = append_part(&whole, mlirStringAttrGetValue(old), diag);
  }
  if (status == GMEM_OK)
    status = append_part(&whole, text, diag);
  if (status == GMEM_OK)
    mlirOperationSetDiscardableAttributeByName(
        scope, name,
        mlirStringAttrGet(mlirOperationGetContext(scope),
                          mlirStringRefCreate(whole.bytes, whole.length)));
  return status;
}

gmem_status_t gmem_op_models_add(MlirOperation scope, const char *text,
                                 size_t length, gmem_diag_t *diag) {
  gmem_bump_t arena;
  gmem_diag_t unread;
  diag = diag ? diag : &unread;
  gmem_bump_init(&arena, NULL);
  MlirStringRef models = mlirStringRefCreate(text, length);
  const gmem_op_models_t *ignored;
  gmem_status_t status =
      gmem_op_models_parse(&arena, "text", models, NULL, &ignored, diag);
  if (status == GMEM_OK)
    status = add_checked(scope, models, &arena, diag);
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

// Reads all of |file| into |*out_text|, in |arena|.
static gmem_status_t read_whole(FILE *file, const char *path,
                                gmem_bump_t *arena, MlirStringRef *out_text,
                                gmem_diag_t *diag) {
  size_t used = 0, room = 0;
  char *bytes = NULL;
  do {
    size_t grown = room ? 2 * room : 1 << 14;
    char *copy = gmem_bump_alloc(arena, grown, 1);
    if (!copy)
      return gmem_out_of_memory(diag);
    if (used)
      memcpy(copy, bytes, used);
    bytes = copy;
    room = grown;
    errno = 0;
    used += fread(bytes + used, 1, room - used, file);
    if (ferror(file))
      return unreadable(path, errno ? errno : EIO, diag);
    if (used > MAX_FILE_BYTES)
      return unreadable(path, EFBIG, diag);
  } while (used == room);
  *out_text = mlirStringRefCreate(bytes, used);
  return GMEM_OK;
}

// Reads and checks the file at |path|, and appends it to |text|.
static gmem_status_t append_file(text_t *text, const char *path,
                                 gmem_diag_t *diag) {
  MlirStringRef bytes = {NULL, 0};
  const gmem_op_models_t *ignored;
  FILE *file = fopen(path, "rbe");
  if (!file)
    return unreadable(path, errno, diag);
  gmem_status_t status = read_whole(file, path, text->arena, &bytes, diag);
  fclose(file);
  if (status == GMEM_OK)
    status =
        gmem_op_models_parse(text->arena, path, bytes, NULL, &ignored, diag);
  return status == GMEM_OK ? append_part(text, bytes, diag) : status;
}

// |paths| is a comma-separated list.
static gmem_status_t append_files(text_t *text, const char *paths,
                                  gmem_diag_t *diag) {
  gmem_status_t status = GMEM_OK;
  while (status == GMEM_OK) {
    size_t length = strcspn(paths, ",");
    char *path = gmem_bump_string(text->arena, paths, length);
    status = path ? append_file(text, path, diag) : gmem_out_of_memory(diag);
    if (!paths[length])
      break;
    paths += length + 1;
  }
  return status;
}

typedef struct files_s {
  text_t text;
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
    return gmem_error(NULL, status, mlirOperationGetLocation(top), NULL, 0,
                      "op-models: %s", files->diag->text);
  if (status == GMEM_OK)
    status = gmem_for_each_scope(top, add_to_scope, files);
  if (status == GMEM_ERR_OUT_OF_MEMORY)
    gmem_error(NULL, status, mlirOperationGetLocation(top), NULL, 0, "%s",
               files->diag->text);
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
  files_t files = {{&arena, NULL, 0}, diag ? diag : &unread};
  gmem_status_t status = add_files(top, options->op_models, &files);
  gmem_bump_destroy(&arena);
  return status;
}
