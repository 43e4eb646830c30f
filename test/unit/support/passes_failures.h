// passes_failures.h - makes every allocation fail once in what is done to a
// program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEST_UNIT_PASSES_FAILURES_H_
#define GMEM_TEST_UNIT_PASSES_FAILURES_H_

#include "check.h"
#include "failing_heap.h"
#include "mlir-c/RegisterEverything.h"
#include "passes_program.h"

// A context that knows all dialects.
static inline MlirContext failures_context(void) {
  MlirContext context = mlirContextCreateWithThreading(false);
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);
  return context;
}

typedef gmem_status_t (*attempt_fn)(MlirOperation top,
                                    const gmem_plan_options_t *options,
                                    const gmem_allocator_t *allocator,
                                    gmem_diag_t *diag);

// Makes allocation 1, 2, ... of |attempt| fail until there is none left to. If
// |is_whole|, what fails changes nothing. Returns how many there were.
static inline size_t fail_each(MlirOperation top,
                               const gmem_plan_options_t *options,
                               attempt_fn attempt, bool is_whole) {
  char *wanted = program_print(top);
  gmem_status_t status = GMEM_ERR_OUT_OF_MEMORY;
  heap_t heap = {0};
  gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
  while (status == GMEM_ERR_OUT_OF_MEMORY && heap.fail_at < 10000) {
    heap = (heap_t){.fail_at = heap.fail_at + 1};
    gmem_diag_t diag = {.status = GMEM_OK};
    status = attempt(top, options, &allocator, &diag);
    bool failed = heap.calls >= heap.fail_at;
    CHECK(status == (failed ? GMEM_ERR_OUT_OF_MEMORY : GMEM_OK));
    CHECK(!failed || diag.status == GMEM_ERR_OUT_OF_MEMORY);
    CHECK(heap.live_blocks == 0 && heap.live_bytes == 0);
    if (is_whole && failed) {
      char *left = program_print(top);
      CHECK(strcmp(left, wanted) == 0);
      free(left);
    }
  }
  CHECK(status == GMEM_OK);
  CHECK(mlirOperationVerify(top));
  free(wanted);
  return heap.fail_at - 1;
}

// Checks what a pass has left of a program, which was |before|.
typedef void (*outcome_fn)(const char *before, MlirOperation top,
                           gmem_status_t status);

// The same of the pass |name|, with a new copy of |program| for each failure.
static inline size_t fail_each_copy(MlirContext context, const char *program,
                                    const char *name,
                                    const gmem_plan_options_t *options,
                                    outcome_fn check) {
  gmem_status_t status = GMEM_ERR_OUT_OF_MEMORY;
  heap_t heap = {0};
  gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
  while (status == GMEM_ERR_OUT_OF_MEMORY && heap.fail_at < 100000) {
    heap = (heap_t){.fail_at = heap.fail_at + 1};
    gmem_diag_t diag = {.status = GMEM_OK};
    MlirModule module = mlirModuleCreateParse(context, ref(program));
    CHECK(!mlirModuleIsNull(module));
    if (mlirModuleIsNull(module))
      return 0;
    MlirOperation top = mlirModuleGetOperation(module);
    char *before = program_print(top);
    status = gmem_pass_find(name)->run(top, options, &allocator, &diag);
    CHECK(heap.live_blocks == 0 && heap.live_bytes == 0);
    CHECK(diag.status == status);
    CHECK(mlirOperationVerify(top));
    check(before, top, status);
    free(before);
    mlirModuleDestroy(module);
  }
  CHECK(status == GMEM_OK);
  return heap.fail_at - 1;
}

#endif // GMEM_TEST_UNIT_PASSES_FAILURES_H_
