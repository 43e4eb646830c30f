// passes_materialize_failure_test.c - every allocation of gmem-materialize
// fails once, in every mode: the status says so, nothing leaks, the program is
// as it was.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/passes_materialize_failure_test

#include "passes_failures.h"

// All that it makes lists of: pools, functions that call each other, parts with
// bounds and strides, what is freed.
static const char program[] =
    "func.func @entry(%x: memref<?xf32>, %n: index) {\n"
    "  %a = memref.alloc(%n) {gmem.upper_bound = [array<i64: 8>]}"
    " : memref<?xf32>\n"
    "  memref.copy %x, %a : memref<?xf32> to memref<?xf32>\n"
    "  call @leaf() : () -> ()\n"
    "  call @leaf() : () -> ()\n"
    "  memref.copy %a, %x : memref<?xf32> to memref<?xf32>\n"
    "  memref.dealloc %a : memref<?xf32>\n"
    "  return\n"
    "}\n"
    "func.func @leaf() {\n"
    "  %i = arith.constant 0 : index\n"
    "  %c = arith.constant 0.0 : f32\n"
    "  %a = memref.alloc() : memref<8x2xf32, strided<[4, 2]>, 1>\n"
    "  memref.store %c, %a[%i, %i] : memref<8x2xf32, strided<[4, 2]>, 1>\n"
    "  memref.dealloc %a : memref<8x2xf32, strided<[4, 2]>, 1>\n"
    "  return\n"
    "}\n";

static size_t fail_in_mode(MlirOperation top, gmem_arena_mode_t mode) {
  gmem_plan_options_t options;
  gmem_plan_options_init(&options);
  options.effort = GMEM_EFFORT_FAST;
  CHECK(gmem_plan_module(top, &options, NULL, NULL) == GMEM_OK);
  options.arena_mode = mode;
  char *before = program_print(top);
  size_t count =
      fail_each(top, &options, gmem_pass_find("gmem-materialize")->run, true);
  char *after = program_print(top);
  CHECK(strcmp(before, after) != 0);
  free(before);
  free(after);
  return count;
}

int main(void) {
  MlirContext context = failures_context();
  for (int mode = GMEM_ARENA_ALLOC; mode <= GMEM_ARENA_GLOBAL; ++mode) {
    MlirModule module = mlirModuleCreateParse(context, ref(program));
    CHECK(!mlirModuleIsNull(module));
    if (mlirModuleIsNull(module))
      return 1;
    CHECK(fail_in_mode(mlirModuleGetOperation(module),
                       (gmem_arena_mode_t)mode) > 10);
    mlirModuleDestroy(module);
  }
  mlirContextDestroy(context);
  return CHECK_RESULT();
}
