// run_module.h - plans, materializes, compiles and runs a module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_RUN_MODULE_H_
#define GMEM_TOOLS_RUN_MODULE_H_

#include "run_modes.h"

// Returns the exit code after printing any message.
int gmem_run_module(const gmem_run_options_t *options);

#endif // GMEM_TOOLS_RUN_MODULE_H_
