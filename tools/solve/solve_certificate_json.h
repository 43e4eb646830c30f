// solve_certificate_json.h - certificates as JSON (docs/gmem-solve.md).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SOLVE_CERTIFICATE_JSON_H_
#define GMEM_TOOLS_SOLVE_CERTIFICATE_JSON_H_

#include <stdio.h>

#include "solve_certificate.h"

void gmem_certificate_print_json(const gmem_certificate_t *certificate,
                                 FILE *output);

void gmem_shortage_print_json(const gmem_shortage_t *shortage, FILE *output);

#endif // GMEM_TOOLS_SOLVE_CERTIFICATE_JSON_H_
