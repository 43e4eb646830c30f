// files.h - reading a whole file, and writing one that is there whole or not at
// all. For the tools and for passes that write files; nothing here prints. A
// tool ignores SIGXFSZ, so that a file that may not grow is an error like any
// other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_FILES_FILES_H_
#define GMEM_FILES_FILES_H_

#include <stdbool.h>

#include "gmem/status.h"

// Reads all of the file |path|, or of standard input for "-". *out_data is
// followed by a NUL byte that *out_size does not count; the caller frees it
// with free(). Fails with IO (os_error set; EFBIG for a device without an end)
// or OUT_OF_MEMORY; *out_data is then NULL. The text of |diag| does not repeat
// the path.
GMEM_MUST_USE gmem_status_t gmem_read_file(const char *path, char **out_data,
                                           size_t *out_size, gmem_diag_t *diag);

// A file while it is written. A regular file appears under its name, with all
// its bytes, in gmem_output_commit: until then they are in a file without a
// name in the same folder (where the system has no such files, in one called
// ".gmem-PID-N"). A symbolic link stays, and the file it points to is written.
// Pipes, devices and standard output are written as they are.
typedef struct gmem_output_s gmem_output_t;

// Opens |path|, or standard output for "-". Fails with IO or OUT_OF_MEMORY;
// *out_output is then NULL.
GMEM_MUST_USE gmem_status_t gmem_output_open(const char *path,
                                             gmem_output_t **out_output,
                                             gmem_diag_t *diag);

// Whether |path| is a name of standard output: "-", /dev/stdout, /dev/fd/1...
bool gmem_output_is_stdout(const char *path);

// Appends |length| bytes. A failure (IO) is remembered: gmem_output_commit
// reports it. |output| is a gmem_output_t *; the type is that of a write
// callback of the libraries.
gmem_status_t gmem_output_write(void *output, const char *bytes, size_t length);

// Writes what is left, and puts it under some name beside its own: for several
// files that are to be there together, or none. Only moving them can then still
// fail. Fails with IO; |output| is to be committed or aborted all the same.
GMEM_MUST_USE gmem_status_t gmem_output_prepare(gmem_output_t *output,
                                                gmem_diag_t *diag);

// Writes what is left, gives the file its name and destroys |output|. When this
// or a write before it failed (IO), nothing is left behind, and a file that was
// there before is as it was.
GMEM_MUST_USE gmem_status_t gmem_output_commit(gmem_output_t *output,
                                               gmem_diag_t *diag);

// Removes what was written and destroys |output|. NULL is allowed.
void gmem_output_abort(gmem_output_t *output);

#endif // GMEM_FILES_FILES_H_
