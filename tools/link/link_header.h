// link_header.h - the sizes of shared memories, and where each model lies in
// them, as macros of C.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_LINK_HEADER_H_
#define GMEM_TOOLS_LINK_HEADER_H_

#include <stdio.h>

#include "link_pools.h"

// Returns false when it has said which names cannot be told apart in C.
bool gmem_link_header_check(const gmem_link_models_t *models,
                            const gmem_link_pools_t *pools, const char *prefix);

// Writes the header; names must have passed the check. What cannot be written
// is remembered by the stream.
void gmem_link_header_write(const gmem_link_models_t *models,
                            const gmem_link_pools_t *pools, const char *prefix,
                            FILE *out);

#endif // GMEM_TOOLS_LINK_HEADER_H_
