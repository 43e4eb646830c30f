// planner.h - static memory planning: places buffers with live ranges in pools.
// C11 and C++17. Independent of MLIR, files and networks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_problem_t *problem = NULL;
//   gmem_problem_create(NULL, &problem, &diag);
//   uint32_t ddr = 0, id = 0;
//   gmem_problem_add_pool(problem, &(gmem_pool_spec_t){.name = "ddr",
//       .capacity = GMEM_UNLIMITED, .alignment = 64}, &ddr, &diag);
//   gmem_problem_add_buffer(problem, &(gmem_buffer_spec_t){.name = "a",
//       .size = 1024, .alignment = 64, .range_count = 1,
//       .ranges = &(gmem_live_range_t){0, 2}}, &id, &diag);
//   gmem_placement_t *plan = calloc(n, sizeof *plan);
//   gmem_solve(problem, NULL, plan, &figures, &diag);
//
// A *problem* is built once and only read afterwards; a *plan* is a plain array
// with one gmem_placement_t per buffer, in the order in which buffers were
// added. The planner is deterministic: the same problem gives the same plan on
// every machine. Distinct problems may be used by distinct threads; a problem
// that is not modified may be read by any number of threads.
//
// This header includes all headers of gmem/planner/, one per subject.

#ifndef GMEM_PLANNER_H_
#define GMEM_PLANNER_H_

#include "gmem/planner/algorithm.h"   // algorithms, built-in and your own
#include "gmem/planner/blobs.h"       // a plan as whole buffers
#include "gmem/planner/conflicts.h"   // the interference graph
#include "gmem/planner/constraints.h" // hard and soft constraints, penalties
#include "gmem/planner/csv.h"         // problems and plans as CSV text
#include "gmem/planner/effort.h"      // how much work a search may do
#include "gmem/planner/explain.h"     // peaks and infeasibility
#include "gmem/planner/lower_bound.h" // bounds on the pool sizes
#include "gmem/planner/output.h"      // the callback that receives text
#include "gmem/planner/pieces.h"      // the input of a placement heuristic
#include "gmem/planner/placements.h"  // plans
#include "gmem/planner/plan_cache.h"  // plans stored under problem digests
#include "gmem/planner/plan_check.h"  // the plan checker
#include "gmem/planner/problem.h"     // pools, buffers and constraints
#include "gmem/planner/solve.h"       // from a problem to a plan

#endif // GMEM_PLANNER_H_
