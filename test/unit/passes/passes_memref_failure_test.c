// passes_memref_failure_test.c - every allocation fails once in all that is
// done to a program on memrefs: the status says so, nothing leaks, and what was
// to be changed is as it was.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: long_tests
// RUN: %unit/passes_memref_failure_test

#include "passes_failures.h"

// What has lists of its own: roots that take turns, and one that is carried;
// calls of a function from two places; constants; a memory space; frees, one
// of them of what is not planned.
static const char program[] =
    "memref.global \"private\" constant @g : memref<4xf32> = dense<1.0>\n"
    "memref.global \"private\" constant @h : memref<8xf32> = dense<2.0>\n"
    "func.func @entry(%x: memref<8xf32>, %b: i1, %n: index) {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %c1 = arith.constant 1 : index\n"
    "  %t = scf.if %b -> (memref<8xf32>) {\n"
    "    %a = memref.alloc() : memref<8xf32>\n"
    "    memref.copy %x, %a : memref<8xf32> to memref<8xf32>\n"
    "    scf.yield %a : memref<8xf32>\n"
    "  } else {\n"
    "    %a = memref.alloc() : memref<8xf32>\n"
    "    func.call @leaf(%x, %a) : (memref<8xf32>, memref<8xf32>) -> ()\n"
    "    scf.yield %a : memref<8xf32>\n"
    "  }\n"
    "  %p = memref.alloc() : memref<8xf32>\n"
    "  %q = memref.alloc() {alignment = 128 : i64} : memref<8xf32>\n"
    "  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %p, %v = %q)"
    " -> (memref<8xf32>, memref<8xf32>) {\n"
    "    memref.copy %u, %v : memref<8xf32> to memref<8xf32>\n"
    "    scf.yield %v, %u : memref<8xf32>, memref<8xf32>\n"
    "  }\n"
    "  %h = memref.get_global @h : memref<8xf32>\n"
    "  memref.copy %h, %r#0 : memref<8xf32> to memref<8xf32>\n"
    "  func.call @leaf(%t, %r#1) : (memref<8xf32>, memref<8xf32>) -> ()\n"
    "  memref.copy %r#1, %x : memref<8xf32> to memref<8xf32>\n"
    "  %d = memref.alloc(%n) : memref<?xf32>\n"
    "  memref.dealloc %d : memref<?xf32>\n"
    "  memref.dealloc %t : memref<8xf32>\n"
    "  memref.dealloc %p : memref<8xf32>\n"
    "  memref.dealloc %q : memref<8xf32>\n"
    "  return\n"
    "}\n"
    "func.func private @leaf(%x: memref<8xf32>, %y: memref<8xf32>) {\n"
    "  %s = memref.alloc() : memref<8xf32, 1>\n"
    "  memref.copy %x, %s : memref<8xf32> to memref<8xf32, 1>\n"
    "  %g = memref.get_global @g : memref<4xf32>\n"
    "  %v = memref.subview %y[0] [4] [1] : memref<8xf32> to memref<4xf32,"
    " strided<[1]>>\n"
    "  memref.copy %g, %v : memref<4xf32> to memref<4xf32, strided<[1]>>\n"
    "  memref.dealloc %s : memref<8xf32, 1>\n"
    "  return\n"
    "}\n";

static gmem_status_t verify(MlirOperation top,
                            const gmem_plan_options_t *options,
                            const gmem_allocator_t *allocator,
                            gmem_diag_t *diag) {
  (void)options;
  return gmem_verify_module(top, allocator, diag);
}

static gmem_status_t drop(void *user, const char *bytes, size_t length) {
  (void)user;
  (void)bytes;
  (void)length;
  return GMEM_OK;
}

static gmem_status_t report(MlirOperation top,
                            const gmem_plan_options_t *options,
                            const gmem_allocator_t *allocator,
                            gmem_diag_t *diag) {
  return gmem_report_module(top, options, drop, NULL, allocator, diag);
}

static gmem_status_t materialize(MlirOperation top,
                                 const gmem_plan_options_t *options,
                                 const gmem_allocator_t *allocator,
                                 gmem_diag_t *diag) {
  return gmem_pass_find("gmem-materialize")->run(top, options, allocator, diag);
}

static gmem_status_t state_scopes(MlirOperation top,
                                  const gmem_plan_options_t *options,
                                  const gmem_allocator_t *allocator,
                                  gmem_diag_t *diag) {
  return gmem_pass_find("gmem-alias-scopes")
      ->run(top, options, allocator, diag);
}

static void drop_text(MlirStringRef text, void *user) {
  (void)text;
  (void)user;
}

static void lower(MlirOperation top) {
  MlirPassManager manager = mlirPassManagerCreate(mlirOperationGetContext(top));
  CHECK(mlirLogicalResultIsSuccess(mlirOpPassManagerAddPipeline(
      mlirPassManagerGetAsOpPassManager(manager), ref("gmem-lower-to-llvm"),
      drop_text, NULL)));
  CHECK(mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, top)));
  mlirPassManagerDestroy(manager);
}

static void test_mode(MlirContext context, gmem_arena_mode_t mode) {
  MlirModule module = mlirModuleCreateParse(context, ref(program));
  CHECK(!mlirModuleIsNull(module));
  if (mlirModuleIsNull(module))
    return;
  MlirOperation top = mlirModuleGetOperation(module);
  gmem_plan_options_t options;
  gmem_plan_options_init(&options);
  options.effort = GMEM_EFFORT_FAST;
  options.arena_mode = mode;
  options.weight_image = true;
  if (mode == GMEM_ARENA_ALLOC) { // no other knows of the mode
    CHECK(fail_each(top, &options, report, true) > 30);
    CHECK(fail_each(top, &options, gmem_plan_module, false) > 30);
    CHECK(fail_each(top, &options, verify, true) > 20);
  } else {
    CHECK(gmem_plan_module(top, &options, NULL, NULL) == GMEM_OK);
  }
  CHECK(fail_each(top, &options, materialize, true) > 30);
  if (mode != GMEM_ARENA_ALLOC) { // LLVM cannot free what is in space 1
    lower(top);
    CHECK(fail_each(top, &options, state_scopes, true) > 2);
  }
  mlirModuleDestroy(module);
}

int main(void) {
  MlirContext context = failures_context();
  mlirRegisterAllPasses();
  gmem_register_passes();
  for (int mode = GMEM_ARENA_ALLOC; mode <= GMEM_ARENA_GLOBAL; ++mode)
    test_mode(context, (gmem_arena_mode_t)mode);
  mlirContextDestroy(context);
  return CHECK_RESULT();
}
