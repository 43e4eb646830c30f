// buffer_sizes.c - buffers of the planner's problem: count, padded sizes,
// alignments, locations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "buffer_sizes.h"

#include "analysis.h"
#include "buffer_constraint.h"
#include "gmem/planner.h"
#include "paddings.h"
#include "program.h"
#include "workbuffers.h"

uint32_t gmem_buffer_count(const gmem_analysis_t *analysis) {
  return (uint32_t)(analysis->liveness.set_count +
                    analysis->workbuffers.mutable_count);
}

const gmem_op_workbuffer_t *
gmem_buffer_workbuffer(const gmem_analysis_t *analysis, uint32_t buffer) {
  const gmem_workbuffers_t *workbuffers = &analysis->workbuffers;
  size_t sets = analysis->liveness.set_count;
  return buffer < sets
             ? NULL
             : &workbuffers->all[workbuffers->mutables[buffer - sets]];
}

MlirLocation gmem_buffer_location(const gmem_analysis_t *analysis,
                                  uint32_t buffer) {
  const gmem_op_workbuffer_t *work = gmem_buffer_workbuffer(analysis, buffer);
  return work ? mlirOperationGetLocation(work->op)
              : gmem_value_location(&analysis->program,
                                    analysis->liveness.sets[buffer].root);
}

// The largest alignment of the candidate pools.
static uint64_t most_alignment(const gmem_pool_spec_t *pools,
                               const gmem_buffer_constraint_t *constraint) {
  uint64_t most = 1;
  for (uint32_t i = 0; i < constraint->pool_count; ++i)
    if (pools[constraint->pools[i]].alignment > most)
      most = pools[constraint->pools[i]].alignment;
  return most;
}

// A tensor that may begin inside another one is aligned to |view_alignment|. It
// never needs more than the alignment of its pools, but a memref may.
uint64_t gmem_alias_set_alignment(const gmem_analysis_t *analysis,
                                  const gmem_pool_spec_t *pools,
                                  const gmem_buffer_constraint_t *constraint) {
  uint64_t least = analysis->aliases.view_alignment;
  if (constraint->alignment)
    return constraint->alignment;
  for (uint32_t i = 0; i < constraint->pool_count; ++i)
    if (pools[constraint->pools[i]].alignment < least)
      least = pools[constraint->pools[i]].alignment;
  return least;
}

gmem_padding_t gmem_padding_in_buffer(const gmem_analysis_t *analysis,
                                      const gmem_pool_spec_t *pools,
                                      uint32_t set) {
  const gmem_buffer_constraint_t *constraint = &analysis->constraints.sets[set];
  gmem_padding_t padding = analysis->paddings[set];
  uint64_t alignment = gmem_alias_set_alignment(analysis, pools, constraint);
  uint64_t most = most_alignment(pools, constraint); // of any candidate
  if (alignment < most)
    alignment = most;
  padding.before = (padding.before + alignment - 1) & ~(alignment - 1);
  return padding;
}

// No overflow: gmem.padding and alignments are limited to 63 bits in total.
uint64_t gmem_padded_size(const gmem_analysis_t *analysis,
                          const gmem_pool_spec_t *pools, uint32_t set) {
  gmem_padding_t padding = gmem_padding_in_buffer(analysis, pools, set);
  uint32_t root = analysis->liveness.sets[set].root;
  return padding.before + analysis->program.values[root].size + padding.after;
}
