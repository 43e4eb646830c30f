// link_header.h - writes a C header with the sizes of the shared pools and the
// offsets of the models in them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_LINK_HEADER_H_
#define GMEM_TOOLS_LINK_HEADER_H_

#include "c_print.h"
#include "link_pools.h"

// Checks that all macro names are valid and distinct.
GMEM_MUST_USE gmem_status_t
gmem_link_header_check(const gmem_link_models_t *models,
                       const gmem_link_pools_t *pools, const char *prefix);

// Writes the header; gmem_link_header_check must have succeeded.
void gmem_link_header_write(const gmem_link_pools_t *pools, gmem_c_text_t *out);

#endif // GMEM_TOOLS_LINK_HEADER_H_
