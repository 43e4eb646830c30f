// solve_certificate_text.h - certificates for people.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SOLVE_CERTIFICATE_TEXT_H_
#define GMEM_TOOLS_SOLVE_CERTIFICATE_TEXT_H_

#include <stdio.h>

#include "solve_certificate.h"

void gmem_certificate_print(const gmem_certificate_t *certificate,
                            FILE *output);

// Lists |most| buffers and says how many more there are. Every line begins with
// |prefix|.
void gmem_shortage_print(const gmem_shortage_t *shortage, size_t most,
                         const char *prefix, FILE *output);

// The same, with all buffers, to the file |path| (all or nothing), or to
// |output| when |path| is NULL. Returns the exit status, with a message when it
// is not 0.
int gmem_certificate_write(const gmem_certificate_t *certificate,
                           const char *path, FILE *output);

int gmem_shortage_write(const gmem_shortage_t *shortage, const char *path,
                        FILE *output);

#endif // GMEM_TOOLS_SOLVE_CERTIFICATE_TEXT_H_
