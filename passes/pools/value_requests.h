// value_requests.h - the attributes gmem.fixed and gmem.pools of values: of the
// op that defines a result, or of an argument of a function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_VALUE_REQUESTS_H_
#define GMEM_PASSES_VALUE_REQUESTS_H_

#include "program.h"

// Reads gmem.fixed of the value; -1 if it has none. Fails with
// INVALID_ARGUMENT, reported at the op, if the attribute is malformed.
gmem_status_t gmem_fixed_offset(const gmem_program_t *program, uint32_t value,
                                int64_t *out_offset, gmem_diag_t *diag);

// Reads gmem.pools of |value|, a non-empty array of strings; null if there is
// no such attribute. Fails with INVALID_ARGUMENT, reported at the op.
gmem_status_t gmem_pools_asked(const gmem_program_t *program, uint32_t value,
                               MlirAttribute *out_names, gmem_diag_t *diag);

// The same for result |number| of |op|.
gmem_status_t gmem_pools_asked_of(MlirOperation op, intptr_t number,
                                  MlirAttribute *out_names, gmem_diag_t *diag);

#endif // GMEM_PASSES_VALUE_REQUESTS_H_
