// full_pool.c - the error of a pool without room for a buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "full_pool.h"

#include <inttypes.h>

#include "planner_internal.h"
#include "planner_memory.h"

gmem_status_t gmem_fail_full_pool(const gmem_problem_t *problem,
                                  uint32_t buffer, uint32_t pool,
                                  gmem_diag_t *diag) {
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, buffer);
  const gmem_pool_spec_t *target = gmem_problem_pool(problem, pool);
  const char *others = spec->has_fixed_offset || spec->pool_count == 1
                           ? ""
                           : " or in any of its other candidate pools";
  return gmem_planner_fail(
      diag, GMEM_ERR_OVER_BUDGET, buffer,
      "buffer '%.60s' of %" PRIu64
      " bytes does not fit in pool '%.60s' of %" PRIu64 " bytes%s",
      spec->name, spec->size, target->name, gmem_pool_limit(target), others);
}
