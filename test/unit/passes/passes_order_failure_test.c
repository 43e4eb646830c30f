// passes_order_failure_test.c - every allocation of gmem-order-ops fails once:
// the status says so, nothing leaks, and the ops are in the given order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/passes_order_failure_test

#include <stdio.h>

#include "passes_failures.h"

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

static void check(const char *before, MlirOperation top, gmem_status_t status) {
  char *after = program_print(top);
  CHECK((strcmp(before, after) == 0) == (status != GMEM_OK));
  free(after);
}

int main(void) {
  MlirContext context = program_context();
  char *program = make_program();
  gmem_plan_options_t options;
  gmem_plan_options_init(&options);
  options.order = GMEM_ORDER_BEST;
  options.effort = GMEM_EFFORT_FAST;
  options.alignment = 64;
  options.quiet = true;
  CHECK(fail_each_copy(context, program, "gmem-order-ops", &options, check) >
        19);
  free(program);
  mlirContextDestroy(context);
  return CHECK_RESULT();
}
