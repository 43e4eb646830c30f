// standard_streams.c - see standard_streams.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // program_invocation_short_name

#include "standard_streams.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

gmem_status_t gmem_tool_flush(void) {
  static bool has_failed; // the message was printed
  if (fflush(stdout) == 0 && !ferror(stdout))
    return GMEM_OK;
  if (!has_failed)
    fprintf(stderr, "%s: error: <stdout>: cannot be written\n",
            program_invocation_short_name);
  has_failed = true;
  return GMEM_ERR_IO;
}

// What nothing else has flushed, such as --help.
static void flush_at_exit(void) {
  if (gmem_tool_flush() != GMEM_OK)
    _Exit(EXIT_FAILURE);
}

void gmem_tool_begin(void) {
  (void)atexit(flush_at_exit);
  // Writing past the file size limit returns EFBIG.
  signal(SIGXFSZ, SIG_IGN);
  // A descriptor that is open only for the other direction: reading standard
  // input and writing the others fails with EBADF, as if they were closed.
  for (int i = STDIN_FILENO; i <= STDERR_FILENO; ++i)
    if (fcntl(i, F_GETFD) < 0 && errno == EBADF)
      (void)!open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}
