// run_simulated.h - runs simulated requests to a plan image and the checks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_RUN_SIMULATED_H_
#define GMEM_TOOLS_RUN_SIMULATED_H_

#include "run_modes.h"

// Returns the exit code after printing any message.
int gmem_run_simulated(const gmem_run_options_t *options, gmem_plan_t *plan);

#endif // GMEM_TOOLS_RUN_SIMULATED_H_
