// fixed_offsets.h - the attribute gmem.fixed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_FIXED_OFFSETS_H_
#define GMEM_PASSES_FIXED_OFFSETS_H_

#include "gmem/status.h"
#include "program.h"

// gmem.fixed of the value, or -1. Fails with INVALID_ARGUMENT when it is
// malformed, reported where it stands.
gmem_status_t gmem_fixed_offset(const gmem_program_t *program, uint32_t value,
                                int64_t *out_offset, gmem_diag_t *diag);

#endif // GMEM_PASSES_FIXED_OFFSETS_H_
