// type_bounds.h - upper bounds of the dynamic dimensions of values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_TYPE_BOUNDS_H_
#define GMEM_PASSES_TYPE_BOUNDS_H_

#include "bump.h"
#include "type_size.h"

// The bounds of the dimensions of |value|, a ranked tensor or a memref: those
// of gmem.upper_bound on the op or argument, and |others|. Allocates in
// |arena|. Fails with OUT_OF_MEMORY, or INVALID_ARGUMENT, reported at the op,
// when gmem.upper_bound is malformed.
gmem_status_t gmem_bounds_read(MlirValue value, uint64_t others,
                               gmem_bump_t *arena,
                               gmem_type_bounds_t *out_bounds,
                               gmem_diag_t *diag);

#endif // GMEM_PASSES_TYPE_BOUNDS_H_
