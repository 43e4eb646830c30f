// c_operators.h - generated C that calls an operator for each op.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_OPERATORS_H_
#define GMEM_TOOLS_C_OPERATORS_H_

#include "c_model.h"

// Writes a function for each called op and each function of the plan.
void gmem_c_write_operators(const gmem_c_model_t *model, FILE *out);

#endif // GMEM_TOOLS_C_OPERATORS_H_
