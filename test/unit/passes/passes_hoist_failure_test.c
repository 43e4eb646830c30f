// passes_hoist_failure_test.c - every allocation of gmem-hoist-constants fails
// once: the status says so, nothing leaks, and the program is as it was, not
// half hoisted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/passes_hoist_failure_test

#include <stdio.h>

#include "check.h"
#include "failing_heap.h"
#include "mlir-c/RegisterEverything.h"
#include "passes_program.h"

enum { WEIGHTS = 120 };

// Enough constants for tables to grow, half of them arguments. The op in front
// makes a value from scalars that is moved to its use.
static char *make_program(void) {
  program_text_t text = {NULL, 0};
  char line[512];
  program_append(ref("func.func @f(%x: tensor<8x8xf32>"), &text);
  for (int i = 1; i < WEIGHTS; i += 2) {
    snprintf(line, sizeof line, ", %%w%d: tensor<8x8xf32> {gmem.weight}", i);
    program_append(ref(line), &text);
  }
  program_append(ref(") -> tensor<8x8xf32> {\n"
                     "  %z = arith.constant 0.0 : f32\n"
                     "  %e = tensor.empty() : tensor<8x8xf32>\n"
                     "  %g = linalg.fill ins(%z : f32)"
                     " outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>\n"
                     "  %r0 = linalg.add ins(%x, %x : tensor<8x8xf32>,"
                     " tensor<8x8xf32>) outs(%e : tensor<8x8xf32>)"
                     " -> tensor<8x8xf32>\n"),
                 &text);
  for (int i = 0; i < WEIGHTS; ++i) {
    snprintf(line, sizeof line,
             "  %%w%d = arith.constant dense<%d.0> : tensor<8x8xf32>\n", i, i);
    if (i % 2 == 0)
      program_append(ref(line), &text);
    snprintf(line, sizeof line,
             "  %%t%d = linalg.add ins(%%w%d, %%w%d : tensor<8x8xf32>,"
             " tensor<8x8xf32>) outs(%%e : tensor<8x8xf32>)"
             " -> tensor<8x8xf32>\n"
             "  %%r%d = linalg.add ins(%%r%d, %%t%d : tensor<8x8xf32>,"
             " tensor<8x8xf32>) outs(%%e : tensor<8x8xf32>)"
             " -> tensor<8x8xf32>\n",
             i, i, i > 1 ? 1 : i, i + 1, i, i);
    program_append(ref(line), &text);
  }
  snprintf(line, sizeof line,
           "  %%r = linalg.add ins(%%r%d, %%g : tensor<8x8xf32>,"
           " tensor<8x8xf32>) outs(%%e : tensor<8x8xf32>)"
           " -> tensor<8x8xf32>\n  return %%r : tensor<8x8xf32>\n}\n",
           WEIGHTS);
  program_append(ref(line), &text);
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

static MlirWalkResult strip(MlirOperation op, void *user) {
  (void)user;
  mlirOperationRemoveDiscardableAttributeByName(op, ref("gmem.constant"));
  mlirOperationRemoveAttributeByName(op, ref("arg_attrs"));
  return MlirWalkResultAdvance;
}

static char *print_stripped(MlirOperation top) {
  MlirOperation copy = mlirOperationClone(top);
  mlirOperationWalk(copy, strip, NULL, MlirWalkPreOrder);
  char *text = program_print(copy);
  mlirOperationDestroy(copy);
  return text;
}

// Runs the pass on a new copy of the program, with |heap|.
static gmem_status_t attempt(MlirContext context, const char *program,
                             heap_t *heap) {
  gmem_allocator_t allocator = {heap, heap_alloc, heap_free};
  gmem_plan_options_t options;
  gmem_diag_t diag = {.status = GMEM_OK};
  MlirModule module = mlirModuleCreateParse(context, ref(program));
  CHECK(!mlirModuleIsNull(module));
  if (mlirModuleIsNull(module))
    return GMEM_ERR_PARSE;
  MlirOperation top = mlirModuleGetOperation(module);
  gmem_plan_options_init(&options);
  options.constants = GMEM_CONSTANTS_HOIST;
  options.constant_budget = 1 << 20;
  options.quiet = true;
  char *before = print_stripped(top);
  gmem_status_t status = gmem_pass_find("gmem-hoist-constants")
                             ->run(top, &options, &allocator, &diag);
  CHECK(heap->live_blocks == 0 && heap->live_bytes == 0);
  CHECK(diag.status == status);
  CHECK(mlirOperationVerify(top));
  char *after = print_stripped(top);
  CHECK((strcmp(before, after) == 0) == (status != GMEM_OK));
  CHECK((strstr(after, "@f_init") != NULL) == (status == GMEM_OK));
  free(before);
  free(after);
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
