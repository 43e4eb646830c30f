// passes_hoist_failure_test.c - every allocation of gmem-hoist-constants fails
// once: the status says so, nothing leaks, and the program is as it was, not
// half hoisted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/passes_hoist_failure_test

#include <stdio.h>

#include "passes_failures.h"

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

static void check(const char *before, MlirOperation top, gmem_status_t status) {
  MlirModule old =
      mlirModuleCreateParse(mlirOperationGetContext(top), ref(before));
  char *was = print_stripped(mlirModuleGetOperation(old));
  char *after = print_stripped(top);
  CHECK((strcmp(was, after) == 0) == (status != GMEM_OK));
  CHECK((strstr(after, "@f_init") != NULL) == (status == GMEM_OK));
  free(was);
  free(after);
  mlirModuleDestroy(old);
}

int main(void) {
  MlirContext context = failures_context();
  char *program = make_program();
  gmem_plan_options_t options;
  gmem_plan_options_init(&options);
  options.constants = GMEM_CONSTANTS_HOIST;
  options.constant_budget = 1 << 20;
  options.quiet = true;
  CHECK(fail_each_copy(context, program, "gmem-hoist-constants", &options,
                       check) > 4);
  free(program);
  mlirContextDestroy(context);
  return CHECK_RESULT();
}
