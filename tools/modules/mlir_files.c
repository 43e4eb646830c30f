// mlir_files.c - reads modules and prints diagnostics.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "files.h"
#include "ir_reading.h"
#include "messages.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"
#include "mlir_seam.h"

//===--- diagnostics ------------------------------------------------------===//

static void print_piece(MlirStringRef piece, void *user) {
  (void)user;
  fprintf(stderr, "%.*s", (int)piece.length, piece.data);
}

// "file:line:column: error: text".
static void print_diagnostic(MlirDiagnostic diagnostic) {
  static const char *const severities[] = {"error", "warning", "note",
                                           "remark"};
  MlirLocation location = mlirDiagnosticGetLocation(diagnostic);
  if (mlirLocationIsAFileLineColRange(location)) {
    MlirStringRef file =
        mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location));
    fprintf(stderr, "%.*s:%d:%d", (int)file.length, file.data,
            mlirLocationFileLineColRangeGetStartLine(location),
            mlirLocationFileLineColRangeGetStartColumn(location));
  } else if (mlirLocationEqual(
                 location,
                 mlirLocationUnknownGet(mlirLocationGetContext(location)))) {
    fputs(gmem_tool_name(), stderr);
  } else {
    mlirLocationPrint(location, print_piece, NULL);
  }
  fprintf(stderr, ": %s: ", severities[mlirDiagnosticGetSeverity(diagnostic)]);
  mlirDiagnosticPrint(diagnostic, print_piece, NULL);
  fputc('\n', stderr);
}

// Whether |note| prints an op, which may be a whole function; the location of
// the diagnostic suffices.
static bool is_op_text(MlirDiagnostic note) {
  static const char beginning[] = "see current operation";
  char text[sizeof beginning] = "";
  gmem_printed_t printed = {text, sizeof text, 0, false};
  mlirDiagnosticPrint(note, gmem_print_into, &printed);
  return strcmp(text, beginning) == 0;
}

// Prints the diagnostic and its notes.
static MlirLogicalResult on_diagnostic(MlirDiagnostic diagnostic, void *user) {
  (void)user;
  print_diagnostic(diagnostic);
  for (intptr_t i = 0; i < mlirDiagnosticGetNumNotes(diagnostic); ++i) {
    MlirDiagnostic note = mlirDiagnosticGetNote(diagnostic, i);
    if (!is_op_text(note))
      print_diagnostic(note);
  }
  return mlirLogicalResultSuccess();
}

MlirContext gmem_context_create(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextSetAllowUnregisteredDialects(context, true);
  mlirContextAttachDiagnosticHandler(context, on_diagnostic, NULL, NULL);
  return context;
}

//===--- modules ----------------------------------------------------------===//

// Prints why a regular file cannot be read, since MLIR does not. Pipes, which
// can be read only once, are left to MLIR.
static bool is_readable(const char *path) {
  char *text;
  size_t size;
  gmem_diag_t diag;
  struct stat info;
  if (strcmp(path, "-") == 0 ||
      (stat(path, &info) == 0 && !S_ISREG(info.st_mode) &&
       !S_ISDIR(info.st_mode)))
    return true;
  gmem_status_t status = gmem_read_file(path, &text, &size, &diag);
  free(text);
  return gmem_tool_check(status, &diag, "%s", path) == GMEM_OK;
}

MlirModule gmem_module_parse(MlirContext context, const char *path) {
  if (!is_readable(path))
    return (MlirModule){NULL};
  return mlirModuleCreateParseFromFile(context, gmem_string(path));
}

//===--- passes -----------------------------------------------------------===//

// Joins the lines of |text| to one.
static void join_lines(char *text) {
  size_t length = strlen(text);
  for (size_t i = 0; i < length; ++i)
    if (text[i] == '\n')
      text[i] = ' ';
  while (length && text[length - 1] == ' ')
    text[--length] = '\0';
}

gmem_status_t gmem_module_run_passes(MlirModule module, const char *pipeline) {
  static const char anchor[] = "builtin.module(";
  char text[512] = "";
  gmem_printed_t problem = {text, sizeof text, 0, false};
  MlirPassManager manager = mlirPassManagerCreate(mlirModuleGetContext(module));
  MlirOpPassManager passes = mlirPassManagerGetAsOpPassManager(manager);
  MlirLogicalResult result =
      strncmp(pipeline, anchor, sizeof anchor - 1) == 0
          ? mlirParsePassPipeline(passes, gmem_string(pipeline),
                                  gmem_print_into, &problem)
          : mlirOpPassManagerAddPipeline(passes, gmem_string(pipeline),
                                         gmem_print_into, &problem);
  gmem_status_t status = GMEM_OK;
  if (mlirLogicalResultIsFailure(result)) {
    join_lines(text);
    status = gmem_tool_error("invalid pipeline '%s': %s", pipeline, text);
  } else if (mlirLogicalResultIsFailure(mlirPassManagerRunOnOp(
                 manager, mlirModuleGetOperation(module)))) {
    status = GMEM_TOLD; // MLIR has printed the error
  }
  mlirPassManagerDestroy(manager);
  return status;
}
