// eliminate_empty_tensors.c - gmem-eliminate-empty-tensors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: that MLIR's eliminate-empty-tensors is registered.
// produces: the program after that pass, or the unchanged program with a remark
//           where the pass fails: it is an optimisation, and makes invalid IR
//           of some programs (a slice is moved before what it is of).
// fails:    when the pass is not registered, or out of memory.

#include "eliminate_empty_tensors.h"

#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/Pass.h"

// The first error of an attempt.
typedef struct attempt_s {
  char text[256];
  bool has_failed;
} attempt_t;

// Errors of an attempt are none of the program; other diagnostics are passed
// on.
static MlirLogicalResult on_diagnostic(MlirDiagnostic diagnostic, void *user) {
  attempt_t *attempt = user;
  if (mlirDiagnosticGetSeverity(diagnostic) != MlirDiagnosticError)
    return mlirLogicalResultFailure();
  if (!attempt->has_failed) {
    gmem_printed_t printed = {attempt->text, sizeof attempt->text, 0, false};
    mlirDiagnosticPrint(diagnostic, gmem_print_into, &printed);
  }
  attempt->has_failed = true;
  return mlirLogicalResultSuccess();
}

// Moves the regions of |from| to |to|.
static void replace_regions(MlirOperation to, MlirOperation from) {
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(to); ++i)
    mlirRegionTakeBody(mlirOperationGetRegion(to, i),
                       mlirOperationGetRegion(from, i));
}

static bool run_passes(MlirPassManager manager, MlirOperation top,
                       attempt_t *attempt) {
  MlirContext context = mlirOperationGetContext(top);
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, on_diagnostic, attempt, NULL);
  bool is_good =
      mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, top));
  mlirContextDetachDiagnosticHandler(context, handler);
  return is_good;
}

const char *const gmem_eliminate_dialects[] = {"bufferization", "tensor", NULL};

gmem_status_t gmem_eliminate_empty_tensors(MlirOperation top,
                                           const gmem_plan_options_t *options,
                                           const gmem_allocator_t *allocator,
                                           gmem_diag_t *diag) {
  (void)options, (void)allocator;
  attempt_t attempt = {.text = ""};
  gmem_printed_t printed = {attempt.text, sizeof attempt.text, 0, false};
  MlirPassManager manager = mlirPassManagerCreate(mlirOperationGetContext(top));
  if (mlirLogicalResultIsFailure(mlirParsePassPipeline(
          mlirPassManagerGetAsOpPassManager(manager),
          gmem_string("builtin.module(eliminate-empty-tensors)"),
          gmem_print_into, &printed))) {
    mlirPassManagerDestroy(manager);
    return gmem_op_error(diag, GMEM_ERR_STATE, top,
                         "eliminate-empty-tensors is not registered");
  }
  MlirOperation original = mlirOperationClone(top);
  if (!run_passes(manager, top, &attempt)) {
    replace_regions(top, original);
    gmem_remark(mlirOperationGetLocation(top),
                "eliminate-empty-tensors fails on this program (%s) and is "
                "left out: values may be copied that could be computed in "
                "place",
                attempt.text);
  }
  mlirOperationDestroy(original);
  mlirPassManagerDestroy(manager);
  return GMEM_OK;
}
