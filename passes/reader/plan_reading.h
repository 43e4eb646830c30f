// plan_reading.h - reads a plan (gmem/plan_reader.h) with the analyses of its
// scopes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PLAN_READING_H_
#define GMEM_PASSES_PLAN_READING_H_

#include "verify_plan.h"

// As gmem_planned_read, or gmem_planned_read_verified. Calls |visit->use| with
// each scope after it has been read.
gmem_status_t gmem_planned_read_with(MlirOperation top,
                                     const gmem_plan_visit_t *visit,
                                     const gmem_allocator_t *allocator,
                                     gmem_planned_t **out_planned,
                                     gmem_diag_t *diag);

#endif // GMEM_PASSES_PLAN_READING_H_
