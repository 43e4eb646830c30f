// packing_builder.c - live ranges and alignments of buffers in a packing under
// construction.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "packing_builder.h"

gmem_range_list_t gmem_ranges_of(const gmem_packing_builder_t *builder,
                                 uint32_t buffer) {
  if (builder->uncovered && builder->uncovered[buffer].at)
    return builder->uncovered[buffer];
  const gmem_buffer_spec_t *spec =
      gmem_problem_buffer(builder->packing->problem, buffer);
  return (gmem_range_list_t){spec->ranges, spec->range_count};
}

uint64_t gmem_alignment_of(const gmem_packing_builder_t *builder,
                           uint32_t buffer) {
  const gmem_packing_t *packing = builder->packing;
  const gmem_buffer_spec_t *spec =
      gmem_problem_buffer(packing->problem, buffer);
  if (packing->pool == GMEM_NO_POOL)
    return 1; // addresses of different pools share no alignment
  if (builder->is_inner && builder->is_inner[buffer])
    return spec->alignment;
  return gmem_alignment_in(spec,
                           gmem_problem_pool(packing->problem, packing->pool));
}
