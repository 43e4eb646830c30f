// run_messages.h - error messages of gmem-run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_RUN_MESSAGES_H_
#define GMEM_TOOLS_RUN_MESSAGES_H_

#include <stdio.h>

#include "gmem/plan.h"

enum { GMEM_RUN_PROBLEM = 1, GMEM_RUN_USAGE = 2 }; // exit codes

// The status of every failure whose message has been printed.
#define GMEM_RUN_FAILED GMEM_ERR_STATE

#if defined(__GNUC__)
#define GMEM_RUN_PRINTF(text, first)                                           \
  __attribute__((format(printf, text, first)))
#else
#define GMEM_RUN_PRINTF(text, first)
#endif

// Prints "gmem-run: error: TEXT" and returns GMEM_RUN_FAILED.
gmem_status_t gmem_run_error(const char *format, ...) GMEM_RUN_PRINTF(1, 2);

// Prints "gmem-run: warning: TEXT".
void gmem_run_warning(const char *format, ...) GMEM_RUN_PRINTF(1, 2);

// The text of a failure, or the name of |status| if |diag| has none.
static inline const char *gmem_run_reason(const gmem_diag_t *diag,
                                          gmem_status_t status) {
  return diag->text[0] ? diag->text : gmem_status_name(status);
}

#endif // GMEM_TOOLS_RUN_MESSAGES_H_
