// standard_image.h - a plan image from standard input.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_STANDARD_IMAGE_H_
#define GMEM_TOOLS_STANDARD_IMAGE_H_

#include "gmem/status.h"

enum { GMEM_STANDARD_IMAGE_PATH = 64 };

// Copies standard input to a file in memory, because images are mapped. |path|
// names it while the descriptor *out_file, which the caller closes, is open; it
// is -1 on failure (IO).
GMEM_MUST_USE gmem_status_t
gmem_standard_image(char path[GMEM_STANDARD_IMAGE_PATH], int *out_file);

#endif // GMEM_TOOLS_STANDARD_IMAGE_H_
