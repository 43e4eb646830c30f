// diag.h - fills diagnostics with formatted text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEXT_DIAG_H_
#define GMEM_TEXT_DIAG_H_

#include <stdarg.h>

#include "gmem/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define GMEM_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define GMEM_PRINTF(text, first)
#endif

// Fills |diag| (may be NULL) with |status| and the text, and returns |status|,
// so that callers can return it in one line.
gmem_status_t gmem_fail(gmem_diag_t *diag, gmem_status_t status,
                        const char *format, ...) GMEM_PRINTF(3, 4);
gmem_status_t gmem_fail_list(gmem_diag_t *diag, gmem_status_t status,
                             const char *format, va_list arguments)
    GMEM_PRINTF(3, 0);

// Fills |diag| with "out of memory" and returns OUT_OF_MEMORY.
gmem_status_t gmem_out_of_memory(gmem_diag_t *diag);

// Returns INVALID_ARGUMENT from a public function if a pointer is NULL that
// must not be: the rule of gmem/status.h.
#define GMEM_NEED(pointers, diag)                                              \
  do {                                                                         \
    if (!(pointers))                                                           \
      return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,                        \
                       "a pointer is NULL that must not be: " #pointers);      \
  } while (0)

#ifdef __cplusplus
}
#endif

#endif // GMEM_TEXT_DIAG_H_
