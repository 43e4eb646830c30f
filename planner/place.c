// place.c - what is the same in every algorithm: fixed and empty buffers, the
// walk over the candidate pools, and the message when none has room.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <inttypes.h>

#include "planner_internal.h"

static gmem_status_t fail_without_room(const gmem_problem_t *problem,
                                       uint32_t buffer, gmem_diag_t *diag) {
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, buffer);
  const gmem_pool_spec_t *pool = gmem_problem_pool(problem, spec->pools[0]);
  size_t others = spec->has_fixed_offset ? 0 : spec->pool_count - 1;
  if (others == 0)
    return gmem_planner_fail(
        diag, GMEM_ERR_OVER_BUDGET, buffer,
        "buffer '%.60s' of %" PRIu64
        " bytes does not fit in pool '%.60s' of %" PRIu64 " bytes",
        spec->name, spec->size, pool->name, gmem_pool_limit(pool));
  return gmem_planner_fail(diag, GMEM_ERR_OVER_BUDGET, buffer,
                           "buffer '%.60s' of %" PRIu64
                           " bytes does not fit in pool '%.60s' of %" PRIu64
                           " bytes nor in the %zu after it",
                           spec->name, spec->size, pool->name,
                           gmem_pool_limit(pool), others);
}

static bool fixed_fits(const gmem_problem_t *problem,
                       const gmem_buffer_spec_t *spec) {
  uint64_t limit = gmem_pool_limit(gmem_problem_pool(problem, spec->pools[0]));
  return spec->fixed_offset <= limit &&
         spec->size <= limit - spec->fixed_offset;
}

static bool empty_fits(const gmem_buffer_spec_t *spec,
                       const gmem_pool_spec_t *pool, uint64_t *out_offset) {
  uint64_t alignment = gmem_alignment_in(spec, pool);
  return gmem_align_offset(pool->base, 0, alignment, out_offset) &&
         *out_offset <= gmem_pool_limit(pool);
}

gmem_status_t gmem_place_buffer(const gmem_problem_t *problem, uint32_t buffer,
                                gmem_fit_fn fit, void *state,
                                gmem_placement_t *placement,
                                gmem_diag_t *diag) {
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, buffer);
  if (spec->has_fixed_offset) {
    *placement = (gmem_placement_t){spec->fixed_offset, spec->pools[0]};
    return fixed_fits(problem, spec) ? GMEM_OK
                                     : fail_without_room(problem, buffer, diag);
  }
  for (size_t i = 0; i < spec->pool_count; ++i) {
    uint32_t pool = spec->pools[i];
    uint64_t offset = 0;
    bool fits = spec->size ? fit(state, buffer, pool, &offset)
                           : empty_fits(spec, gmem_problem_pool(problem, pool),
                                        &offset);
    if (!fits)
      continue;
    *placement = (gmem_placement_t){offset, pool};
    return GMEM_OK;
  }
  return fail_without_room(problem, buffer, diag);
}

gmem_status_t gmem_pool_parts(const gmem_problem_t *problem,
                              size_t **out_starts, gmem_diag_t *diag) {
  size_t pools = gmem_problem_pool_count(problem);
  size_t *starts = gmem_planner_alloc(gmem_problem_allocator(problem),
                                      pools + 1, sizeof *starts);
  *out_starts = starts;
  if (!starts)
    return gmem_planner_out_of_memory(diag);
  for (size_t pool = 0; pool <= pools; ++pool)
    starts[pool] = 0;
  uint32_t buffers = gmem_problem_buffer_count(problem);
  for (uint32_t i = 0; i < buffers; ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, i);
    for (size_t k = 0; k < spec->pool_count; ++k)
      ++starts[spec->pools[k] + 1];
  }
  for (size_t pool = 0; pool < pools; ++pool)
    starts[pool + 1] += starts[pool];
  return GMEM_OK;
}
