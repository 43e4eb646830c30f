// broken_kernel.h - requests that write where they must not: a check of
// lives that does not notice them proves nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_BROKEN_KERNEL_H_
#define GMEM_TOOLS_BROKEN_KERNEL_H_

#include "run_load.h"

// Sees that a check of lives notices wrong writes: makes a pool that checks,
// and a number of such requests. Returns 0, or an exit code with a message.
int gmem_broken_kernel_run(const gmem_load_t *load);

#endif // GMEM_TOOLS_BROKEN_KERNEL_H_
