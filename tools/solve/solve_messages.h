// solve_messages.h - error messages of gmem-solve, one line each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SOLVE_MESSAGES_H_
#define GMEM_TOOLS_SOLVE_MESSAGES_H_

#include <stdio.h>

#include "messages.h"

// Prints "gmem-solve: error: PATH[:LINE]: TEXT".
void gmem_complain(const char *path, const gmem_diag_t *diag);

// Prints |text| with each control character replaced by '?': names come from
// files and must not send escape sequences to a terminal.
void gmem_print_tamed(FILE *output, const char *text);

// Flushes standard output. Returns |result|, or prints a message and returns
// GMEM_EXIT_PROBLEM if standard output could not be written.
int gmem_finish_stdout(int result);

#endif // GMEM_TOOLS_SOLVE_MESSAGES_H_
