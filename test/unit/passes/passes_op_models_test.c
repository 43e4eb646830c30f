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

//===--- sizes that a toolchain states ------------------------------------===//

typedef struct sizes_s {
  int questions;
  uint64_t answer;
  gmem_status_t status;
} sizes_t;

static gmem_status_t state_size(void *user, MlirValue value,
                                uint64_t *out_bytes, gmem_diag_t *diag) {
  sizes_t *sizes = user;
  ++sizes->questions;
  CHECK(*out_bytes == UINT64_MAX && diag && !mlirValueIsNull(value));
  *out_bytes = sizes->answer;
  return sizes->status;
}

// The argument and the results of one op have a type that gmem cannot size; the
// tensor has not.
static void test_sizes(void) {
  static const char text[] =
      "func.func @f(%a: !x.t {a.b}, %b: tensor<4xi8>) {\n"
      "  %0:3 = \"x.op\"(%a) : (!x.t) -> (!x.t, tensor<4xi8>, "
      "tensor<4xi8, #x.y>)\n"
      "  return\n"
      "}\n";
  MlirContext context = program_context();
  MlirModule module = mlirModuleCreateParse(context, ref(text));
  MlirOperation top = mlirModuleGetOperation(module);
  sizes_t sizes = {0, UINT64_MAX, GMEM_OK};

  // Nothing known, nothing stated.
  CHECK(gmem_value_bytes_query(top, state_size, &sizes, NULL) == GMEM_OK);
  CHECK(sizes.questions == 3);
  char *printed = program_print(top);
  CHECK(!strstr(printed, "gmem.bytes"));
  free(printed);

  sizes.answer = 100;
  CHECK(gmem_value_bytes_query(top, state_size, &sizes, NULL) == GMEM_OK);
  sizes.answer = 200; // replaces what was stated
  CHECK(gmem_value_bytes_query(top, state_size, &sizes, NULL) == GMEM_OK);
  printed = program_print(top);
  CHECK(strstr(printed, "!x.t {a.b, gmem.bytes = 200 : i64}"));
  CHECK(strstr(printed, "gmem.bytes = array<i64: 200, -1, 200>"));
  free(printed);

  gmem_plan_options_t options;
  gmem_plan_options_init(&options);
  options.quiet = true;
  CHECK(gmem_plan_module(top, &options, NULL, NULL) == GMEM_OK);
  printed = program_print(top);
  CHECK(strstr(printed, "gmem.size = array<i64: 200, 4, 200>"));
  free(printed);

  sizes.answer = (uint64_t)INT64_MAX + 1;
  gmem_diag_t diag = {.status = GMEM_OK};
  CHECK(gmem_value_bytes_query(top, state_size, &sizes, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(strstr(diag.text, "63 bits"));
  sizes.status = GMEM_ERR_NOT_FOUND;
  CHECK(gmem_value_bytes_query(top, state_size, &sizes, NULL) ==
        GMEM_ERR_NOT_FOUND);
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
  test_sizes();
  if (argc > 1)
    test_names(argv[1]);
  return CHECK_RESULT();
}
