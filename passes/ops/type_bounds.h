// type_bounds.h - sizes of values with dynamic dimensions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_TYPE_BOUNDS_H_
#define GMEM_PASSES_TYPE_BOUNDS_H_

#include "bump.h"
#include "type_size.h"

// The size of |value|. The bound of a dynamic dimension is, in this order:
// gmem.upper_bound on the op or argument, the tensor's encoding,
// |dynamic_bound| elements (0: unknown). Scratch memory comes from |arena|.
// Fails with OUT_OF_MEMORY, or INVALID_ARGUMENT, reported at the op, when
// gmem.upper_bound is malformed.
gmem_status_t gmem_value_size(MlirValue value, uint64_t dynamic_bound,
                              gmem_bump_t *arena, gmem_type_kind_t *out_kind,
                              uint64_t *out_bytes, gmem_diag_t *diag);

// As gmem_value_size, for the memory of the memref |value| (gmem_memref_size):
// gmem.upper_bound, then |dynamic_bound|.
gmem_status_t gmem_memref_value_size(MlirValue value, uint64_t dynamic_bound,
                                     gmem_bump_t *arena,
                                     gmem_type_kind_t *out_kind,
                                     uint64_t *out_bytes, gmem_diag_t *diag);

#endif // GMEM_PASSES_TYPE_BOUNDS_H_
