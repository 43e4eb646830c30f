// empty_buffers.c - places buffers of size 0.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "empty_buffers.h"

#include "full_pool.h"
#include "problem_store.h"

static gmem_status_t place_one(const gmem_problem_t *problem, uint32_t buffer,
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
    if (offset <= gmem_pool_limit(pool))
      return GMEM_OK;
  }
  return gmem_fail_full_pool(problem, buffer, spec->pools[0], diag);
}

gmem_status_t gmem_place_empty(const gmem_problem_t *problem,
                               gmem_placement_t *plan, gmem_diag_t *diag) {
  if (!gmem_problem_traits(problem).has_empty)
    return GMEM_OK;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i)
    if (gmem_problem_buffer(problem, i)->size == 0)
      GMEM_TRY(place_one(problem, i, &plan[i], diag));
  return GMEM_OK;
}
