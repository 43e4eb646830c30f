// passes_transforms_failure_test.c - every allocation fails once in what is
// done to constants that functions make (gmem.transform): the status says so,
// nothing leaks, and what fails changes nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// RUN: %unit/passes_transforms_failure_test

#include <stdio.h>

#include "passes_failures.h"

enum { CONSTANTS = 100, STEPS = 40 };

// Enough constants and functions for lists to grow; half of the constants are
// equal to the one before.
static char *make_program(void) {
  program_text_t text = {NULL, 0};
  char line[256];
  program_append(ref("func.func @f(%x: memref<4xi8>) {\n"), &text);
  for (int i = 0; i < CONSTANTS; ++i) {
    snprintf(line, sizeof line,
             "  %%%d = arith.constant {gmem.source = dense<%d> :"
             " tensor<4xi8>, gmem.transform = [",
             i, i / 2);
    program_append(ref(line), &text);
    for (int k = 0; k < (i < 2 ? STEPS : 1); ++k) {
      snprintf(line, sizeof line, "%s{name = \"s%d\", bytes = 4}",
               k ? ", " : "", k);
      program_append(ref(line), &text);
    }
    snprintf(line, sizeof line,
             "]} dense<0> : tensor<4xi8>\n"
             "  %%m%d = bufferization.to_buffer %%%d : tensor<4xi8> to "
             "memref<4xi8>\n"
             "  memref.copy %%m%d, %%x : memref<4xi8> to memref<4xi8>\n",
             i, i, i);
    program_append(ref(line), &text);
  }
  program_append(ref("  return\n}\n"), &text);
  return text.bytes;
}

static gmem_status_t read_plan(MlirOperation top,
                               const gmem_plan_options_t *options,
                               const gmem_allocator_t *allocator,
                               gmem_diag_t *diag) {
  (void)options;
  gmem_planned_t *planned = NULL;
  gmem_status_t status = gmem_planned_read(top, allocator, &planned, diag);
  if (status == GMEM_OK)
    CHECK(gmem_planned_transform_count(planned) == STEPS + CONSTANTS / 2 - 1);
  gmem_planned_destroy(planned);
  return status;
}

static void drop_text(MlirStringRef text, void *user) {
  (void)text;
  (void)user;
}

// Makes memrefs of what is left of the tensors.
static void canonicalize(MlirOperation top) {
  MlirPassManager manager = mlirPassManagerCreate(mlirOperationGetContext(top));
  CHECK(mlirLogicalResultIsSuccess(
      mlirOpPassManagerAddPipeline(mlirPassManagerGetAsOpPassManager(manager),
                                   ref("canonicalize"), drop_text, NULL)));
  CHECK(mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, top)));
  mlirPassManagerDestroy(manager);
}

static gmem_pass_fn *find_pass(const char *name) {
  return gmem_pass_find(name)->run;
}

int main(void) {
  MlirContext context = failures_context();
  mlirContextLoadAllAvailableDialects(context);
  mlirRegisterAllPasses();
  char *program = make_program();
  MlirModule module = mlirModuleCreateParse(context, ref(program));
  free(program);
  CHECK(!mlirModuleIsNull(module));
  if (mlirModuleIsNull(module))
    return CHECK_RESULT();
  MlirOperation top = mlirModuleGetOperation(module);
  gmem_plan_options_t options;
  gmem_plan_options_init(&options);
  options.effort = GMEM_EFFORT_FAST;
  options.model.share_weights = true;
  options.arena_mode = GMEM_ARENA_ARG;
  options.weight_image = true;
  CHECK(fail_each(top, &options, find_pass("gmem-transforms-to-globals"),
                  true) > 0);
  canonicalize(top);
  CHECK(fail_each(top, &options, gmem_plan_module, false) > 20);
  CHECK(fail_each(top, &options, read_plan, true) > 10);
  CHECK(fail_each(top, &options, find_pass("gmem-materialize"), true) > 10);
  CHECK(fail_each(top, &options, find_pass("gmem-check-transforms"), true) ==
        0);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return CHECK_RESULT();
}
