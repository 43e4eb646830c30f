// diagnostics.c - formatting for diagnostics.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "diagnostics.h"

#include <stdarg.h>

enum { TEXT_BYTES = 1024 };

gmem_status_t gmem_report_at(gmem_diag_t *diag, gmem_status_t status,
                             MlirLocation location, gmem_notes_t notes,
                             const char *format, ...) {
  char text[TEXT_BYTES];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  gmem_emit(status == GMEM_OK ? GMEM_SEVERITY_REMARK : GMEM_SEVERITY_ERROR,
            location, text, notes.at, notes.count);
  return status == GMEM_OK ? GMEM_OK : gmem_fail(diag, status, "%s", text);
}

void gmem_warning_at(MlirLocation location, gmem_notes_t notes,
                     const char *format, ...) {
  char text[TEXT_BYTES];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  gmem_emit(GMEM_SEVERITY_WARNING, location, text, notes.at, notes.count);
}
