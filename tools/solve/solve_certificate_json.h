// solve_certificate_json.h - certificates as JSON (docs/gmem-solve.md).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SOLVE_CERTIFICATE_JSON_H_
#define GMEM_TOOLS_SOLVE_CERTIFICATE_JSON_H_

#include "json_writer.h"
#include "solve_certificate.h"

// Each writes the member "certificate" of the open object.
void gmem_certificate_to_json(const gmem_certificate_t *certificate,
                              gmem_json_t *json);
void gmem_shortage_to_json(const gmem_shortage_t *shortage, gmem_json_t *json);

#endif // GMEM_TOOLS_SOLVE_CERTIFICATE_JSON_H_
