// output_files.h - output files that appear together: all of them, or none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_OUTPUT_FILES_H_
#define GMEM_TOOLS_OUTPUT_FILES_H_

#include "c_print.h"
#include "files.h"

typedef struct gmem_output_file_s {
  char *path; // owned
  gmem_output_t *output;
} gmem_output_file_t;

// Zero-initialise. Files are written to temporary files until they are
// committed.
typedef struct gmem_output_files_s {
  gmem_output_file_t *at;
  size_t count;
  const char *failed; // the file that cannot be written, or NULL
} gmem_output_files_t;

// Opens another file, whose path is |format|. Its errors are recorded until
// gmem_output_files_prepare. Fails with IO or OUT_OF_MEMORY, like the functions
// below.
GMEM_MUST_USE gmem_status_t gmem_output_files_add(gmem_output_files_t *files,
                                                  gmem_diag_t *diag,
                                                  const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// The output of the last file, and its path.
gmem_output_t *gmem_output_files_last(const gmem_output_files_t *files);
const char *gmem_output_files_path(const gmem_output_files_t *files);

// Starts the last file as a text of C, whose identifiers begin with |name|. The
// caller calls gmem_c_text_end.
gmem_c_text_t gmem_output_files_begin_c(const gmem_output_files_t *files,
                                        const char *name);

// Flushes all files; only renaming them can then fail.
GMEM_MUST_USE gmem_status_t
gmem_output_files_prepare(gmem_output_files_t *files, gmem_diag_t *diag);

// Gives all files their names.
GMEM_MUST_USE gmem_status_t gmem_output_files_commit(gmem_output_files_t *files,
                                                     gmem_diag_t *diag);

// Discards what was not committed.
void gmem_output_files_free(gmem_output_files_t *files);

#endif // GMEM_TOOLS_OUTPUT_FILES_H_
