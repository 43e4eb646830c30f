// buffer_sizes.h - buffers of the planner's problem: count, padded sizes,
// alignments, locations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_BUFFER_SIZES_H_
#define GMEM_PASSES_BUFFER_SIZES_H_

#include "analysis.h"
#include "gmem/planner.h"
#include "paddings.h"
#include "workbuffers.h"

// Returns the padding in the buffer of an alias set, given the |pools| of the
// planner's problem: leading padding is rounded up so that both buffer and
// payload are aligned.
gmem_padding_t gmem_padding_in_buffer(const gmem_analysis_t *analysis,
                                      const gmem_pool_spec_t *pools,
                                      uint32_t set);

// Returns the bytes of the buffer of an alias set: payload and padding.
uint64_t gmem_padded_size(const gmem_analysis_t *analysis,
                          const gmem_pool_spec_t *pools, uint32_t set);

// Returns the number of buffers of the tensors' problem: first the alias sets
// of the liveness in their order, then the mutable workbuffers with a size.
uint32_t gmem_buffer_count(const gmem_analysis_t *analysis);

// Returns the mutable workbuffer of |buffer|; NULL if it is an alias set.
const gmem_op_workbuffer_t *
gmem_buffer_workbuffer(const gmem_analysis_t *analysis, uint32_t buffer);

// Returns the location of the op that defines it.
MlirLocation gmem_buffer_location(const gmem_analysis_t *analysis,
                                  uint32_t buffer);

// Returns the alignment in bytes of the buffer of an alias set with
// |constraint|.
uint64_t gmem_alias_set_alignment(const gmem_analysis_t *analysis,
                                  const gmem_pool_spec_t *pools,
                                  const gmem_buffer_constraint_t *constraint);

#endif // GMEM_PASSES_BUFFER_SIZES_H_
