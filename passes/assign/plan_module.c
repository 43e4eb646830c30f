// plan_module.c - gmem-plan without a pass manager: the passes of
// gmem_plan_steps in entry/pipelines.c.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "assign_passes.h"
#include "diag.h"
#include "hoist_constants.h"
#include "pass_options.h"
#include "verify_plan.h"

gmem_status_t gmem_plan_unverified(MlirOperation top,
                                   const gmem_plan_options_t *options,
                                   const gmem_allocator_t *allocator,
                                   gmem_diag_t *diag) {
  GMEM_TRY(gmem_plan_options_check(options, diag));
  GMEM_TRY(gmem_hoist_constants(top, options, allocator, diag));
  GMEM_TRY(gmem_order_ops(top, options, allocator, diag));
  GMEM_TRY(gmem_assign_weights(top, options, allocator, diag));
  return gmem_assign_tensors(top, options, allocator, diag);
}

gmem_status_t gmem_plan_module(MlirOperation top,
                               const gmem_plan_options_t *options,
                               const gmem_allocator_t *allocator,
                               gmem_diag_t *diag) {
  GMEM_NEED(top.ptr && options, diag);
  gmem_plan_options_t how = *options;
  GMEM_TRY(gmem_plan_unverified(top, options, allocator, diag));
  how.verify_only = GMEM_VERIFY_ALL;
  how.strict_figures = true;
  return gmem_verify_plan(top, &how, allocator, diag);
}
