// plan_folder.h - a folder with plans, one file per problem
// (docs/plan-cache.md), for tools and passes. Nothing here prints. Thread-safe,
// but of two plans of one problem that are added at the same time the better
// one may be lost.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_FILES_PLAN_FOLDER_H_
#define GMEM_FILES_PLAN_FOLDER_H_

#include "gmem/planner.h"

// Fails with INVALID_ARGUMENT if |folder| exists and is no folder.
GMEM_MUST_USE gmem_status_t gmem_plan_folder_check(const char *folder,
                                                   gmem_diag_t *diag);

// Reads the plan of |problem|, whose digest is |digest|: one of the algorithm
// and at least the effort of |wanted|, or, with |any_algorithm|, any that is
// proved optimal. The plan has passed gmem_check. Returns false if there is
// none, or none that can be read.
bool gmem_plan_folder_find(const char *folder, const gmem_problem_t *problem,
                           const uint8_t digest[32],
                           const gmem_cached_plan_t *wanted, bool any_algorithm,
                           gmem_placement_t *plan,
                           gmem_plan_figures_t *out_figures);

// Adds a plan, unless the file of the problem holds one that is as good;
// creates the folder. Fails with IO, OUT_OF_MEMORY or the status of
// gmem_plan_cache_add; the file is then as before.
GMEM_MUST_USE gmem_status_t
gmem_plan_folder_add(const char *folder, const gmem_problem_t *problem,
                     const uint8_t digest[32], const gmem_placement_t *plan,
                     const gmem_cached_plan_t *about, gmem_diag_t *diag);

#endif // GMEM_FILES_PLAN_FOLDER_H_
