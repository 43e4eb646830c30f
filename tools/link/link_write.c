// link_write.c - see link_write.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // fopencookie

#include "link_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "link_header.h"

// Opens another file; returns NULL after printing an error.
static gmem_output_t *add_file(gmem_link_files_t *files, const char *folder,
                               const char *name) {
  gmem_diag_t diag;
  gmem_link_file_t *file = &files->at[files->count];
  file->path = malloc(strlen(folder) + strlen(name) + 2);
  if (!file->path) {
    gmem_link_out_of_memory();
    return NULL;
  }
  sprintf(file->path, "%s/%s", folder, name);
  if (gmem_output_open(file->path, &file->output, &diag) != GMEM_OK) {
    gmem_link_error("%s: %s", file->path, diag.text);
    free(file->path);
    return NULL;
  }
  ++files->count;
  return file->output;
}

static bool finish(const gmem_link_file_t *file) {
  gmem_diag_t diag;
  return gmem_output_prepare(file->output, &diag) == GMEM_OK ||
         gmem_link_error("%s: %s", file->path, diag.text);
}

// The output records write errors.
static void print_piece(MlirStringRef piece, void *output) {
  (void)gmem_output_write(output, piece.data, piece.length);
}

// Whether both paths refer to the same file.
static bool is_same_file(const char *a, const char *b) {
  struct stat first, second;
  return stat(a, &first) == 0 && stat(b, &second) == 0 &&
         first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

static bool write_module(gmem_link_files_t *files, const char *folder,
                         const gmem_link_model_t *model, bool debug_info) {
  gmem_output_t *output = add_file(files, folder, model->file);
  if (!output)
    return false;
  if (is_same_file(model->path, files->at[files->count - 1].path))
    return gmem_link_error("%s: the output would overwrite the input: use "
                           "another directory with -o",
                           model->path);
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  if (debug_info)
    mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
  mlirOperationPrintWithFlags(mlirModuleGetOperation(model->module), flags,
                              print_piece, output);
  mlirOpPrintingFlagsDestroy(flags);
  (void)gmem_output_write(output, "\n", 1);
  return finish(&files->at[files->count - 1]);
}

static bool write_json(gmem_link_files_t *files, const char *folder,
                       const char *json) {
  gmem_output_t *output = add_file(files, folder, "link.json");
  if (!output)
    return false;
  (void)gmem_output_write(output, json, strlen(json));
  return finish(&files->at[files->count - 1]);
}

static ssize_t write_piece(void *output, const char *bytes, size_t size) {
  (void)gmem_output_write(output, bytes, size); // the output records errors
  return (ssize_t)size;
}

static bool write_header(gmem_link_files_t *files,
                         const gmem_link_result_t *result) {
  static const cookie_io_functions_t functions = {.write = write_piece};
  char name[128]; // large enough for any valid prefix
  snprintf(name, sizeof name, "%s_memory.h", result->prefix);
  gmem_output_t *output = add_file(files, result->folder, name);
  FILE *out = output ? fopencookie(output, "w", functions) : NULL;
  if (!out)
    return output ? gmem_link_out_of_memory() : false;
  gmem_link_header_write(result->models, result->pools, result->prefix, out);
  return (fclose(out) == 0 || gmem_link_out_of_memory()) &&
         finish(&files->at[files->count - 1]);
}

bool gmem_link_files_prepare(gmem_link_files_t *files,
                             const gmem_link_result_t *result) {
  const gmem_link_models_t *models = result->models;
  *files = (gmem_link_files_t){0};
  files->at = calloc(models->count + 2, sizeof *files->at);
  if (!files->at)
    return gmem_link_out_of_memory();
  for (size_t i = 0; i < models->count; ++i)
    if (!write_module(files, result->folder, &models->at[i],
                      result->debug_info))
      return false;
  return write_json(files, result->folder, result->json) &&
         write_header(files, result);
}

static void release(gmem_link_files_t *files) {
  for (size_t i = 0; i < files->count; ++i)
    free(files->at[i].path);
  free(files->at);
  *files = (gmem_link_files_t){0};
}

bool gmem_link_files_commit(gmem_link_files_t *files) {
  bool good = true;
  for (size_t i = 0; i < files->count; ++i) {
    gmem_diag_t diag;
    if (!good)
      gmem_output_abort(files->at[i].output);
    else if (gmem_output_commit(files->at[i].output, &diag) != GMEM_OK)
      good = gmem_link_error("%s: %s", files->at[i].path, diag.text);
  }
  release(files);
  return good;
}

void gmem_link_files_abort(gmem_link_files_t *files) {
  for (size_t i = 0; i < files->count; ++i)
    gmem_output_abort(files->at[i].output);
  release(files);
}
