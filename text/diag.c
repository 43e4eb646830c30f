// diag.c - fills diagnostics with formatted text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "diag.h"

#include <stdio.h>

gmem_status_t gmem_fail_list(gmem_diag_t *diag, gmem_status_t status,
                             const char *format, va_list arguments) {
  if (!diag)
    return status;
  // The text may quote the former text of |diag|.
  char text[sizeof diag->text];
  vsnprintf(text, sizeof text, format, arguments);
  *diag = (gmem_diag_t){.status = status};
  snprintf(diag->text, sizeof diag->text, "%s", text);
  return status;
}

gmem_status_t gmem_fail(gmem_diag_t *diag, gmem_status_t status,
                        const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  gmem_fail_list(diag, status, format, arguments);
  va_end(arguments);
  return status;
}

gmem_status_t gmem_out_of_memory(gmem_diag_t *diag) {
  return gmem_fail(diag, GMEM_ERR_OUT_OF_MEMORY, "out of memory");
}
