// workbuffer_places.h - the placement of workbuffers, as attributes of the IR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_WORKBUFFER_PLACES_H_
#define GMEM_PASSES_WORKBUFFER_PLACES_H_

#include "plan_attributes.h"
#include "workbuffers.h"

// Writes |places|, one per workbuffer of |workbuffers->all|, of the immutable
// ones or of the mutable ones; those of the others stay as they were. What ops
// said before that ask for none any more is gone.
gmem_status_t
gmem_workbuffer_places_write(const gmem_workbuffers_t *workbuffers,
                             const gmem_value_place_t *places, bool immutable,
                             gmem_bump_t *arena, gmem_diag_t *diag);

// Reads what the ops state into an array in |arena|, one per workbuffer of
// |workbuffers->all|; names stay in the IR. Fails with OUT_OF_MEMORY or,
// reported at the op, CORRUPT: the attributes are malformed, or on an op that
// asks for none.
gmem_status_t gmem_workbuffer_places_read(const gmem_workbuffers_t *workbuffers,
                                          gmem_bump_t *arena,
                                          gmem_value_place_t **out_places,
                                          gmem_diag_t *diag);

#endif // GMEM_PASSES_WORKBUFFER_PLACES_H_
