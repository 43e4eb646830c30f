// packing_builder.c - live ranges and alignments of buffers in a packing under
// construction.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "packing_builder.h"

#include <assert.h>

gmem_range_list_t gmem_ranges_of(const gmem_packing_builder_t *builder,
                                 uint32_t buffer) {
  if (builder->uncovered && builder->uncovered[buffer].first) {
    gmem_uncovered_t own = builder->uncovered[buffer];
    return (gmem_range_list_t){builder->uncovered_ranges + (own.first - 1),
                               own.count};
  }
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

size_t gmem_list_events(const gmem_packing_builder_t *builder, uint32_t first,
                        uint32_t end) {
  size_t next = builder->first_range[first];
  size_t count = builder->first_range[end] - next;
  gmem_order_t *begins = builder->order, *ends = begins + count;
  for (uint32_t i = first; i < end; ++i) {
    gmem_range_list_t ranges =
        gmem_ranges_of(builder, builder->packing->members[i].buffer);
    for (size_t k = 0; k < ranges.count; ++k) {
      if (!gmem_touches_last(ranges, k))
        *begins++ =
            (gmem_order_t){gmem_time_key(ranges.at[k].begin), (uint32_t)next++};
      begins[count - 1] =
          (gmem_order_t){gmem_time_key(ranges.at[k].end), (uint32_t)next - 1};
    }
  }
  assert(begins == ends && next == builder->first_range[end]);
  gmem_sort_order(builder->order, ends + count, count);
  gmem_sort_order(ends, ends + count, count);
  return count;
}
