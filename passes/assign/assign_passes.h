// assign_passes.h - the passes that plan: gmem-order-ops, gmem-assign-weights
// and gmem-assign-tensors; their contracts are at the top of their source
// files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_ASSIGN_PASSES_H_
#define GMEM_PASSES_ASSIGN_PASSES_H_

#include "gmem/passes.h"

gmem_pass_fn gmem_order_ops, gmem_assign_weights, gmem_assign_tensors;

// As gmem_plan_module, for a caller that verifies the plan when it reads it.
gmem_pass_fn gmem_plan_unverified;

#endif // GMEM_PASSES_ASSIGN_PASSES_H_
