// solve_messages.c - error messages of gmem-solve, one line each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "solve_messages.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "standard_streams.h"

void gmem_print_tamed(FILE *output, const char *text) {
  for (const char *c = text; *c; ++c)
    fputc((unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c, output);
}

void gmem_complain(const char *path, const gmem_diag_t *diag) {
  fputs("gmem-solve: error: ", stderr);
  gmem_print_tamed(stderr, strcmp(path, "-") == 0 ? "<stdin>" : path);
  if (diag->line)
    fprintf(stderr, ":%" PRIu64, diag->line);
  fputs(": ", stderr);
  gmem_print_tamed(stderr, diag->text);
  fputc('\n', stderr);
}

// Buffered output is written only here, so a full disk is first noticed here.
int gmem_finish_stdout(int result) {
  return result == EXIT_SUCCESS && gmem_tool_flush() != GMEM_OK
             ? GMEM_EXIT_PROBLEM
             : result;
}
