// run_messages.c - error messages of gmem-run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "run_messages.h"

#include <stdarg.h>
#include <stdio.h>

static void print(const char *severity, const char *format, va_list arguments)
    GMEM_RUN_PRINTF(2, 0);
static void print(const char *severity, const char *format, va_list arguments) {
  fflush(stdout); // keeps the order of output and messages
  fprintf(stderr, "gmem-run: %s: ", severity);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
}

gmem_status_t gmem_run_error(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print("error", format, arguments);
  va_end(arguments);
  return GMEM_RUN_FAILED;
}

void gmem_run_warning(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print("warning", format, arguments);
  va_end(arguments);
}
