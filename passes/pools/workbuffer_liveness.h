// workbuffer_liveness.h - live ranges and candidate pools of mutable
// workbuffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mutable workbuffer is live while its op and everything that it calls runs,
// in every call context of its function. Its live range is extended to
//
//   in a flat layer group         the whole group
//   in a concurrent region        the whole op with that region, since other
//                                 iterations run at the same time
//   in an unordered region        the whole region
//   in a function that may run    the whole timeline
//   at any time

#ifndef GMEM_PASSES_WORKBUFFER_LIVENESS_H_
#define GMEM_PASSES_WORKBUFFER_LIVENESS_H_

#include "liveness.h"
#include "workbuffers.h"

// Fills |*out_demands|, an array in |arena| by workbuffer, for all mutable ones
// and adds the pools and alignments that they need to |pools|. Fails with
// OUT_OF_MEMORY or, reported at the op, INVALID_ARGUMENT (an unknown pool; a
// workbuffer without a number of threads in a function that may run
// concurrently).
gmem_status_t gmem_workbuffer_demands_find(
    const gmem_liveness_t *liveness, const gmem_workbuffers_t *workbuffers,
    gmem_bump_t *arena, gmem_candidate_pools_t *pools,
    const gmem_workbuffer_demand_t **out_demands, gmem_diag_t *diag);

#endif // GMEM_PASSES_WORKBUFFER_LIVENESS_H_
