// c_header.h - <model>.h of a planned network.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_HEADER_H_
#define GMEM_TOOLS_C_HEADER_H_

#include "c_model.h"

// Writes <model>.h. The stream records write errors.
void gmem_c_write_header(const gmem_c_model_t *model, FILE *out);

#endif // GMEM_TOOLS_C_HEADER_H_
