// c_source.h - <model>.c of a planned network.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_SOURCE_H_
#define GMEM_TOOLS_C_SOURCE_H_

#include "c_model.h"

// Writes <model>.c.
void gmem_c_write_source(const gmem_c_model_t *model, FILE *out);

// Whether there is a <model>_data.c: with --parameters=given, the constants
// that the caller may pass.
bool gmem_c_has_data_file(const gmem_c_model_t *model);

void gmem_c_write_data(const gmem_c_model_t *model, FILE *out);

#endif // GMEM_TOOLS_C_SOURCE_H_
