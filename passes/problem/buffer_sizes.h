// buffer_sizes.h - buffers of an analysis as the planner sees them: count,
// sizes with padding, locations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_BUFFER_SIZES_H_
#define GMEM_PASSES_BUFFER_SIZES_H_

#include "analysis.h"
#include "gmem/planner.h"
#include "paddings.h"
#include "workbuffers.h"

// What lies on the two sides of the payload in the buffer of a class, in the
// pools that the planner's problem is made with. In front that is what was
// asked for, rounded up so that start and payload are both aligned.
gmem_padding_t gmem_padding_in_buffer(const gmem_analysis_t *analysis,
                                      const gmem_pool_spec_t *pools,
                                      uint32_t set);

// Bytes of the buffer of a class: of its payload and what lies around it.
uint64_t gmem_padded_size(const gmem_analysis_t *analysis,
                          const gmem_pool_spec_t *pools, uint32_t set);

// Buffers of the tensors' problem: first the classes of the liveness, in their
// order, then the mutable workbuffers that need memory.
uint32_t gmem_buffer_count(const gmem_analysis_t *analysis);

// The mutable workbuffer that |buffer| is, or NULL: it is a class.
const gmem_op_workbuffer_t *
gmem_buffer_workbuffer(const gmem_analysis_t *analysis, uint32_t buffer);

// Where it is made.
MlirLocation gmem_buffer_location(const gmem_analysis_t *analysis,
                                  uint32_t buffer);

// Bytes to which the buffer of a class with |constraint| is aligned.
uint64_t gmem_alias_set_alignment(const gmem_analysis_t *analysis,
                                  const gmem_pool_spec_t *pools,
                                  const gmem_buffer_constraint_t *constraint);

#endif // GMEM_PASSES_BUFFER_SIZES_H_
