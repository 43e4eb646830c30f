// passes_workspace_io_failure_test.c - every allocation of gmem-workspace-io
// fails once: the status says so, nothing leaks, the program stays valid.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/passes_workspace_io_failure_test

#include <stdio.h>

#include "check.h"
#include "failing_heap.h"
#include "mlir-c/RegisterEverything.h"
#include "passes_program.h"

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

static MlirContext create_context(void) {
  MlirContext context = mlirContextCreateWithThreading(false);
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);
  mlirContextLoadAllAvailableDialects(context);
  mlirContextSetAllowUnregisteredDialects(context, true);
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
      gmem_pass_find("gmem-workspace-io")->run(top, NULL, &allocator, &diag);
  CHECK(heap->live_blocks == 0 && heap->live_bytes == 0);
  CHECK(diag.status == status);
  CHECK(mlirOperationVerify(top));
  char *left = program_print(top);
  CHECK(status != GMEM_OK || !strstr(left, "bufferize.result"));
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
  CHECK(heap.fail_at > 1);
  free(program);
  mlirContextDestroy(context);
  return CHECK_RESULT();
}
