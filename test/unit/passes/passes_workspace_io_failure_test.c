// passes_workspace_io_failure_test.c - every allocation of gmem-workspace-io
// fails once: the status says so, nothing leaks, the program stays valid.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/passes_workspace_io_failure_test

#include <stdio.h>

#include "passes_failures.h"

// Enough functions and arguments for lists to grow: inputs that are read, that
// are written and that are kept, and outputs.
enum { FUNCTIONS = 40, ARGUMENTS = 12 };

static char *make_program(void) {
  program_text_t text = {NULL, 0};
  char line[160];
  for (int f = 0; f < FUNCTIONS; ++f) {
    snprintf(line, sizeof line, "func.func @f%d(", f);
    program_append(ref(line), &text);
    for (int i = 0; i < ARGUMENTS; ++i) {
      snprintf(line, sizeof line, "%s%%%d: memref<4xf32>%s", i ? ", " : "", i,
               i % 2 ? " {bufferize.result}" : "");
      program_append(ref(line), &text);
    }
    program_append(ref(") {\n  %v = memref.cast %0 : memref<4xf32> to "
                       "memref<?xf32>\n"
                       "  linalg.copy ins(%0 : memref<4xf32>) "
                       "outs(%1 : memref<4xf32>)\n"
                       "  linalg.copy ins(%0 : memref<4xf32>) "
                       "outs(%2 : memref<4xf32>)\n"
                       "  return\n}\n"),
                   &text);
  }
  return text.bytes;
}

static void check(const char *before, MlirOperation top, gmem_status_t status) {
  char *left = program_print(top);
  (void)before;
  CHECK(status != GMEM_OK || !strstr(left, "bufferize.result"));
  free(left);
}

int main(void) {
  MlirContext context = failures_context();
  mlirContextLoadAllAvailableDialects(context);
  mlirContextSetAllowUnregisteredDialects(context, true);
  char *program = make_program();
  CHECK(fail_each_copy(context, program, "gmem-workspace-io", NULL, check) > 0);
  free(program);
  mlirContextDestroy(context);
  return CHECK_RESULT();
}
