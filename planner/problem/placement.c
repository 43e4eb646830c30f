// placement.c - places buffers of size 0 and reports buffers that do not fit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "placement.h"

#include <inttypes.h>

#include "planner_internal.h"
#include "planner_memory.h"

gmem_status_t gmem_fail_without_room(const gmem_problem_t *problem,
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

static bool is_inside(const gmem_pool_spec_t *pool, uint64_t offset) {
  return offset <= gmem_pool_limit(pool);
}

gmem_status_t gmem_place_empty(const gmem_problem_t *problem, uint32_t buffer,
                               gmem_placement_t *placement, gmem_diag_t *diag) {
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, buffer);
  size_t candidates = spec->has_fixed_offset ? 1 : spec->pool_count;
  for (size_t i = 0; i < candidates; ++i) {
    const gmem_pool_spec_t *pool = gmem_problem_pool(problem, spec->pools[i]);
    uint64_t offset = spec->fixed_offset;
    if (!spec->has_fixed_offset &&
        !gmem_align_offset(pool->base, 0, gmem_alignment_in(spec, pool),
                           &offset))
      continue;
    *placement = (gmem_placement_t){offset, spec->pools[i]};
    if (is_inside(pool, offset))
      return GMEM_OK;
  }
  return gmem_fail_without_room(problem, buffer, spec->pools[0], diag);
}
