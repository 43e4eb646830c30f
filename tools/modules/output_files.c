// output_files.c - output files that appear together: all of them, or none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // fopencookie, vasprintf

#include "output_files.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>

#include "diag.h"

static gmem_status_t fail_at(gmem_output_files_t *files,
                             const gmem_output_file_t *file,
                             gmem_status_t status) {
  files->failed = file->path;
  return status;
}

gmem_status_t gmem_output_files_add(gmem_output_files_t *files,
                                    gmem_diag_t *diag, const char *format,
                                    ...) {
  va_list arguments;
  gmem_output_file_t *grown =
      realloc(files->at, (files->count + 1) * sizeof *grown);
  if (!grown)
    return gmem_out_of_memory(diag);
  files->at = grown;
  gmem_output_file_t *file = &grown[files->count];
  *file = (gmem_output_file_t){0};
  va_start(arguments, format);
  int length = vasprintf(&file->path, format, arguments);
  va_end(arguments);
  if (length < 0)
    return gmem_out_of_memory(diag);
  ++files->count;
  gmem_status_t status = gmem_output_open(file->path, &file->output, diag);
  return status == GMEM_OK ? status : fail_at(files, file, status);
}

gmem_output_t *gmem_output_files_last(const gmem_output_files_t *files) {
  assert(files->count && files->at[files->count - 1].output);
  return files->at[files->count - 1].output;
}

const char *gmem_output_files_path(const gmem_output_files_t *files) {
  assert(files->count);
  return files->at[files->count - 1].path;
}

static ssize_t write_piece(void *output, const char *bytes, size_t size) {
  (void)gmem_output_write(output, bytes, size); // the output records errors
  return (ssize_t)size;
}

gmem_status_t gmem_output_files_begin_c(const gmem_output_files_t *files,
                                        const char *name,
                                        gmem_c_text_t *out_text,
                                        gmem_diag_t *diag) {
  static const cookie_io_functions_t functions = {.write = write_piece};
  FILE *file = fopencookie(gmem_output_files_last(files), "w", functions);
  if (!file)
    return gmem_out_of_memory(diag);
  *out_text = gmem_c_text_begin(file, name);
  return GMEM_OK;
}

gmem_status_t gmem_output_files_prepare(gmem_output_files_t *files,
                                        gmem_diag_t *diag) {
  for (size_t i = 0; i < files->count; ++i) {
    gmem_status_t status = gmem_output_prepare(files->at[i].output, diag);
    if (status != GMEM_OK)
      return fail_at(files, &files->at[i], status);
  }
  return GMEM_OK;
}

gmem_status_t gmem_output_files_commit(gmem_output_files_t *files,
                                       gmem_diag_t *diag) {
  for (size_t i = 0; i < files->count; ++i) {
    gmem_status_t status = gmem_output_commit(files->at[i].output, diag);
    files->at[i].output = NULL;
    if (status != GMEM_OK)
      return fail_at(files, &files->at[i], status);
  }
  return GMEM_OK;
}

void gmem_output_files_free(gmem_output_files_t *files) {
  for (size_t i = 0; i < files->count; ++i) {
    gmem_output_abort(files->at[i].output);
    free(files->at[i].path);
  }
  free(files->at);
  *files = (gmem_output_files_t){0};
}
