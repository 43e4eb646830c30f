// c_files.c - writes the C files of a planned network, atomically.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // fopencookie

#include "c_files.h"

#include <stdlib.h>
#include <string.h>

#include "c_header.h"
#include "c_source.h"
#include "files.h"

typedef struct file_s {
  char *path;
  gmem_output_t *output;
} file_t;

typedef struct files_s {
  const gmem_c_model_t *model;
  file_t *files;
  size_t count;
  char *failed; // path
} files_t;

static gmem_status_t out_of_memory(gmem_diag_t *diag) {
  *diag = (gmem_diag_t){.status = GMEM_ERR_OUT_OF_MEMORY};
  snprintf(diag->text, sizeof diag->text, "out of memory");
  return GMEM_ERR_OUT_OF_MEMORY;
}

static gmem_status_t fail_at(files_t *files, const file_t *file,
                             gmem_status_t status) {
  free(files->failed);
  files->failed = strdup(file->path);
  return status;
}

//===--- opening ----------------------------------------------------------===//

// Opens the file FOLDER/MODEL|middle||end|.
static gmem_status_t open_file(files_t *files, const char *middle,
                               const char *end, gmem_diag_t *diag) {
  const gmem_c_options_t *options = &files->model->options;
  file_t *file = &files->files[files->count];
  if (asprintf(&file->path, "%s/%s%s%s", options->folder, options->name, middle,
               end) < 0) {
    file->path = NULL;
    return out_of_memory(diag);
  }
  ++files->count;
  gmem_status_t status = gmem_output_open(file->path, &file->output, diag);
  return status == GMEM_OK ? status : fail_at(files, file, status);
}

static ssize_t write_piece(void *output, const char *bytes, size_t size) {
  (void)gmem_output_write(output, bytes, size); // the output records errors
  return (ssize_t)size;
}

typedef void (*write_fn)(const gmem_c_model_t *model, FILE *out);

static gmem_status_t add_text(files_t *files, const char *end, write_fn write,
                              gmem_diag_t *diag) {
  static const cookie_io_functions_t functions = {.write = write_piece};
  GMEM_TRY(open_file(files, "", end, diag));
  FILE *out =
      fopencookie(files->files[files->count - 1].output, "w", functions);
  if (!out)
    return out_of_memory(diag);
  write(files->model, out);
  return fclose(out) == 0 ? GMEM_OK : out_of_memory(diag);
}

static gmem_status_t add_bytes(files_t *files, uint32_t pool,
                               gmem_diag_t *diag) {
  const gmem_c_pool_t *names = &files->model->pools[pool];
  char middle[GMEM_C_NAME + 2];
  snprintf(middle, sizeof middle, "_%s", names->name);
  GMEM_TRY(open_file(files, middle, ".bin", diag));
  (void)gmem_output_write(
      files->files[files->count - 1].output, (const char *)names->bytes,
      (size_t)gmem_planned_pool(files->model->planned, pool)->size);
  return GMEM_OK;
}

static gmem_status_t add_all(files_t *files, gmem_diag_t *diag) {
  const gmem_c_model_t *model = files->model;
  GMEM_TRY(add_text(files, ".h", gmem_c_write_header, diag));
  GMEM_TRY(add_text(files, ".c", gmem_c_write_source, diag));
  if (gmem_c_has_data_file(model))
    GMEM_TRY(add_text(files, "_data.c", gmem_c_write_data, diag));
  for (uint32_t i = 0; i < gmem_planned_pool_count(model->planned); ++i)
    if (model->options.parameters == GMEM_C_PARAMETERS_EXTERN &&
        model->pools[i].is_member && model->pools[i].bytes)
      GMEM_TRY(add_bytes(files, i, diag));
  return GMEM_OK;
}

//===--- committing -------------------------------------------------------===//

static gmem_status_t commit_all(files_t *files, gmem_diag_t *diag) {
  gmem_status_t status = GMEM_OK;
  for (size_t i = 0; i < files->count && status == GMEM_OK; ++i) {
    status = gmem_output_prepare(files->files[i].output, diag);
    if (status != GMEM_OK)
      fail_at(files, &files->files[i], status);
  }
  for (size_t i = 0; i < files->count && status == GMEM_OK; ++i) {
    status = gmem_output_commit(files->files[i].output, diag);
    files->files[i].output = NULL;
    if (status != GMEM_OK)
      fail_at(files, &files->files[i], status);
  }
  return status;
}

static gmem_status_t write_files(files_t *files, gmem_diag_t *diag) {
  files->files = calloc(gmem_planned_pool_count(files->model->planned) + 3u,
                        sizeof *files->files);
  if (!files->files)
    return out_of_memory(diag);
  gmem_status_t status = add_all(files, diag);
  if (status == GMEM_OK)
    status = commit_all(files, diag);
  for (size_t i = 0; i < files->count; ++i) {
    gmem_output_abort(files->files[i].output);
    free(files->files[i].path);
  }
  free(files->files);
  return status;
}

gmem_status_t gmem_c_write(const gmem_planned_t *planned,
                           const gmem_c_options_t *options, MlirModule module,
                           char **out_path, uint32_t *out_unknown,
                           gmem_diag_t *diag) {
  gmem_c_model_t model;
  files_t files = {.model = &model};
  gmem_status_t status =
      gmem_c_model_make(planned, options, module, &model, diag);
  if (status == GMEM_OK)
    status = write_files(&files, diag);
  *out_path = files.failed;
  *out_unknown = model.weights.unknown;
  gmem_c_model_free(&model);
  return status;
}
