// improve_pools.c - improves a plan by moving buffers between pools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "improve_pools.h"

#include "pool_search.h"

// Whether some movable buffer is not in its most beneficial pool; without a
// plan, whether another assignment exists.
static bool may_be_better(const gmem_pools_t *pools) {
  return pools->engine->searches_pools &&
         gmem_pools_have_alternatives(pools->problem);
}

gmem_status_t gmem_improve_pools(gmem_pools_t *pools, gmem_status_t status,
                                 gmem_diag_t *diag) {
  bool has_plan = status == GMEM_OK, found = false;
  // A buffer that moved on because it is misaligned in its pool might have
  // stayed.
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
