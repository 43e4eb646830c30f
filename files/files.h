// files.h - reads whole files and writes files atomically, for the tools and
// for passes that write files. Nothing here prints. Tools should ignore
// SIGXFSZ, so that exceeding the file size limit is reported as an error.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_FILES_FILES_H_
#define GMEM_FILES_FILES_H_

#include <stdbool.h>

#include "gmem/status.h"

// Reads the file |path|, or standard input for "-". *out_data is followed by a
// NUL byte that *out_size does not count; the caller frees it with free().
// Fails with IO (os_error is set; EFBIG for a device without end) or
// OUT_OF_MEMORY; *out_data is then NULL. The text of |diag| does not contain
// the path.
GMEM_MUST_USE gmem_status_t gmem_read_file(const char *path, char **out_data,
                                           size_t *out_size, gmem_diag_t *diag);

// FOLDER/NAME, or NULL if out of memory. The caller frees it.
char *gmem_path_join(const char *folder, const char *name);

// Creates the folders of |path|: all that precedes its last '/'. Returns false
// with errno set.
bool gmem_make_folders(const char *path);

// An output file. A regular file appears under its name only in
// gmem_output_commit, with all its bytes: until then they are in an unnamed
// file in the same folder (or one called ".gmem-PID-N", where the system does
// not support unnamed files). For a symbolic link, the target is written and
// the link is kept. Pipes, devices and standard output are written directly.
// Not thread-safe.
typedef struct gmem_output_s gmem_output_t;

// Opens |path|, or standard output for "-". Creates the folders of |path|.
// Fails with IO or OUT_OF_MEMORY; *out_output is then NULL.
GMEM_MUST_USE gmem_status_t gmem_output_open(const char *path,
                                             gmem_output_t **out_output,
                                             gmem_diag_t *diag);

// Whether |path| denotes standard output: "-", /dev/stdout, /dev/fd/1...
bool gmem_output_is_stdout(const char *path);

// Appends |length| bytes. Errors (IO) are sticky: gmem_output_commit reports
// the first one. |output| is a gmem_output_t *; the signature is that of the
// libraries' write callbacks.
gmem_status_t gmem_output_write(void *output, const char *bytes, size_t length);

// Flushes the output and gives it a temporary name in the target's folder, for
// committing several files together: only the rename can then fail. Fails with
// IO; |output| must still be committed or aborted.
GMEM_MUST_USE gmem_status_t gmem_output_prepare(gmem_output_t *output,
                                                gmem_diag_t *diag);

// Flushes the output, renames it to its path and destroys |output|. If this or
// an earlier write fails (IO), no file is left behind and an existing file is
// unchanged.
GMEM_MUST_USE gmem_status_t gmem_output_commit(gmem_output_t *output,
                                               gmem_diag_t *diag);

// Discards the output and destroys |output|. NULL is allowed.
void gmem_output_abort(gmem_output_t *output);

#endif // GMEM_FILES_FILES_H_
