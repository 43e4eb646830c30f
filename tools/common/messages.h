// messages.h - the error messages of a tool.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_MESSAGES_H_
#define GMEM_TOOLS_MESSAGES_H_

#include "diag.h"

enum { GMEM_EXIT_PROBLEM = 1, GMEM_EXIT_USAGE = 2 };

// The name under which the tool was started, such as "gmem-run".
const char *gmem_tool_name(void);

// The status of every failure whose message has been printed.
#define GMEM_TOLD GMEM_ERR_STATE

// Prints "TOOL: error: TEXT" and returns GMEM_TOLD.
gmem_status_t gmem_tool_error(const char *format, ...) GMEM_PRINTF(1, 2);

// Prints "TOOL: warning: TEXT".
void gmem_tool_warning(const char *format, ...) GMEM_PRINTF(1, 2);

// The text of a failure, or the name of |status| if |diag| has none.
const char *gmem_reason(gmem_status_t status, const gmem_diag_t *diag);

// Returns OK if |status| is; else prints "TOOL: error: SUBJECT: REASON" and
// returns GMEM_TOLD.
gmem_status_t gmem_tool_check(gmem_status_t status, const gmem_diag_t *diag,
                              const char *subject, ...) GMEM_PRINTF(3, 4);

// Returns |memory|, which was allocated; if it is NULL, prints "TOOL: error:
// out of memory" and ends the process with GMEM_EXIT_PROBLEM. Not for threads.
void *gmem_need(void *memory);

#endif // GMEM_TOOLS_MESSAGES_H_
