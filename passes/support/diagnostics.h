// diagnostics.h - error and remark reporting to MLIR's diagnostic handlers,
// with locations, and to the caller's gmem_diag_t.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_DIAGNOSTICS_H_
#define GMEM_PASSES_DIAGNOSTICS_H_

#include <stdio.h>

#include "diag.h"
#include "gmem/status.h"
#include "mlir-c/IR.h"
#include "mlir_seam.h"

// Emits an error at |location| with |note_count| notes, fills |diag| (may be
// NULL) and returns |status|, so that callers can return it in one line.
gmem_status_t gmem_error(gmem_diag_t *diag, gmem_status_t status,
                         MlirLocation location, const gmem_note_t *notes,
                         size_t note_count, const char *format, ...)
    GMEM_PRINTF(6, 7);

// gmem_error without notes: at a location, at an op, and at an op with the
// status INVALID_ARGUMENT. The format and its arguments come last.
#define gmem_error_at(diag, status, location, ...)                             \
  gmem_error((diag), (status), (location), NULL, 0, __VA_ARGS__)
#define gmem_op_error(diag, status, op, ...)                                   \
  gmem_error_at(diag, status, mlirOperationGetLocation(op), __VA_ARGS__)
#define gmem_reject(diag, op, ...)                                             \
  gmem_op_error(diag, GMEM_ERR_INVALID_ARGUMENT, op, __VA_ARGS__)

// Emits a remark with |note_count| notes, or without.
void gmem_remark_with_notes(MlirLocation location, const gmem_note_t *notes,
                            size_t note_count, const char *format, ...)
    GMEM_PRINTF(4, 5);
#define gmem_remark(location, ...)                                             \
  gmem_remark_with_notes((location), NULL, 0, __VA_ARGS__)

#endif // GMEM_PASSES_DIAGNOSTICS_H_
