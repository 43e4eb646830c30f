// buffer_sizes.c - buffers of an analysis as the planner sees them: count,
// sizes with padding, locations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "buffer_sizes.h"

#include "analysis.h"
#include "buffer_constraint.h"
#include "gmem/planner.h"
#include "paddings.h"
#include "schedule.h"
#include "workbuffers.h"

uint32_t gmem_buffer_count(const gmem_analysis_t *analysis) {
  return (uint32_t)(analysis->liveness.class_count +
                    analysis->workbuffers.mutable_count);
}

const gmem_op_workbuffer_t *
gmem_buffer_workbuffer(const gmem_analysis_t *analysis, uint32_t buffer) {
  const gmem_workbuffers_t *workbuffers = &analysis->workbuffers;
  size_t classes = analysis->liveness.class_count;
  return buffer < classes
             ? NULL
             : &workbuffers->all[workbuffers->mutables[buffer - classes]];
}

MlirLocation gmem_buffer_location(const gmem_analysis_t *analysis,
                                  uint32_t buffer) {
  const gmem_op_workbuffer_t *work = gmem_buffer_workbuffer(analysis, buffer);
  return work ? mlirOperationGetLocation(work->op)
              : gmem_value_location(&analysis->schedule,
                                    analysis->liveness.classes[buffer].root);
}

// What one of its pools gives to all that is in it, at most.
static uint64_t most_alignment(const gmem_pool_spec_t *pools,
                               const gmem_boundary_t *boundary) {
  uint64_t most = 1;
  for (uint32_t i = 0; i < boundary->pool_count; ++i)
    if (pools[boundary->pools[i]].alignment > most)
      most = pools[boundary->pools[i]].alignment;
  return most;
}

// What begins inside another tensor is aligned to |view_alignment|; no tensor
// needs more than each of its pools gives to all that is in it, but a memref
// may.
uint64_t gmem_class_alignment(const gmem_analysis_t *analysis,
                              const gmem_pool_spec_t *pools,
                              const gmem_boundary_t *boundary) {
  uint64_t least = analysis->aliases.view_alignment;
  if (boundary->alignment)
    return boundary->alignment;
  for (uint32_t i = 0; i < boundary->pool_count; ++i)
    if (pools[boundary->pools[i]].alignment < least)
      least = pools[boundary->pools[i]].alignment;
  return least;
}

gmem_padding_t gmem_padding_in_buffer(const gmem_analysis_t *analysis,
                                      const gmem_pool_spec_t *pools,
                                      uint32_t class) {
  const gmem_boundary_t *boundary = &analysis->boundaries.classes[class];
  gmem_padding_t padding = analysis->paddings[class];
  uint64_t alignment = gmem_class_alignment(analysis, pools, boundary);
  uint64_t most = most_alignment(pools, boundary); // wherever it may go
  if (alignment < most)
    alignment = most;
  padding.before = (padding.before + alignment - 1) & ~(alignment - 1);
  return padding;
}

// No sum wraps: what was asked for is below 2^63, and so are alignments.
uint64_t gmem_padded_size(const gmem_analysis_t *analysis,
                          const gmem_pool_spec_t *pools, uint32_t class) {
  gmem_padding_t padding = gmem_padding_in_buffer(analysis, pools, class);
  uint32_t root = analysis->liveness.classes[class].root;
  return padding.before + analysis->schedule.values[root].size + padding.after;
}
