// broken_kernel.h - validates the check of live ranges (--check=life) with
// requests that contain one wrong write each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_BROKEN_KERNEL_H_
#define GMEM_TOOLS_BROKEN_KERNEL_H_

#include "run_load.h"

// Runs such requests on a pool with GMEM_POOL_CHECK. Returns 0 if every wrong
// write is detected, else prints a message and returns an exit code.
int gmem_broken_kernel_run(const gmem_stress_t *stress);

#endif // GMEM_TOOLS_BROKEN_KERNEL_H_
