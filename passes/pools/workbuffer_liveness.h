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
#include "placement_constraints.h"
#include "workbuffers.h"

// Fills |candidates| and |ranges| of all mutable workbuffers and adds the pools
// and alignments that they need to |constraints|. Allocates in |arena|. Fails
// with OUT_OF_MEMORY or, reported at the op, INVALID_ARGUMENT (an unknown pool;
// a workbuffer without a number of threads in a function that may run
// concurrently).
gmem_status_t gmem_workbuffers_place(const gmem_liveness_t *liveness,
                                     gmem_bump_t *arena,
                                     gmem_placement_constraints_t *constraints,
                                     gmem_workbuffers_t *workbuffers,
                                     gmem_diag_t *diag);

#endif // GMEM_PASSES_WORKBUFFER_LIVENESS_H_
