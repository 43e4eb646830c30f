// workbuffer_places.h - the placement of workbuffers as attributes of the IR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_WORKBUFFER_PLACES_H_
#define GMEM_PASSES_WORKBUFFER_PLACES_H_

#include "plan_attributes.h"
#include "workbuffers.h"

// Writes |places|, one per workbuffer, of the immutable or of the mutable ones;
// placements of the others are unchanged. Removes the attributes from ops that
// no longer have workbuffers.
gmem_status_t
gmem_workbuffer_places_write(const gmem_workbuffers_t *workbuffers,
                             const gmem_pool_table_t *table,
                             const gmem_value_place_t *places, bool immutable,
                             gmem_bump_t *arena, gmem_diag_t *diag);

// Reads the placements into an array in |arena|, one per workbuffer. Fails with
// OUT_OF_MEMORY or, reported at the op, CORRUPT: the attributes are malformed,
// or on an op without workbuffers.
gmem_status_t gmem_workbuffer_places_read(const gmem_workbuffers_t *workbuffers,
                                          const gmem_pool_table_t *table,
                                          gmem_bump_t *arena,
                                          gmem_value_place_t **out_places,
                                          gmem_diag_t *diag);

#endif // GMEM_PASSES_WORKBUFFER_PLACES_H_
