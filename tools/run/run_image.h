// run_image.h - maps a plan image onto real memory, and shows what is where.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_RUN_IMAGE_H_
#define GMEM_TOOLS_RUN_IMAGE_H_

#include "run_modes.h"

// Each does its job and returns the exit code; messages have been printed.
int gmem_run_image(const gmem_run_options_t *options);

#endif // GMEM_TOOLS_RUN_IMAGE_H_
