// batch_files.h - expands the paths of the command line into problem files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_BATCH_FILES_H_
#define GMEM_TOOLS_BATCH_FILES_H_

#include <stdbool.h>
#include <stdint.h>

#include "gmem/status.h"

typedef struct gmem_batch_file_s {
  char *path;       // owned
  const char *name; // for display: a suffix of |path|
} gmem_batch_file_t;

typedef struct gmem_batch_files_s {
  gmem_batch_file_t *entries;
  size_t count;
} gmem_batch_files_t;

// Lists the problem files. A directory is replaced by the problems in it,
// sorted bytewise by name, without recursion. If the only path is a directory,
// display names omit it. On failure (IO, NOT_FOUND: a directory without
// problems, OUT_OF_MEMORY) *out_where is the offending path and the list is
// empty.
GMEM_MUST_USE gmem_status_t gmem_batch_files_list(gmem_batch_files_t *files,
                                                  char *const *paths,
                                                  uint32_t path_count,
                                                  const char **out_where,
                                                  gmem_diag_t *diag);
void gmem_batch_files_free(gmem_batch_files_t *files);

bool gmem_is_folder(const char *path);

// The part of |path| after its last slash.
const char *gmem_file_name(const char *path);

#endif // GMEM_TOOLS_BATCH_FILES_H_
