// run_messages.h - error messages of gmem-run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_RUN_MESSAGES_H_
#define GMEM_TOOLS_RUN_MESSAGES_H_

#include <stdio.h>

enum { GMEM_RUN_PROBLEM = 1, GMEM_RUN_USAGE = 2 }; // exit codes

#if defined(__GNUC__)
#define GMEM_RUN_PRINTF(text, first)                                           \
  __attribute__((format(printf, text, first)))
#else
#define GMEM_RUN_PRINTF(text, first)
#endif

// Prints "gmem-run: error: TEXT" and returns GMEM_RUN_PROBLEM.
int gmem_run_error(const char *format, ...) GMEM_RUN_PRINTF(1, 2);

// Prints "gmem-run: warning: TEXT".
void gmem_run_warning(const char *format, ...) GMEM_RUN_PRINTF(1, 2);

#endif // GMEM_TOOLS_RUN_MESSAGES_H_
