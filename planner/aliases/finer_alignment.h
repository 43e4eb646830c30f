// finer_alignment.h - plans with the alignments that the buffers need.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_FINER_ALIGNMENT_H_
#define GMEM_PLANNER_FINER_ALIGNMENT_H_

#include "pool_state.h"

typedef gmem_status_t gmem_pack_pools_t(gmem_pools_t *pools);

// Whether the only pool pads buffers that need a smaller alignment.
bool gmem_has_finer_alignment(const gmem_problem_t *problem);

// Plans the buffers as |pack| does, but in a pool without alignment or
// capacity, and writes |plan|. The problem can be loose (gmem_can_be_loose).
// *out_found: false when no plan was found. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_pack_finer(const gmem_pools_t *pools,
                              gmem_pack_pools_t *pack, gmem_placement_t *plan,
                              bool *out_found);

#endif // GMEM_PLANNER_FINER_ALIGNMENT_H_
