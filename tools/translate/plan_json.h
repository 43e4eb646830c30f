// plan_json.h - writes a plan as JSON (docs/plan-json.md).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_PLAN_JSON_H_
#define GMEM_TOOLS_PLAN_JSON_H_

#include "files.h"
#include "gmem/passes.h"

// Fails with OUT_OF_MEMORY. |output| records write errors.
gmem_status_t gmem_plan_to_json(const gmem_planned_t *planned,
                                gmem_output_t *output, gmem_diag_t *diag);

#endif // GMEM_TOOLS_PLAN_JSON_H_
