// passes_op_models_test.c - the ops that models of MLIR's own dialects name
// exist, and gmem_op_models_add does what passes.h says.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/passes_op_models_test
// (test/passes/ops/models.test runs it with a file of op names.)

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "passes_program.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/RegisterEverything.h"

// The text of the attribute, or "".
static MlirStringRef text_of(MlirOperation op) {
  MlirAttribute attribute =
      mlirOperationGetAttributeByName(op, ref("gmem.op_models"));
  return mlirAttributeIsNull(attribute) ? ref("")
                                        : mlirStringAttrGetValue(attribute);
}

static gmem_status_t add(MlirOperation op, const char *text,
                         gmem_diag_t *diag) {
  return gmem_op_models_add(op, text, strlen(text), diag);
}

static void test_add(void) {
  static const char first[] = "\"gmem.op_model\"() {op = \"a.b\"} : () -> ()";
  static const char second[] =
      "\"gmem.op_model\"() {op = \"a.b\", kind = \"none\"} : () -> ()\n";
  MlirContext context = program_context();
  MlirModule module = mlirModuleCreateParse(context, ref("module {}"));
  MlirOperation top = mlirModuleGetOperation(module);
  gmem_diag_t diag = {.status = GMEM_OK};

  CHECK(add(top, "\n nonsense", &diag) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(strncmp(diag.text, "text:2:2: ", 10) == 0);
  CHECK(add(top, "nonsense", NULL) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(text_of(top).length == 0); // untouched

  CHECK(add(top, first, &diag) == GMEM_OK);
  CHECK(mlirStringRefEqual(text_of(top), ref(first)));
  CHECK(add(top, first, &diag) == GMEM_OK); // is there already
  CHECK(mlirStringRefEqual(text_of(top), ref(first)));
  CHECK(add(top, second, &diag) == GMEM_OK); // wins
  CHECK(text_of(top).length == strlen(first) + strlen(second) + 10);
  CHECK(add(top, "", &diag) == GMEM_OK); // nothing to say is fine

  MlirAttribute number = mlirAttributeParseGet(context, ref("1 : i64"));
  mlirOperationSetAttributeByName(top, ref("gmem.op_models"), number);
  CHECK(add(top, first, &diag) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(strcmp(diag.text, "gmem.op_models must be a string") == 0);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
}

// Each line of the file is an op.
static void test_names(const char *path) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirContextLoadAllAvailableDialects(context);
  FILE *file = fopen(path, "r");
  CHECK(file != NULL);
  char line[256];
  size_t count = 0;
  while (file && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = '\0';
    bool is_known = mlirContextIsRegisteredOperation(context, ref(line));
    if (!is_known)
      fprintf(stderr, "MLIR has no op %s\n", line);
    CHECK(is_known);
    ++count;
  }
  CHECK(count > 200);
  CHECK(!mlirContextIsRegisteredOperation(context, ref("tosa.ad")));
  if (file)
    fclose(file);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
}

int main(int argc, char **argv) {
  test_add();
  if (argc > 1)
    test_names(argv[1]);
  return CHECK_RESULT();
}
