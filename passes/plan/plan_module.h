// plan_module.h - gmem-plan without a pass manager, and without its last pass.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PLAN_MODULE_H_
#define GMEM_PASSES_PLAN_MODULE_H_

#include "gmem/passes.h"

// As gmem_plan_module, for a caller that verifies the plan when it reads it.
gmem_status_t gmem_plan_unverified(MlirOperation top,
                                   const gmem_plan_options_t *options,
                                   const gmem_allocator_t *allocator,
                                   gmem_diag_t *diag);

#endif // GMEM_PASSES_PLAN_MODULE_H_
