// c_checks.h - generated functions that validate the arguments of run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_CHECKS_H_
#define GMEM_TOOLS_C_CHECKS_H_

#include "c_model.h"

// Writes the check functions of <model>.c.
void gmem_c_write_checks(const gmem_c_model_t *model, FILE *out);

#endif // GMEM_TOOLS_C_CHECKS_H_
