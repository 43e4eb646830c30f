// solve_certificate_text.h - certificates as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SOLVE_CERTIFICATE_TEXT_H_
#define GMEM_TOOLS_SOLVE_CERTIFICATE_TEXT_H_

#include <stdio.h>

#include "solve_certificate.h"

void gmem_certificate_print(const gmem_certificate_t *certificate,
                            FILE *output);

// Prints at most |most| buffers, then the number of the others. Every line
// begins with |prefix|.
void gmem_shortage_print(const gmem_shortage_t *shortage, size_t most,
                         const char *prefix, FILE *output);

// Writes the certificate, with all buffers, to the file |path| (atomically), or
// to |output| if |path| is NULL. Returns the exit status; prints a message if
// it is not 0.
int gmem_certificate_write(const gmem_certificate_t *certificate,
                           const char *path, FILE *output);

int gmem_shortage_write(const gmem_shortage_t *shortage, const char *path,
                        FILE *output);

#endif // GMEM_TOOLS_SOLVE_CERTIFICATE_TEXT_H_
