// broken_kernel.h - validates the check of live ranges (--check=life) with
// requests that contain one wrong write each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_BROKEN_KERNEL_H_
#define GMEM_TOOLS_BROKEN_KERNEL_H_

#include "run_load.h"

// Runs such requests on a pool with GMEM_POOL_CHECK. Prints a message and fails
// if a wrong write is not detected.
gmem_status_t gmem_broken_kernel_run(const gmem_stress_t *stress);

#endif // GMEM_TOOLS_BROKEN_KERNEL_H_
