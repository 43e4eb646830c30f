// outside_functions.h - values of a scope that no plan covers, because they are
// not in a function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_OUTSIDE_FUNCTIONS_H_
#define GMEM_PASSES_OUTSIDE_FUNCTIONS_H_

#include "program.h"

// Reports the tensors and allocations of the scope that are not in a function,
// as in an op of another dialect that has a body but no function type: one
// remark, or with |is_strict| an error. Those of nested scopes are theirs.
// Fails with INVALID_ARGUMENT.
gmem_status_t gmem_outside_functions_report(const gmem_program_t *program,
                                            bool is_strict, gmem_diag_t *diag);

#endif // GMEM_PASSES_OUTSIDE_FUNCTIONS_H_
