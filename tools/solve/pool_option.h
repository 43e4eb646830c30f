// pool_option.h - parses gmem-solve's --pool option.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_POOL_OPTION_H_
#define GMEM_TOOLS_POOL_OPTION_H_

#include "gmem/planner.h"

typedef struct gmem_pool_list_s {
  gmem_pool_spec_t *specs; // in the order in which buffers try them
  uint32_t count;
  bool is_default; // no memory option was given
} gmem_pool_list_t;

// Adds the pool described by |text|, NAME[:capacity=BYTES,alignment=BYTES,
// base=ADDRESS,speed=NUMBER]. Modifies |text| and keeps a pointer into it (the
// name), so |text| must outlive |pools|. Returns NULL, or an error as the
// predicate of a sentence about the pool ("has no name").
const char *gmem_pool_list_add(gmem_pool_list_t *pools, char *text);

void gmem_pool_list_free(gmem_pool_list_t *pools);

#endif // GMEM_TOOLS_POOL_OPTION_H_
