// workbuffer_liveness.h - when mutable workbuffers are wanted, and where
// they go.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mutable workbuffer is live at the steps of its op, in every context of its
// function, with all that its op calls. It is live for longer
//
//   in a flat layer group    as long as the group runs
//   in what is parallel      as long as that runs, all of it: one iteration is
//                            at this op while others are elsewhere
//   where there is no order  as long as the region runs
//   in functions that may    all the time
//   run at any time

#ifndef GMEM_PASSES_WORKBUFFER_LIVENESS_H_
#define GMEM_PASSES_WORKBUFFER_LIVENESS_H_

#include "liveness.h"
#include "placement_constraints.h"
#include "workbuffers.h"

// Fills |candidates| and |ranges| of all mutable ones. |constraints| gets the
// pools and alignments that they need. Everything lives in |arena|. Fails with
// OUT_OF_MEMORY or, reported at the op, INVALID_ARGUMENT (a pool that there is
// not; one for all that a function wants which runs several times at once).
gmem_status_t gmem_workbuffers_place(const gmem_liveness_t *liveness,
                                     gmem_bump_t *arena,
                                     gmem_placement_constraints_t *constraints,
                                     gmem_workbuffers_t *workbuffers,
                                     gmem_diag_t *diag);

#endif // GMEM_PASSES_WORKBUFFER_LIVENESS_H_
