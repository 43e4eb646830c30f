// region_marks.h - gmem.valid_region of the results of a scope.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_REGION_MARKS_H_
#define GMEM_PASSES_REGION_MARKS_H_

#include "valid_regions.h"

// Writes the regions to all ops, and removes those of an earlier plan. Scratch
// memory is allocated in |arena|. Fails as gmem_valid_regions_find.
gmem_status_t gmem_region_marks_write(const gmem_liveness_t *liveness,
                                      gmem_bump_t *arena, gmem_diag_t *diag);

// Checks that the attributes of all ops are those. Fails as
// gmem_valid_regions_find, and with INVALID_ARGUMENT if one is not.
gmem_status_t gmem_region_marks_verify(const gmem_liveness_t *liveness,
                                       gmem_bump_t *arena, gmem_diag_t *diag);

#endif // GMEM_PASSES_REGION_MARKS_H_
