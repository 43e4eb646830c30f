// passes_order_failure_test.c - every allocation of gmem-order-ops fails once:
// the status says so, nothing leaks, and the ops are in the given order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/passes_order_failure_test

#include <stdio.h>

#include "check.h"
#include "failing_heap.h"
#include "passes_program.h"

enum { FUNCTIONS = 3, BRANCHES = 12 };

// In each function the wide values of all branches are live at once, unless
// each is made narrow at once. Loops, so that there are regions.
static char *make_program(void) {
  program_text_t text = {NULL, 0};
  char line[512];
  program_append(ref("module attributes {gmem.op_models = \"\\22gmem.pure_ops"
                     "\\22() {ops = [\\22my.widen\\22, \\22my.narrow\\22,"
                     " \\22my.join\\22]} : () -> ()\"} {\n"),
                 &text);
  for (int f = 0; f < FUNCTIONS; ++f) {
    snprintf(line, sizeof line,
             "func.func @f%d(%%x: tensor<8xf32>) -> tensor<8xf32> {\n", f);
    program_append(ref(line), &text);
    for (int i = 0; i < BRANCHES; ++i) {
      snprintf(line, sizeof line,
               "  %%w%d = \"my.widen\"(%%x) : (tensor<8xf32>)"
               " -> tensor<64xf32>\n",
               i);
      program_append(ref(line), &text);
    }
    program_append(ref("  %n0 = \"my.join\"(%x) : (tensor<8xf32>)"
                       " -> tensor<8xf32>\n"),
                   &text);
    for (int i = 0; i < BRANCHES; ++i) {
      snprintf(line, sizeof line,
               "  %%m%d = \"my.narrow\"(%%w%d) : (tensor<64xf32>)"
               " -> tensor<8xf32>\n"
               "  %%n%d = \"my.join\"(%%n%d, %%m%d) : (tensor<8xf32>,"
               " tensor<8xf32>) -> tensor<8xf32>\n",
               i, i, i + 1, i, i);
      program_append(ref(line), &text);
    }
    snprintf(line, sizeof line, "  func.return %%n%d : tensor<8xf32>\n}\n",
             BRANCHES);
    program_append(ref(line), &text);
  }
  program_append(ref("}\n"), &text);
  return text.bytes;
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
  options.order = GMEM_ORDER_BEST;
  options.effort = GMEM_EFFORT_FAST;
  options.alignment = 64;
  options.quiet = true;
  char *before = program_print(top);
  gmem_status_t status =
      gmem_pass_find("gmem-order-ops")->run(top, &options, &allocator, &diag);
  CHECK(heap->live_blocks == 0 && heap->live_bytes == 0);
  CHECK(diag.status == status);
  CHECK(mlirOperationVerify(top));
  char *after = program_print(top);
  CHECK((strcmp(before, after) == 0) == (status != GMEM_OK));
  free(before);
  free(after);
  mlirModuleDestroy(module);
  return status;
}

int main(void) {
  MlirContext context = program_context();
  char *program = make_program();
  gmem_status_t status = GMEM_ERR_OUT_OF_MEMORY;
  heap_t heap = {0};
  while (status == GMEM_ERR_OUT_OF_MEMORY && heap.fail_at < 100000) {
    heap = (heap_t){.fail_at = heap.fail_at + 1};
    status = attempt(context, program, &heap);
  }
  CHECK(status == GMEM_OK);
  CHECK(heap.fail_at > 20);
  free(program);
  mlirContextDestroy(context);
  return CHECK_RESULT();
}
