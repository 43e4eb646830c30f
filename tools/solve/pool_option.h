// pool_option.h - the pools that gmem-solve's command line describes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_POOL_OPTION_H_
#define GMEM_TOOLS_POOL_OPTION_H_

#include "gmem/planner.h"

typedef struct gmem_pool_list_s {
  gmem_pool_spec_t *specs; // in the order in which buffers try them
  uint32_t count;
  bool is_default; // nobody asked for these
} gmem_pool_list_t;

// Adds the pool that |text| describes, NAME[:capacity=BYTES,alignment=BYTES,
// base=ADDRESS,speed=NUMBER]. The name is kept in |text|, which is cut up.
// Returns NULL, or what is wrong with it, as the end of a sentence.
const char *gmem_pool_list_add(gmem_pool_list_t *pools, char *text);

void gmem_pool_list_free(gmem_pool_list_t *pools);

#endif // GMEM_TOOLS_POOL_OPTION_H_
