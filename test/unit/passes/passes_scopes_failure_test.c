// passes_scopes_failure_test.c - every allocation of gmem-alias-scopes fails
// once: the status says so, nothing leaks, the program stays valid.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/passes_scopes_failure_test

#include <stdio.h>

#include "check.h"
#include "failing_heap.h"
#include "mlir-c/RegisterEverything.h"
#include "passes_program.h"

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

static MlirContext create_context(void) {
  MlirContext context = mlirContextCreateWithThreading(false);
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);
  return context;
}

// Runs the pass on a new copy of the program, with |heap|.
static gmem_status_t attempt(MlirContext context, const char *program,
                             heap_t *heap) {
  gmem_allocator_t allocator = {heap, heap_alloc, heap_free};
  gmem_diag_t diag = {.status = GMEM_OK};
  MlirModule module = mlirModuleCreateParse(context, ref(program));
  CHECK(!mlirModuleIsNull(module));
  if (mlirModuleIsNull(module))
    return GMEM_ERR_PARSE;
  MlirOperation top = mlirModuleGetOperation(module);
  gmem_status_t status =
      gmem_pass_find("gmem-alias-scopes")->run(top, NULL, &allocator, &diag);
  CHECK(heap->live_blocks == 0 && heap->live_bytes == 0);
  CHECK(diag.status == status);
  CHECK(mlirOperationVerify(top));
  char *left = program_print(top);
  CHECK((strstr(left, "noalias_scopes") != NULL) == (status == GMEM_OK));
  free(left);
  mlirModuleDestroy(module);
  return status;
}

int main(void) {
  MlirContext context = create_context();
  char *program = make_program();
  gmem_status_t status = GMEM_ERR_OUT_OF_MEMORY;
  heap_t heap = {0};
  while (status == GMEM_ERR_OUT_OF_MEMORY && heap.fail_at < 10000) {
    heap = (heap_t){.fail_at = heap.fail_at + 1};
    status = attempt(context, program, &heap);
  }
  CHECK(status == GMEM_OK);
  CHECK(heap.fail_at > 5);
  free(program);
  mlirContextDestroy(context);
  return CHECK_RESULT();
}
