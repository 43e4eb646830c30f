// valid_regions.h - which elements of each value are valid.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op that reads the neighbours of an element has no valid result where a
// neighbour is missing or undefined. Its result has a smaller valid region, and
// so has what is computed from that: element by element, by slices,
// concatenations and reorderings of axes. The terms are those of OpenVX and of
// the library-architecture document (docs/promises.md).

#ifndef GMEM_PASSES_VALID_REGIONS_H_
#define GMEM_PASSES_VALID_REGIONS_H_

#include "liveness.h"
#include "valid_region.h"

// By value of the program: its region, or NULL if all of it is valid.
typedef struct gmem_valid_regions_s {
  gmem_valid_region_t **of; // NULL: all values are valid
} gmem_valid_regions_t;

// Finds the regions: of arguments of functions as gmem.valid_region says, of
// results by the op models. Allocates in |arena|. Fails with OUT_OF_MEMORY;
// with INVALID_ARGUMENT if gmem.valid_region of an argument is malformed, no
// element of a result is valid, or an op reads a value that is partly valid and
// nothing says what follows for its results.
gmem_status_t gmem_valid_regions_find(const gmem_liveness_t *liveness,
                                      gmem_bump_t *arena,
                                      gmem_valid_regions_t *out_regions,
                                      gmem_diag_t *diag);

#endif // GMEM_PASSES_VALID_REGIONS_H_
