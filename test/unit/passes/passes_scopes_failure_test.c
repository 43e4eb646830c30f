// passes_scopes_failure_test.c - every allocation of gmem-alias-scopes fails
// once: the status says so, nothing leaks, the program stays valid.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/passes_scopes_failure_test

#include <stdio.h>

#include "passes_failures.h"

enum { GLOBALS = 300 };

// Enough places for tables to grow, in a block that jumps back to itself; one
// store has a scope already.
static char *make_program(void) {
  program_text_t text = {NULL, 0};
  char line[256];
  for (int i = 0; i < GLOBALS; ++i) {
    snprintf(line, sizeof line, "llvm.mlir.global internal @g%d() : f32\n", i);
    program_append(ref(line), &text);
  }
  program_append(ref("llvm.func @f(%v: f32) {\n  llvm.br ^bb1\n^bb1:\n"),
                 &text);
  for (int i = 0; i < GLOBALS; ++i) {
    snprintf(line, sizeof line,
             "  %%%d = llvm.mlir.addressof @g%d : !llvm.ptr\n"
             "  llvm.store %%v, %%%d %s : f32, !llvm.ptr\n",
             i, i, i,
             i ? ""
               : "{alias_scopes = [#llvm.alias_scope<id = distinct[0]<>, "
                 "domain = <id = distinct[1]<>>>]}");
    program_append(ref(line), &text);
  }
  program_append(ref("  llvm.br ^bb1\n}\n"), &text);
  return text.bytes;
}

static void check(const char *before, MlirOperation top, gmem_status_t status) {
  char *left = program_print(top);
  (void)before;
  CHECK((strstr(left, "noalias_scopes") != NULL) == (status == GMEM_OK));
  free(left);
}

int main(void) {
  MlirContext context = failures_context();
  char *program = make_program();
  CHECK(fail_each_copy(context, program, "gmem-alias-scopes", NULL, check) > 4);
  free(program);
  mlirContextDestroy(context);
  return CHECK_RESULT();
}
