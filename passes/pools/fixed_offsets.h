// fixed_offsets.h - the attribute gmem.fixed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_FIXED_OFFSETS_H_
#define GMEM_PASSES_FIXED_OFFSETS_H_

#include "gmem/status.h"
#include "program.h"

// Reads gmem.fixed of the value; -1 if it has none. Fails with
// INVALID_ARGUMENT, reported at the op, if the attribute is malformed.
gmem_status_t gmem_fixed_offset(const gmem_program_t *program, uint32_t value,
                                int64_t *out_offset, gmem_diag_t *diag);

#endif // GMEM_PASSES_FIXED_OFFSETS_H_
