// type_bounds.h - the size of a value whose dimensions are not all known.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_TYPE_BOUNDS_H_
#define GMEM_PASSES_TYPE_BOUNDS_H_

#include "bump.h"
#include "type_size.h"

// The size of |value|: what gmem.upper_bound says on its op or on the argument
// counts, then its encoding, then |dynamic_bound| elements per dimension (0:
// unknown). Scratch memory comes from |arena|. Fails with INVALID_ARGUMENT,
// reported at the op, when gmem.upper_bound is malformed, or OUT_OF_MEMORY.
gmem_status_t gmem_value_size(MlirValue value, uint64_t dynamic_bound,
                              gmem_bump_t *arena, gmem_type_kind_t *out_kind,
                              uint64_t *out_bytes, gmem_diag_t *diag);

// The same of the memory that the memref |value| is, as gmem_memref_size: what
// gmem.upper_bound says, then |dynamic_bound|.
gmem_status_t gmem_memref_value_size(MlirValue value, uint64_t dynamic_bound,
                                     gmem_bump_t *arena,
                                     gmem_type_kind_t *out_kind,
                                     uint64_t *out_bytes, gmem_diag_t *diag);

#endif // GMEM_PASSES_TYPE_BOUNDS_H_
