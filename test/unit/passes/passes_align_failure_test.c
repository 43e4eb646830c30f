// passes_align_failure_test.c - every allocation of gmem-align-arguments fails
// once: the status says so, nothing leaks, the program stays valid.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In MLIR 19 llvm.intr.assume has no alignments.
// REQUIRES: mlir-22
// RUN: %unit/passes_align_failure_test

#include <stdio.h>

#include "passes_failures.h"

static const char assertion[] =
    "llvm.func @f(%p: !llvm.ptr {llvm.noalias}) {\n"
    "  %true = llvm.mlir.constant(true) : i1\n"
    "  %c64 = llvm.mlir.constant(64 : i64) : i64\n"
    "  llvm.intr.assume %true [\"align\"(%p, %c64 : !llvm.ptr, i64)] : i1\n"
    "  llvm.return\n}\n";

static void check_alignment(const char *before, MlirOperation top,
                            gmem_status_t status) {
  char *left = program_print(top);
  (void)before;
  CHECK((strstr(left, "llvm.align") != NULL) == (status == GMEM_OK));
  CHECK((strstr(left, "assume") == NULL) == (status == GMEM_OK));
  free(left);
}

int main(void) {
  MlirContext context = failures_context();
  CHECK(fail_each_copy(context, assertion, "gmem-align-arguments", NULL,
                       check_alignment) > 0);
  mlirContextDestroy(context);
  return CHECK_RESULT();
}
