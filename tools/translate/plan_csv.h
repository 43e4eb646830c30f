// plan_csv.h - writes one pool of a plan as a CSV problem with its solution.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_PLAN_CSV_H_
#define GMEM_TOOLS_PLAN_CSV_H_

#include "files.h"
#include "gmem/passes.h"

// Writes the pool |pool_name|; NULL: the first workspace pool. A row is live
// while its buffer owns its bytes, as CSV has no aliases. Fails with NOT_FOUND
// (no such pool), OUT_OF_MEMORY or as the problem's functions do. |output|
// records write errors.
gmem_status_t gmem_plan_to_csv(const gmem_planned_t *planned,
                               const char *pool_name, gmem_output_t *output,
                               gmem_diag_t *diag);

#endif // GMEM_TOOLS_PLAN_CSV_H_
