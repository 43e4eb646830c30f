// mlir_text.c - gmem-python.so, what gmem.py calls for MLIR: runs passes on the
// text of a module. Python has no headers of MLIR, so all is text here.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <pthread.h>
#include <string.h>

#include "gmem/passes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"
#include "plan_file.h"

// Receives pieces of text.
typedef void gmem_python_write_fn(void *user, const char *bytes, size_t length);

typedef struct gmem_python_request_s {
  const char *text; // a module, followed by a NUL
  size_t length;
  const char *passes; // as inside builtin.module(...); NULL: only parse
  bool locations;     // print them
  gmem_python_write_fn *output, *messages;
  void *user;
} gmem_python_request_t;

GMEM_BEGIN_C
// Writes the module that the passes leave to |output|, and all diagnostics to
// |messages|, a line each. False if one of them is an error. Any thread.
bool gmem_python_run(const gmem_python_request_t *request);
GMEM_END_C

static void send(const gmem_python_request_t *request, const char *text) {
  request->messages(request->user, text, strlen(text));
}

static void to_messages(MlirStringRef piece, void *user) {
  const gmem_python_request_t *request = user;
  request->messages(request->user, piece.data, piece.length);
}

static void to_output(MlirStringRef piece, void *user) {
  const gmem_python_request_t *request = user;
  request->output(request->user, piece.data, piece.length);
}

static MlirLogicalResult on_diagnostic(MlirDiagnostic diagnostic, void *user) {
  static const char *const severities[] = {
      ": error: ", ": warning: ", ": note: ", ": remark: "};
  mlirLocationPrint(mlirDiagnosticGetLocation(diagnostic), to_messages, user);
  send(user, severities[mlirDiagnosticGetSeverity(diagnostic)]);
  mlirDiagnosticPrint(diagnostic, to_messages, user);
  send(user, "\n");
  for (intptr_t i = 0; i < mlirDiagnosticGetNumNotes(diagnostic); ++i)
    (void)on_diagnostic(mlirDiagnosticGetNote(diagnostic, i), user);
  return mlirLogicalResultSuccess();
}

// The registry of passes belongs to the process.
static void register_passes(void) {
  mlirRegisterAllPasses();
  gmem_register_passes();
  gmem_register_plan_reader(gmem_plan_file_read);
}

static bool run_passes(const gmem_python_request_t *request,
                       MlirContext context, MlirModule module) {
  MlirPassManager manager = mlirPassManagerCreate(context);
  MlirLogicalResult result = mlirOpPassManagerAddPipeline(
      mlirPassManagerGetAsOpPassManager(manager),
      mlirStringRefCreateFromCString(request->passes), to_messages,
      (void *)request);
  if (mlirLogicalResultIsSuccess(result))
    result = mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module));
  mlirPassManagerDestroy(manager);
  return mlirLogicalResultIsSuccess(result);
}

static void print(const gmem_python_request_t *request, MlirModule module) {
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  if (request->locations)
    mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
  mlirOperationPrintWithFlags(mlirModuleGetOperation(module), flags, to_output,
                              (void *)request);
  mlirOpPrintingFlagsDestroy(flags);
}

bool gmem_python_run(const gmem_python_request_t *request) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_passes);
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextSetAllowUnregisteredDialects(context, true);
  mlirContextAttachDiagnosticHandler(context, on_diagnostic, (void *)request,
                                     NULL);
  MlirModule module = mlirModuleCreateParse(
      context, mlirStringRefCreate(request->text, request->length));
  bool good = !mlirModuleIsNull(module);
  if (good && request->passes)
    good = run_passes(request, context, module);
  if (good)
    print(request, module);
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return good;
}
