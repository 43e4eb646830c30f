// assign_weights.h - the pass gmem-assign-weights; its contract is at the
// top of its source file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_ASSIGN_WEIGHTS_H_
#define GMEM_PASSES_ASSIGN_WEIGHTS_H_

#include "gmem/passes.h"
#include "gmem/status.h"

// The contract of each stands at the top of its file.
gmem_status_t gmem_assign_weights(MlirOperation top,
                                  const gmem_plan_options_t *options,
                                  const gmem_allocator_t *allocator,
                                  gmem_diag_t *diag);

#endif // GMEM_PASSES_ASSIGN_WEIGHTS_H_
