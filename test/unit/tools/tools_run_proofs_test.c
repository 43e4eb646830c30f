// tools_run_proofs_test.c - gmem-run proves a plan once, however often it uses
// it: to materialize it, to map its memory, and to break it on purpose. It once
// proved one plan four times.
// RUN: %unit/tools_run_proofs_test %t
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "gmem/passes.h"
#include "mlir_files.h"
#include "run_modes.h"

//===--- proofs -----------------------------------------------------------===//

// The linker's --wrap puts these between the callers of the proof and the
// proof.
static int proofs;

gmem_status_t __real_gmem_verify_module(MlirOperation top,
                                        const gmem_allocator_t *allocator,
                                        gmem_diag_t *diag);
gmem_status_t __wrap_gmem_verify_module(MlirOperation top,
                                        const gmem_allocator_t *allocator,
                                        gmem_diag_t *diag);
gmem_status_t __real_gmem_verify_plan(MlirOperation top,
                                      const gmem_plan_options_t *options,
                                      const gmem_allocator_t *allocator,
                                      gmem_diag_t *diag);
gmem_status_t __wrap_gmem_verify_plan(MlirOperation top,
                                      const gmem_plan_options_t *options,
                                      const gmem_allocator_t *allocator,
                                      gmem_diag_t *diag);

gmem_status_t __wrap_gmem_verify_module(MlirOperation top,
                                        const gmem_allocator_t *allocator,
                                        gmem_diag_t *diag) {
  ++proofs;
  return __real_gmem_verify_module(top, allocator, diag);
}

gmem_status_t __wrap_gmem_verify_plan(MlirOperation top,
                                      const gmem_plan_options_t *options,
                                      const gmem_allocator_t *allocator,
                                      gmem_diag_t *diag) {
  ++proofs;
  return __real_gmem_verify_plan(top, options, allocator, diag);
}

//===--- programs ---------------------------------------------------------===//

static const char of_memrefs[] =
    "func.func @main(%a: memref<16xf32>, %out: memref<16xf32>) {\n"
    "  %x = memref.alloc() : memref<16xf32>\n"
    "  %y = memref.alloc() : memref<16xf32>\n"
    "  linalg.copy ins(%a : memref<16xf32>) outs(%x : memref<16xf32>)\n"
    "  linalg.add ins(%x, %a : memref<16xf32>, memref<16xf32>)\n"
    "    outs(%y : memref<16xf32>)\n"
    "  linalg.mul ins(%x, %y : memref<16xf32>, memref<16xf32>)\n"
    "    outs(%out : memref<16xf32>)\n"
    "  return\n"
    "}\n";

static const char of_tensors[] =
    "func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n"
    "  %e = tensor.empty() : tensor<8xf32>\n"
    "  %b = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>)\n"
    "    -> tensor<8xf32>\n"
    "  %c = linalg.add ins(%a, %b : tensor<8xf32>, tensor<8xf32>)\n"
    "    outs(%e : tensor<8xf32>) -> tensor<8xf32>\n"
    "  return %c : tensor<8xf32>\n"
    "}\n";

static bool write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  bool good = file && fputs(text, file) >= 0;
  return file && fclose(file) == 0 && good;
}

static void print(MlirStringRef text, void *file) {
  fwrite(text.data, 1, text.length, file);
}

// Plans the module in the file and writes it back.
static gmem_status_t plan_file(const char *path) {
  MlirContext context = gmem_context_create();
  MlirModule module = gmem_module_parse(context, path);
  gmem_plan_options_t options;
  gmem_plan_options_init(&options);
  MlirOperation top = mlirModuleGetOperation(module);
  gmem_status_t status = gmem_plan_module(top, &options, NULL, NULL);
  FILE *file = fopen(path, "w");
  mlirOperationPrint(top, print, file);
  fclose(file);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return status;
}

// Runs the module in a process of its own. Returns the number of proofs, or -1
// if the run failed.
static int count_proofs(const char *path, uint32_t checks) {
  static gmem_run_options_t options;
  options = (gmem_run_options_t){.path = path,
                                 .threads = 2,
                                 .requests = 2,
                                 .checks = checks,
                                 .program = {.entry = "main",
                                             .compare = true,
                                             .pipeline = "gmem-lower-to-llvm",
                                             .plan_options = "",
                                             .arena_mode = GMEM_RUN_ARENA_ARG}};
  int state;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    proofs = 0;
    _exit(gmem_run_module(&options) == GMEM_OK ? proofs : 255);
  }
  CHECK(waitpid(child, &state, 0) == child);
  return WIFEXITED(state) && WEXITSTATUS(state) < 255 ? WEXITSTATUS(state) : -1;
}

int main(int argc, char **argv) {
  char path[4096];
  snprintf(path, sizeof path, "%s.mlir",
           argc > 1 ? argv[1] : "tools_run_proofs_test.tmp");
  const uint32_t all = GMEM_RUN_CHECK_BROKEN_PLAN | GMEM_RUN_CHECK_ZERO;
  CHECK(write_file(path, of_memrefs));
  CHECK(count_proofs(path, 0) == 1);
  CHECK(count_proofs(path, all) == 1);
  CHECK(plan_file(path) == GMEM_OK); // a plan of which gmem-run knows nothing
  CHECK(count_proofs(path, all) == 1);
  // One plan computes constants once; the other one, with which it is compared,
  // in each request.
  CHECK(write_file(path, of_tensors));
  CHECK(count_proofs(path, GMEM_RUN_CHECK_ZERO) == 2);
  return CHECK_RESULT();
}
