// problem_part.h - the buffers of one of the two planner problems of a scope:
// of the constants, or of the tensors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PROBLEM_PART_H_
#define GMEM_PASSES_PROBLEM_PART_H_

#include "analysis.h"

// Buffers are numbered as in the planner's problem: first the constants that do
// not use the memory of others, in layout order, or the alias sets of the
// liveness; then the immutable or mutable workbuffers with a size.
typedef struct gmem_problem_part_s {
  const gmem_analysis_t *analysis;
  bool constant;
  const gmem_candidate_pools_t *pools;
  uint32_t value_count, count; // buffers of values, all buffers
  const uint32_t *weights;     // by constant: index of its weight
  const uint32_t *work;        // by workbuffer: index of the workbuffers
  const gmem_workbuffer_demand_t *demands; // by index of the workbuffers
} gmem_problem_part_t;

// Lists the buffers of the constants or of the tensors of |analysis|. Allocates
// in its arena. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_problem_part_find(const gmem_analysis_t *analysis,
                                     bool constant,
                                     gmem_problem_part_t *out_part,
                                     gmem_diag_t *diag);

// Returns the representative value of a buffer, or GMEM_NO_INDEX: a workbuffer.
uint32_t gmem_part_value(const gmem_problem_part_t *part, uint32_t buffer);

// Returns the index in the workbuffers of |buffer|, which is one.
uint32_t gmem_part_workbuffer(const gmem_problem_part_t *part, uint32_t buffer);

// Returns the location of the op that defines a buffer.
MlirLocation gmem_part_location(const gmem_problem_part_t *part,
                                uint32_t buffer);

// Writes a description such as "result #0 of 'npu.conv'".
void gmem_part_describe(const gmem_problem_part_t *part, uint32_t buffer,
                        char *text, size_t size);

// Returns the padding in the buffer of an alias set, given the |pools| of the
// planner's problem: leading padding is rounded up so that both buffer and
// payload are aligned.
gmem_padding_t gmem_padding_in_buffer(const gmem_analysis_t *analysis,
                                      const gmem_pool_spec_t *pools,
                                      uint32_t set);

// Returns the bytes of the buffer of an alias set: payload and padding.
uint64_t gmem_padded_size(const gmem_analysis_t *analysis,
                          const gmem_pool_spec_t *pools, uint32_t set);

// Returns the alignment in bytes of the buffer of an alias set.
uint64_t gmem_alias_set_alignment(const gmem_analysis_t *analysis,
                                  const gmem_pool_spec_t *pools, uint32_t set);

#endif // GMEM_PASSES_PROBLEM_PART_H_
