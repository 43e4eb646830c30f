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
#include "problem_file.h"

bool gmem_is_folder(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

const char *gmem_file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

char *gmem_path_join(const char *folder, const char *name) {
  size_t length = strlen(folder);
  bool has_slash = length > 0 && folder[length - 1] == '/';
  size_t size = length + strlen(name) + 2;
  char *path = malloc(size);
  if (path)
    snprintf(path, size, "%s%s%s", folder, has_slash ? "" : "/", name);
  return path;
}

static gmem_status_t fail_io(gmem_diag_t *diag, const char *text) {
  int error = errno;
  gmem_fail(diag, GMEM_ERR_IO, "%s: %s", text, strerror(error));
  diag->os_error = error;
  return GMEM_ERR_IO;
}

// Takes ownership of |path|, also on failure; NULL means out of memory.
static gmem_status_t append(gmem_batch_files_t *files, char *path,
                            gmem_diag_t *diag) {
  if (path && files->count == files->capacity) {
    size_t capacity = files->capacity ? 2 * files->capacity : 16;
    gmem_batch_file_t *grown =
        realloc(files->entries, capacity * sizeof *grown);
    if (grown) {
      files->entries = grown;
      files->capacity = capacity;
    }
  }
  if (!path || files->count == files->capacity) {
    free(path);
    return gmem_out_of_memory(diag);
  }
  files->entries[files->count++] = (gmem_batch_file_t){path, path};
  return GMEM_OK;
}

static int compare_files(const void *left, const void *right) {
  const gmem_batch_file_t *a = left, *b = right;
  return strcmp(a->path, b->path);
}

static gmem_status_t append_entries(gmem_batch_files_t *files,
                                    const char *folder, DIR *stream,
                                    gmem_diag_t *diag) {
  struct dirent *entry;
  errno = 0;
  while ((entry = readdir(stream))) {
    if (gmem_is_problem_name(entry->d_name))
      GMEM_TRY(append(files, gmem_path_join(folder, entry->d_name), diag));
    errno = 0;
  }
  if (errno)
    return fail_io(diag, "cannot read the directory");
  return GMEM_OK;
}

static gmem_status_t append_folder(gmem_batch_files_t *files,
                                   const char *folder, gmem_diag_t *diag) {
  size_t first = files->count;
  DIR *stream = opendir(folder);
  if (!stream)
    return fail_io(diag, "cannot open the directory");
  gmem_status_t status = append_entries(files, folder, stream, diag);
  closedir(stream);
  if (status != GMEM_OK)
    return status;
  if (files->count == first)
    return gmem_fail(diag, GMEM_ERR_NOT_FOUND,
                     "the directory contains no *.csv or *.json file");
  qsort(files->entries + first, files->count - first, sizeof *files->entries,
        compare_files);
  return GMEM_OK;
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
