// link_write.h - writes the output files of gmem-link, atomically.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_LINK_WRITE_H_
#define GMEM_TOOLS_LINK_WRITE_H_

#include "link_pools.h"
#include "output_files.h"

// The content of the output files.
typedef struct gmem_link_result_s {
  gmem_link_models_t models;
  gmem_link_pools_t pools;
  char *json;         // link.json; owned
  const char *folder; // output directory
  const char *prefix; // of the header and of its macros
  bool debug_info;    // print the locations of ops
} gmem_link_result_t;

// Writes the modules, link.json and the header to the output directory. The
// text of |diag| is empty for an error that was printed.
GMEM_MUST_USE gmem_status_t
gmem_link_files_write(gmem_output_files_t *files,
                      const gmem_link_result_t *result, gmem_diag_t *diag);

#endif // GMEM_TOOLS_LINK_WRITE_H_
