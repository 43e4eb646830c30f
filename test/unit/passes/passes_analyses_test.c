// passes_analyses_test.c - a pipeline analyses one state of a program once:
// gmem-plan for the tensors and for the proof, gmem-materialize for its own,
// gmem-report for both of its copy. It once analysed a program five times.
// RUN: %unit/passes_analyses_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check.h"
#include "liveness.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"
#include "passes_program.h"

// The linker's --wrap puts these between the callers of the analysis and the
// analysis.
static int analyses;

gmem_status_t __real_gmem_liveness_analyse(const gmem_liveness_inputs_t *inputs,
                                           gmem_bump_t *arena,
                                           gmem_liveness_t *out_liveness,
                                           gmem_diag_t *diag);
gmem_status_t __wrap_gmem_liveness_analyse(const gmem_liveness_inputs_t *inputs,
                                           gmem_bump_t *arena,
                                           gmem_liveness_t *out_liveness,
                                           gmem_diag_t *diag);

gmem_status_t __wrap_gmem_liveness_analyse(const gmem_liveness_inputs_t *inputs,
                                           gmem_bump_t *arena,
                                           gmem_liveness_t *out_liveness,
                                           gmem_diag_t *diag) {
  ++analyses;
  return __real_gmem_liveness_analyse(inputs, arena, out_liveness, diag);
}

static const char of_memrefs[] =
    "func.func @main(%a: memref<16xf32>, %out: memref<16xf32>) {\n"
    "  %x = memref.alloc() : memref<16xf32>\n"
    "  %y = memref.alloc() : memref<16xf32>\n"
    "  memref.copy %a, %x : memref<16xf32> to memref<16xf32>\n"
    "  memref.copy %x, %y : memref<16xf32> to memref<16xf32>\n"
    "  memref.copy %y, %out : memref<16xf32> to memref<16xf32>\n"
    "  return\n"
    "}\n";

static const char of_tensors[] =
    "func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n"
    "  %w = arith.constant dense<2.0> : tensor<8xf32>\n"
    "  %b = arith.mulf %a, %w : tensor<8xf32>\n"
    "  %c = arith.addf %a, %b : tensor<8xf32>\n"
    "  return %c : tensor<8xf32>\n"
    "}\n";

static MlirContext create_context(void) {
  MlirContext context = mlirContextCreateWithThreading(false);
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);
  return context;
}

static void ignore(MlirStringRef text, void *user) {
  (void)text;
  (void)user;
}

// Runs the pipeline on a new copy of the program. Returns the number of
// analyses, or -1 if it failed.
static int count_analyses(MlirContext context, const char *program,
                          const char *pipeline) {
  MlirModule module = mlirModuleCreateParse(context, ref(program));
  MlirPassManager manager = mlirPassManagerCreate(context);
  analyses = 0;
  bool is_good = !mlirModuleIsNull(module) &&
                 mlirLogicalResultIsSuccess(mlirOpPassManagerAddPipeline(
                     mlirPassManagerGetAsOpPassManager(manager), ref(pipeline),
                     ignore, NULL)) &&
                 mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(
                     manager, mlirModuleGetOperation(module)));
  mlirPassManagerDestroy(manager);
  mlirModuleDestroy(module);
  return is_good ? analyses : -1;
}

int main(void) {
  gmem_register_passes();
  MlirContext context = create_context();
  CHECK(count_analyses(context, of_memrefs, "gmem-plan") == 2);
  CHECK(count_analyses(context, of_memrefs, "gmem-plan,gmem-materialize") == 3);
  CHECK(count_analyses(context, of_memrefs, "gmem-report{output=/dev/null}") ==
        2);
  CHECK(count_analyses(context, of_tensors, "gmem-plan") == 2);
  CHECK(count_analyses(context, of_tensors,
                       "gmem-report{format=json output=/dev/null}") == 2);
  mlirContextDestroy(context);
  return CHECK_RESULT();
}
