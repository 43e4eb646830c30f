// passes_addresses_test.c - addresses in types: all of them change, or none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/passes_addresses_test

#include "check.h"
#include "passes_program.h"

// Two scopes; the ops of the first do not care about types.
static const char scopes[] =
    "module @a attributes {module.device_id = 0 : i64} {\n"
    "  func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
    "    %w = \"top.Weight\"() : () -> tensor<4xf32>\n"
    "    %0 = \"my.op\"(%x, %w) : (tensor<4xf32>, tensor<4xf32>)"
    " -> tensor<4xf32>\n"
    "    %1:2 = \"tpu.Group\"(%0) ({\n"
    "      %2 = \"tpu.Store\"(%0) : (tensor<4xf32>) -> tensor<4xf32>\n"
    "      %3 = \"tpu.Store\"(%0) : (tensor<4xf32>) -> tensor<4xf32>\n"
    "      \"tpu.Yield\"(%2, %3) : (tensor<4xf32>, tensor<4xf32>) -> ()\n"
    "    }) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)\n"
    "    return %1#1 : tensor<4xf32>\n"
    "  }\n"
    "}\n"
    "module @b {\n"
    "  func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
    "    %0 = func.call @g(%x) : (tensor<4xf32>) -> tensor<4xf32>\n"
    "    %1 = SECOND(%0) : (tensor<4xf32>) -> tensor<4xf32>\n"
    "    %2 = SECOND(%1) : (tensor<4xf32>) -> tensor<4xf32>\n"
    "    return %2 : tensor<4xf32>\n"
    "  }\n"
    "  func.func private @h(%y: tensor<4xf32>) -> tensor<4xf32> {\n"
    "    %0 = \"my.op\"(%y) : (tensor<4xf32>) -> tensor<4xf32>\n"
    "    return %0 : tensor<4xf32>\n"
    "  }\n"
    "  func.func private @g(tensor<4xf32>) -> tensor<4xf32>\n"
    "}\n";

// The text of the two scopes, with |op| twice in the second.
static char *with_op(const char *op) {
  program_text_t text = {NULL, 0};
  const char *from = scopes, *hole;
  while ((hole = strstr(from, "SECOND"))) {
    program_append(mlirStringRefCreate(from, (size_t)(hole - from)), &text);
    program_append(ref(op), &text);
    from = hole + strlen("SECOND");
  }
  program_append(ref(from), &text);
  return text.bytes;
}

// The program planned without sharing, so that addresses differ.
static MlirModule planned(MlirContext context, const char *op) {
  char *text = with_op(op);
  MlirModule module = mlirModuleCreateParse(context, ref(text));
  CHECK(!mlirModuleIsNull(module));
  free(text);
  gmem_plan_options_t options;
  gmem_plan_options_init(&options);
  gmem_diag_t diag;
  CHECK(gmem_plan_options_set(&options, "algorithm", "none", &diag) == GMEM_OK);
  CHECK(gmem_plan_options_set(&options, "sharing", "none", &diag) == GMEM_OK);
  CHECK(gmem_plan_module(mlirModuleGetOperation(module), &options, NULL,
                         &diag) == GMEM_OK);
  return module;
}

static gmem_status_t run(const char *pass, MlirModule module,
                         gmem_diag_t *diag) {
  gmem_plan_options_t options;
  gmem_plan_options_init(&options);
  return gmem_pass_find(pass)->run(mlirModuleGetOperation(module), &options,
                                   NULL, diag);
}

static MlirLogicalResult count_error(MlirDiagnostic diagnostic, void *user) {
  if (mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError)
    ++*(int *)user;
  return mlirLogicalResultSuccess();
}

// In the second scope a function is called with operands at two addresses; the
// first one's types are what they were, too. There is one message, ours.
static void test_nothing_changes_when_one_op_refuses(MlirContext context) {
  MlirModule module = planned(context, "func.call @h");
  char *before = program_print(mlirModuleGetOperation(module));
  int errors = 0;
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, count_error, &errors, NULL);
  gmem_diag_t diag = {.status = GMEM_OK};
  CHECK(run("gmem-encode-addresses", module, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  mlirContextDetachDiagnosticHandler(context, handler);
  CHECK(errors == 1);
  CHECK(strstr(diag.text, "this op does not allow its new types: "
                          "'func.call' op operand type mismatch"));
  char *after = program_print(mlirModuleGetOperation(module));
  CHECK(strcmp(before, after) == 0);
  free(before);
  free(after);
  mlirModuleDestroy(module);
}

// Into types and out of them again, twice: nothing is lost on the way.
static void test_round_trip(MlirContext context) {
  MlirModule module = planned(context, "\"my.other\"");
  MlirOperation top = mlirModuleGetOperation(module);
  gmem_diag_t diag;
  CHECK(run("gmem-encode-addresses", module, &diag) == GMEM_OK);
  CHECK(mlirOperationVerify(top));
  char *encoded = program_print(top);
  CHECK(strstr(encoded, "tensor<4xf32, 4096 : i64>"));
  CHECK(strstr(encoded, "module.neuron_addr = 4096 : i64"));
  CHECK(run("gmem-encode-addresses", module, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT); // there are addresses already
  CHECK(run("gmem-import-addresses", module, &diag) == GMEM_OK);
  CHECK(gmem_verify_module(top, NULL, &diag) == GMEM_OK);
  char *imported = program_print(top);
  CHECK(!strstr(imported, "tensor<4xf32, "));
  CHECK(!strstr(imported, "module.neuron_addr"));
  CHECK(run("gmem-encode-addresses", module, &diag) == GMEM_OK);
  CHECK(run("gmem-import-addresses", module, &diag) == GMEM_OK);
  char *again = program_print(top);
  CHECK(strcmp(imported, again) == 0);
  free(encoded);
  free(imported);
  free(again);
  mlirModuleDestroy(module);
}

static void test_in(MlirContext context) {
  test_nothing_changes_when_one_op_refuses(context);
  test_round_trip(context);
  mlirContextDestroy(context);
}

int main(void) {
  test_in(program_context());
  // MLIR's verifier then works on threads of its own.
  MlirContext context = program_context();
  mlirContextEnableMultithreading(context, true);
  test_in(context);
  return CHECK_RESULT();
}
