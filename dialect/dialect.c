// dialect.c - loads the gmem dialect from its IRDL text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialect.h"

#include "mlir-c/Dialect/IRDL.h"

// An IRDL dialect stays registered for the lifetime of the context.
static bool is_loaded(MlirContext context) {
  return mlirContextIsRegisteredOperation(
      context, mlirStringRefCreateFromCString("gmem.op_model"));
}

MlirLogicalResult gmem_load_dialect(MlirContext context) {
  if (is_loaded(context))
    return mlirLogicalResultSuccess();
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__irdl__(), context);
  MlirModule module = mlirModuleCreateParse(
      context,
      mlirStringRefCreate(gmem_dialect_text.bytes, gmem_dialect_text.length));
  if (mlirModuleIsNull(module))
    return mlirLogicalResultFailure();
  MlirLogicalResult result = mlirLoadIRDLDialects(module);
  mlirModuleDestroy(module);
  return result;
}
