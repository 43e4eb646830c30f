// messages.c - the error messages of a tool.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // program_invocation_short_name

#include "messages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "gmem/plan.h"

const char *gmem_tool_name(void) { return program_invocation_short_name; }

GMEM_PRINTF(2, 0)
static void print(const char *severity, const char *format, va_list arguments) {
  fflush(stdout); // keeps the order of output and messages
  fprintf(stderr, "%s: %s: ", gmem_tool_name(), severity);
  vfprintf(stderr, format, arguments);
}

gmem_status_t gmem_tool_error(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print("error", format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  return GMEM_TOLD;
}

void gmem_tool_warning(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print("warning", format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
}

const char *gmem_reason(gmem_status_t status, const gmem_diag_t *diag) {
  return diag->text[0] ? diag->text : gmem_status_name(status);
}

gmem_status_t gmem_tool_check(gmem_status_t status, const gmem_diag_t *diag,
                              const char *subject, ...) {
  if (status == GMEM_OK)
    return GMEM_OK;
  va_list arguments;
  va_start(arguments, subject);
  print("error", subject, arguments);
  va_end(arguments);
  fprintf(stderr, ": %s\n", gmem_reason(status, diag));
  return GMEM_TOLD;
}

void *gmem_need(void *memory) {
  if (memory)
    return memory;
  (void)gmem_tool_error("out of memory");
  exit(GMEM_EXIT_PROBLEM);
}
