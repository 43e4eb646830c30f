// standard_streams.c - see standard_streams.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "standard_streams.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// What nothing else has flushed, such as --help.
static void flush_at_exit(void) {
  if (ferror(stdout) || fflush(stdout) != 0)
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
