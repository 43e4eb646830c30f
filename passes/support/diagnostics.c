// diagnostics.c - formatting for diagnostics.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "diagnostics.h"

#include <stdarg.h>
#include <stdio.h>

#include "mlir_seam.h"

enum { TEXT_BYTES = 1024 };

gmem_status_t gmem_error(gmem_diag_t *diag, gmem_status_t status,
                         MlirLocation location, const gmem_note_t *notes,
                         size_t note_count, const char *format, ...) {
  char text[TEXT_BYTES];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  gmem_emit(GMEM_SEVERITY_ERROR, location, text, notes, note_count);
  return gmem_fail(diag, status, "%s", text);
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
