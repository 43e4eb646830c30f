// plan_reading.h - plans a module and reads its plan (gmem/plan_reader.h) with
// the analyses of its scopes, verified once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PLAN_READING_H_
#define GMEM_PASSES_PLAN_READING_H_

#include "verify_plan.h"

// As gmem_plan_module, for a caller that verifies the plan when it reads it.
gmem_pass_fn gmem_plan_unverified;

// As gmem_planned_read, or gmem_planned_read_verified. Calls |visit->use| with
// each scope after it has been read.
gmem_status_t gmem_planned_read_with(MlirOperation top,
                                     const gmem_plan_visit_t *visit,
                                     const gmem_allocator_t *allocator,
                                     gmem_planned_t **out_planned,
                                     gmem_diag_t *diag);

#endif // GMEM_PASSES_PLAN_READING_H_
