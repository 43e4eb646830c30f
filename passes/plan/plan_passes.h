// plan_passes.h - the passes gmem-order-ops, gmem-assign-weights,
// gmem-assign-tensors and gmem-verify-plan; their contracts are at the top of
// their source files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PLAN_PASSES_H_
#define GMEM_PASSES_PLAN_PASSES_H_

#include "gmem/passes.h"

gmem_pass_fn gmem_order_ops, gmem_assign_weights, gmem_assign_tensors,
    gmem_verify_plan;

#endif // GMEM_PASSES_PLAN_PASSES_H_
