// plan_verifier.h - the state of the verification of one plan, and its parts:
// the pools and figures, and the reports of what the planner's checker finds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PLAN_VERIFIER_H_
#define GMEM_PASSES_PLAN_VERIFIER_H_

#include "planner_problem.h"
#include "scope_plan.h"
#include "stale_figures.h"

typedef struct gmem_plan_verifier_s {
  gmem_scope_plan_t *plan;         // its figures become those of the program
  const gmem_analysis_t *analysis; // of the plan
  gmem_stale_figures_t *stale;
  bool over_capacity; // pools may exceed their capacities
  bool is_last;       // nothing reads the analysis after the verification
  gmem_diag_t *diag;
  // The problem of the constants or of the tensors, and the pools of its
  // placements.
  gmem_problem_part_t part;
  gmem_problem_t *problem;
  uint32_t *entries;       // by pool: index of the table
  gmem_pool_spec_t *specs; // by pool
} gmem_plan_verifier_t;

// The placement of a buffer of the part.
const gmem_value_place_t *
gmem_verifier_place(const gmem_plan_verifier_t *verifier, uint32_t buffer);

// Reports the result of the planner's checker in terms of the IR, at the ops
// that violate the plan, and returns |status|.
gmem_status_t gmem_verifier_report(const gmem_plan_verifier_t *verifier,
                                   gmem_status_t status,
                                   const gmem_check_result_t *found);

// Checks the base addresses of the pools, and that they overlap neither each
// other nor what they share memory with. Fails with CORRUPT or OVERLAP.
gmem_status_t
gmem_verifier_check_addresses(const gmem_plan_verifier_t *verifier);

// Matches the pools of the part with gmem.pool_table: sets |entries| and
// |specs|. Fails with CORRUPT.
gmem_status_t gmem_verifier_set_pools(gmem_plan_verifier_t *verifier);

// Checks size and capacity of the pool |index| of the problem, given the
// placements |plan|, and updates its figures. Fails with CORRUPT.
gmem_status_t gmem_verifier_check_pool(const gmem_plan_verifier_t *verifier,
                                       const gmem_placement_t *plan,
                                       uint32_t index);

// Updates the penalty in gmem.plan to that of |plan|.
void gmem_verifier_update_penalty(const gmem_plan_verifier_t *verifier,
                                  const gmem_placement_t *plan);

// Updates the other figures of gmem.plan after those of all pools.
gmem_status_t
gmem_verifier_update_figures(const gmem_plan_verifier_t *verifier);

#endif // GMEM_PASSES_PLAN_VERIFIER_H_
