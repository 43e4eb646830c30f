// problem_json_write.h - writes a problem, with or without a plan, as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_PROBLEM_JSON_WRITE_H_
#define GMEM_TOOLS_PROBLEM_JSON_WRITE_H_

#include "gmem/planner.h"

// Writes a problem, with |plan| and |figures| unless they are NULL. The output
// is deterministic; default values (no conflicts, all pools) are omitted. Fails
// with any error of |write|, INVALID_ARGUMENT (a name that is not UTF-8)
// or OUT_OF_RANGE (uses or an offset of 2^63 or more), possibly after partial
// output.
GMEM_MUST_USE gmem_status_t gmem_problem_json_write(
    const gmem_problem_t *problem, const gmem_placement_t *plan,
    const gmem_plan_figures_t *figures, gmem_write_fn write, void *user,
    gmem_diag_t *diag);

#endif // GMEM_TOOLS_PROBLEM_JSON_WRITE_H_
