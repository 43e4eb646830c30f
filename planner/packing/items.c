// items.c - the items of a packing: units of placement with one offset.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "items.h"

#include "planner_memory.h"

bool gmem_same_branches(const gmem_buffer_spec_t *a,
                        const gmem_buffer_spec_t *b) {
  if (a->branch_count != b->branch_count)
    return false;
  for (size_t i = 0; i < a->branch_count; ++i)
    if (a->branches[i].choice != b->branches[i].choice ||
        a->branches[i].arm != b->branches[i].arm)
      return false;
  return true;
}

void gmem_packing_destroy(gmem_packing_t *packing) {
  const gmem_allocator_t *allocator = packing->allocator;
  if (packing->is_view)
    return;
  gmem_planner_free(allocator, packing->items, packing->count,
                    sizeof *packing->items);
  gmem_planner_free(allocator, packing->members, packing->member_capacity,
                    sizeof *packing->members);
  gmem_planner_free(allocator, packing->parts, packing->part_capacity,
                    sizeof *packing->parts);
  gmem_planner_free(allocator, packing->spans, packing->span_capacity,
                    sizeof *packing->spans);
  gmem_planner_free(allocator, packing->steps, packing->step_capacity,
                    sizeof *packing->steps);
  gmem_planner_free(allocator, packing->reaches, packing->reach_capacity,
                    sizeof *packing->reaches);
  gmem_planner_free(allocator, packing->extra, packing->extra_capacity,
                    sizeof *packing->extra);
  gmem_planner_free(allocator, packing->extra_starts,
                    (size_t)packing->count + 1, sizeof *packing->extra_starts);
}
