// output_files.c - output files that appear together: all of them, or none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // fopencookie, vasprintf

#include "output_files.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>

#include "messages.h"

// Returns |status|, of an operation on |file|.
static gmem_status_t note(gmem_output_files_t *files,
                          const gmem_output_file_t *file,
                          gmem_status_t status) {
  if (status != GMEM_OK)
    files->failed = file->path;
  return status;
}

gmem_status_t gmem_output_files_add(gmem_output_files_t *files,
                                    gmem_diag_t *diag, const char *format,
                                    ...) {
  va_list arguments;
  files->at =
      gmem_need(realloc(files->at, (files->count + 1) * sizeof *files->at));
  gmem_output_file_t *file = &files->at[files->count++];
  *file = (gmem_output_file_t){0};
  va_start(arguments, format);
  int length = vasprintf(&file->path, format, arguments);
  va_end(arguments);
  gmem_need(length < 0 ? NULL : file->path);
  return note(files, file, gmem_output_open(file->path, &file->output, diag));
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

gmem_c_text_t gmem_output_files_begin_c(const gmem_output_files_t *files,
                                        const char *name) {
  static const cookie_io_functions_t functions = {.write = write_piece};
  FILE *file = fopencookie(gmem_output_files_last(files), "w", functions);
  return gmem_c_text_begin(gmem_need(file), name);
}

gmem_status_t gmem_output_files_prepare(gmem_output_files_t *files,
                                        gmem_diag_t *diag) {
  for (size_t i = 0; i < files->count; ++i)
    GMEM_TRY(note(files, &files->at[i],
                  gmem_output_prepare(files->at[i].output, diag)));
  return GMEM_OK;
}

gmem_status_t gmem_output_files_commit(gmem_output_files_t *files,
                                       gmem_diag_t *diag) {
  for (size_t i = 0; i < files->count; ++i) {
    gmem_output_t *output = files->at[i].output;
    files->at[i].output = NULL;
    GMEM_TRY(note(files, &files->at[i], gmem_output_commit(output, diag)));
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
