// batch_files.c - expands the paths of the command line into problem files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "batch_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "diag.h"
#include "files.h"
#include "problem_file.h"

bool gmem_is_folder(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

const char *gmem_file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static gmem_status_t fail_folder(gmem_diag_t *diag, int error) {
  gmem_fail(diag, GMEM_ERR_IO, "cannot open the directory: %s",
            strerror(error));
  diag->os_error = error;
  return GMEM_ERR_IO;
}

// Takes ownership of |path|, also on failure; NULL means out of memory.
static gmem_status_t append(gmem_batch_files_t *files, char *path,
                            gmem_diag_t *diag) {
  gmem_batch_file_t *grown =
      path ? realloc(files->entries, (files->count + 1) * sizeof *grown) : NULL;
  if (!grown) {
    free(path);
    return gmem_out_of_memory(diag);
  }
  files->entries = grown;
  files->entries[files->count++] = (gmem_batch_file_t){path, path};
  return GMEM_OK;
}

static int is_problem(const struct dirent *entry) {
  return gmem_is_problem_name(entry->d_name);
}

static gmem_status_t append_folder(gmem_batch_files_t *files,
                                   const char *folder, gmem_diag_t *diag) {
  struct dirent **entries;
  int count = scandir(folder, &entries, is_problem, alphasort);
  if (count < 0)
    return fail_folder(diag, errno);
  gmem_status_t status = GMEM_OK;
  for (int i = 0; i < count; ++i) {
    if (status == GMEM_OK)
      status = append(files, gmem_path_join(folder, entries[i]->d_name), diag);
    free(entries[i]);
  }
  free(entries);
  return count ? status
               : gmem_fail(diag, GMEM_ERR_NOT_FOUND,
                           "the directory contains no *.csv or *.json file");
}

gmem_status_t gmem_batch_files_list(gmem_batch_files_t *files,
                                    char *const *paths, uint32_t path_count,
                                    const char **out_where, gmem_diag_t *diag) {
  gmem_status_t status = GMEM_OK;
  *files = (gmem_batch_files_t){0};
  for (uint32_t i = 0; i < path_count && status == GMEM_OK; ++i) {
    *out_where = paths[i];
    status = gmem_is_folder(paths[i]) ? append_folder(files, paths[i], diag)
                                      : append(files, strdup(paths[i]), diag);
  }
  if (status != GMEM_OK)
    gmem_batch_files_free(files);
  if (path_count == 1 && gmem_is_folder(paths[0]))
    for (size_t i = 0; i < files->count; ++i)
      files->entries[i].name = gmem_file_name(files->entries[i].path);
  return status;
}

void gmem_batch_files_free(gmem_batch_files_t *files) {
  for (size_t i = 0; i < files->count; ++i)
    free(files->entries[i].path);
  free(files->entries);
  *files = (gmem_batch_files_t){0};
}
