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

typedef struct gmem_notes_s {
  const gmem_note_t *at;
  size_t count;
} gmem_notes_t;

// Emits an error with notes at |location|, fills |diag| (may be NULL) and
// returns |status|, so that callers can return it in one line. With the status
// GMEM_OK it only emits a remark.
gmem_status_t gmem_report_at(gmem_diag_t *diag, gmem_status_t status,
                             MlirLocation location, gmem_notes_t notes,
                             const char *format, ...) GMEM_PRINTF(5, 6);

// An error with |count| notes, or without: at a location, at an op, and at an
// op with the status INVALID_ARGUMENT. The format and its arguments come last.
#define gmem_error(diag, status, location, notes, count, ...)                  \
  gmem_report_at((diag), (status), (location),                                 \
                 (gmem_notes_t){(notes), (count)}, __VA_ARGS__)
#define gmem_error_at(diag, status, location, ...)                             \
  gmem_error(diag, status, location, NULL, 0, __VA_ARGS__)
#define gmem_op_error(diag, status, op, ...)                                   \
  gmem_error_at(diag, status, mlirOperationGetLocation(op), __VA_ARGS__)
#define gmem_reject(diag, op, ...)                                             \
  gmem_op_error(diag, GMEM_ERR_INVALID_ARGUMENT, op, __VA_ARGS__)

// The same for remarks.
#define gmem_remark_with_notes(location, notes, count, ...)                    \
  ((void)gmem_error(NULL, GMEM_OK, location, notes, count, __VA_ARGS__))
#define gmem_remark(location, ...)                                             \
  gmem_remark_with_notes(location, NULL, 0, __VA_ARGS__)

// A warning with notes at a location.
void gmem_warning_at(MlirLocation location, gmem_notes_t notes,
                     const char *format, ...) GMEM_PRINTF(3, 4);
#define gmem_warning(location, ...)                                            \
  gmem_warning_at(location, (gmem_notes_t){NULL, 0}, __VA_ARGS__)

#endif // GMEM_PASSES_DIAGNOSTICS_H_
