// verify_plan.h - the pass gmem-verify-plan; its contract is at the top of
// its source file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_VERIFY_PLAN_H_
#define GMEM_PASSES_VERIFY_PLAN_H_

#include "gmem/passes.h"
#include "gmem/status.h"

gmem_status_t gmem_verify_plan(MlirOperation top,
                               const gmem_plan_options_t *options,
                               const gmem_allocator_t *allocator,
                               gmem_diag_t *diag);

#endif // GMEM_PASSES_VERIFY_PLAN_H_
