// c_checks.h - functions of generated C that look at what the user gives.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_CHECKS_H_
#define GMEM_TOOLS_C_CHECKS_H_

#include "c_model.h"

// Parts of the source: functions that check what the user gives, the ops that
// are called, the network that was compiled.
void gmem_c_write_checks(const gmem_c_model_t *model, FILE *out);

#endif // GMEM_TOOLS_C_CHECKS_H_
