// link_write.h - the files that gmem-link writes: all of them or none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_LINK_WRITE_H_
#define GMEM_TOOLS_LINK_WRITE_H_

#include <jansson.h>

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

// What is written.
typedef struct gmem_link_result_s {
  const gmem_link_models_t *models;
  const gmem_link_pools_t *pools;
  const json_t *link;
  const char *folder;
  const char *prefix; // of the header and of its macros
  bool debug_info;    // modules with the locations of ops
} gmem_link_result_t;

// Writes the modules, link.json and the header to files in the folder that do
// not have their names yet. Returns false when what is wrong has been
// said. *files is to be committed or aborted in any case.
bool gmem_link_files_prepare(gmem_link_files_t *files,
                             const gmem_link_result_t *result);

// Gives them their names. Returns false when one cannot have its own.
bool gmem_link_files_commit(gmem_link_files_t *files);
void gmem_link_files_abort(gmem_link_files_t *files);

#endif // GMEM_TOOLS_LINK_WRITE_H_
