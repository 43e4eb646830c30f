// passes.c - a C program that plans a module by the passes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>

#include "gmem/passes.h"
#include "mlir-c/Dialect/Func.h"

static const char text[] =
    "func.func @f(%a: tensor<16xf32>) -> tensor<16xf32> {\n"
    "  %0 = \"x.op\"(%a) : (tensor<16xf32>) -> tensor<16xf32>\n"
    "  return %0 : tensor<16xf32>\n"
    "}\n";

int main(void) {
  MlirContext context = mlirContextCreate();
  gmem_plan_options_t options;
  gmem_planned_t *planned = NULL;
  gmem_diag_t diag = {0};
  mlirContextSetAllowUnregisteredDialects(context, true);
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__func__(), registry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirContextLoadAllAvailableDialects(context);
  gmem_register_passes();
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  gmem_plan_options_init(&options);
  options.alignment = 64;
  options.quiet = true;
  if (mlirModuleIsNull(module) ||
      gmem_plan_module(mlirModuleGetOperation(module), &options, NULL, &diag) !=
          GMEM_OK ||
      gmem_planned_read_verified(mlirModuleGetOperation(module), NULL, &planned,
                                 &diag) != GMEM_OK) {
    fprintf(stderr, "%s\n", diag.text);
    return 1;
  }
  printf("peak %d\n", (int)gmem_planned_figures(planned)->peak);
  gmem_planned_destroy(planned);
  mlirModuleDestroy(module);
  mlirDialectRegistryDestroy(registry);
  mlirContextDestroy(context);
  return 0;
}
