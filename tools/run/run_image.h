// run_image.h - maps a plan image and prints a table of its buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_RUN_IMAGE_H_
#define GMEM_TOOLS_RUN_IMAGE_H_

#include "run_modes.h"

// Opens options->path, then prints the table or the digest, or simulates
// requests. Returns the exit code after printing any message.
int gmem_run_image(const gmem_run_options_t *options);

#endif // GMEM_TOOLS_RUN_IMAGE_H_
