// input_attributes.h - types and lengths of the attributes that frontends set,
// checked whether or not anything reads them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_INPUT_ATTRIBUTES_H_
#define GMEM_PASSES_INPUT_ATTRIBUTES_H_

#include "gmem/status.h"
#include "mlir-c/IR.h"

// Checks gmem.target, gmem.pools, gmem.fixed and gmem.upper_bound of |op|: what
// they mean depends on memories, pools and types, what they look like does not.
// |own|: those that it has, of gmem_own_attributes. Fails with
// INVALID_ARGUMENT, reported at the op.
gmem_status_t gmem_input_attributes_check(MlirOperation op, uint64_t own,
                                          gmem_diag_t *diag);

// Checks the same attributes, and gmem.no_capture, of a function and of its
// arguments. The function may be a declaration.
gmem_status_t gmem_function_attributes_check(MlirOperation function,
                                             gmem_diag_t *diag);

#endif // GMEM_PASSES_INPUT_ATTRIBUTES_H_
