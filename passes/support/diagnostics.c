// diagnostics.c - formatting for diagnostics.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "diagnostics.h"

#include <stdarg.h>
#include <stdio.h>

#include "mlir_seam.h"

enum { TEXT_BYTES = 1024 };

static void fill(gmem_diag_t *diag, gmem_status_t status, const char *text) {
  if (!diag)
    return;
  *diag = (gmem_diag_t){.status = status};
  snprintf(diag->text, sizeof diag->text, "%.*s", (int)sizeof diag->text - 1,
           text);
}

gmem_status_t gmem_error(gmem_diag_t *diag, gmem_status_t status,
                         MlirLocation location, const gmem_note_t *notes,
                         size_t note_count, const char *format, ...) {
  char text[TEXT_BYTES];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  gmem_emit(GMEM_SEVERITY_ERROR, location, text, notes, note_count);
  fill(diag, status, text);
  return status;
}

gmem_status_t gmem_fail(gmem_diag_t *diag, gmem_status_t status,
                        const char *format, ...) {
  char text[TEXT_BYTES];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fill(diag, status, text);
  return status;
}

gmem_status_t gmem_out_of_memory(gmem_diag_t *diag) {
  return gmem_fail(diag, GMEM_ERR_OUT_OF_MEMORY, "out of memory");
}

void gmem_remark(MlirLocation location, const char *format, ...) {
  char text[TEXT_BYTES];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  gmem_emit(GMEM_SEVERITY_REMARK, location, text, NULL, 0);
}

void gmem_remark_with_notes(MlirLocation location, const gmem_note_t *notes,
                            size_t note_count, const char *format, ...) {
  char text[TEXT_BYTES];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  gmem_emit(GMEM_SEVERITY_REMARK, location, text, notes, note_count);
}
