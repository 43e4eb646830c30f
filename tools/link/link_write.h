// link_write.h - writes the output files of gmem-link, atomically.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_LINK_WRITE_H_
#define GMEM_TOOLS_LINK_WRITE_H_

#include "files.h"
#include "link_pools.h"

typedef struct gmem_link_file_s {
  char *path; // owned
  gmem_output_t *output;
} gmem_link_file_t;

typedef struct gmem_link_files_s {
  gmem_link_file_t *at;
  size_t count;
} gmem_link_files_t;

// The content of the output files.
typedef struct gmem_link_result_s {
  const gmem_link_models_t *models;
  const gmem_link_pools_t *pools;
  const char *json;   // link.json
  const char *folder; // output directory
  const char *prefix; // of the header and of its macros
  bool debug_info;    // print the locations of ops
} gmem_link_result_t;

// Writes the modules, link.json and the header to temporary files in the output
// directory. Returns false after printing an error. Call gmem_link_files_commit
// or gmem_link_files_abort in any case.
bool gmem_link_files_prepare(gmem_link_files_t *files,
                             const gmem_link_result_t *result);

// Renames the files to their final names. Returns false after printing an
// error.
bool gmem_link_files_commit(gmem_link_files_t *files);
void gmem_link_files_abort(gmem_link_files_t *files);

#endif // GMEM_TOOLS_LINK_WRITE_H_
