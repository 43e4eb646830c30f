// improve_pools.c - moves buffers between pools to make a plan smaller.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "improve_pools.h"

#include "pool_search.h"

// Whether some buffer that could move is not where it is worth most; without a
// plan, whether there is another way.
static bool may_be_better(const gmem_pools_t *pools) {
  return pools->engine->searches_pools &&
         gmem_pools_have_alternatives(pools->problem);
}

gmem_status_t gmem_improve_pools(gmem_pools_t *pools, gmem_status_t status,
                                 gmem_diag_t *diag) {
  bool has_plan = status == GMEM_OK, found = false;
  // What was sent to a pool that has no address for it might have stayed.
  bool may_exist = has_plan || status == GMEM_ERR_OVER_BUDGET ||
                   status == GMEM_ERR_INVALID_ARGUMENT;
  if (!may_exist || !may_be_better(pools))
    return status;
  gmem_diag_t own = {0};
  gmem_status_t searched = gmem_pool_search(pools, has_plan, &found, &own);
  pools->search->proved = false;
  if (searched == GMEM_OK)
    return found ? GMEM_OK : status;
  if (diag)
    *diag = own;
  return searched;
}
