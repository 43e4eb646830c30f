// constraints.h - hard and soft constraints on the places of buffers, and what
// a plan pays for the soft ones (docs/penalties.md). C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   // Buffers 3 and 7 belong to two engines: sharing bytes costs a wait.
//   gmem_problem_add_constraint(problem, &(gmem_constraint_t){
//       .kind = GMEM_APART, .first = 3, .second = 7, .penalty = 5}, &diag);
//   gmem_penalty_figures_t paid;
//   gmem_solve_options_t options = {.struct_size = sizeof options,
//                                   .penalties = &paid};
//   gmem_solve(problem, &options, plan, &figures, &diag);

#ifndef GMEM_PLANNER_CONSTRAINTS_H_
#define GMEM_PLANNER_CONSTRAINTS_H_

#include "gmem/planner/placements.h"

GMEM_BEGIN_C

typedef enum gmem_constraint_kind_e {
  GMEM_APART = 0,    // |first| and |second| share no byte, whenever they live
  GMEM_BANKS = 1,    // no bank of their pool holds bytes of both. The bank of
                     //   an address is (address / bytes) mod |banks|
  GMEM_BOUNDARY = 2, // no multiple of |bytes| is an address inside of |first|:
                     //   it may begin or end there
  GMEM_NEAR = 3,     // they are in one pool, and their offsets differ by at
                     //   most |bytes|
  GMEM_AT = 4,       // |first| is in |pool| at the offset |bytes|
} gmem_constraint_kind_t;

// The penalty of a hard constraint: a plan that breaks it is invalid.
#define GMEM_HARD UINT64_MAX

// A constraint. None applies to a buffer of size 0.
typedef struct gmem_constraint_s {
  gmem_constraint_kind_t kind;
  uint32_t first;
  uint32_t second;  // APART, BANKS, NEAR
  uint64_t bytes;   // all but APART
  uint32_t banks;   // BANKS: at least 2
  uint32_t pool;    // AT
  uint64_t penalty; // what a plan that breaks it pays; at least 1
} gmem_constraint_t;

// Adds a constraint. A hard GMEM_APART is stored as a conflict. Fails with
// INVALID_ARGUMENT (unknown kind, buffer or pool, the same buffer twice,
// penalty 0, no bytes, fewer than 2 banks, a hard constraint that no plan can
// satisfy), OUT_OF_RANGE (bytes, or the sum of all penalties, above
// GMEM_MAX_ADDRESS) or OUT_OF_MEMORY; the problem is then unchanged.
GMEM_MUST_USE gmem_status_t gmem_problem_add_constraint(
    gmem_problem_t *problem, const gmem_constraint_t *spec, gmem_diag_t *diag);

// Constraints in order of addition, without those stored as conflicts. Views
// are valid until the next addition or destruction.
size_t gmem_problem_constraint_count(const gmem_problem_t *problem);
const gmem_constraint_t *gmem_problem_constraint(const gmem_problem_t *problem,
                                                 size_t index);

// "apart", "banks", "boundary", "near" or "at"; NULL for any other value.
const char *gmem_constraint_kind_name(gmem_constraint_kind_t kind);
// Sets *out_kind to the kind named |name|; false for an unknown name.
bool gmem_constraint_kind_find(const char *name,
                               gmem_constraint_kind_t *out_kind);

// Whether |plan| breaks the constraint of that index. Part of the independent
// checker, like gmem_check.
bool gmem_plan_breaks(const gmem_problem_t *problem,
                      const gmem_placement_t *plan, size_t constraint);

// The sum of the penalties of all soft constraints that |plan| breaks.
uint64_t gmem_plan_penalty(const gmem_problem_t *problem,
                           const gmem_placement_t *plan);

//===--- what is minimized ------------------------------------------------===//

typedef enum gmem_objective_e {
  GMEM_OBJECTIVE_PEAK = 0,     // the peak, then the penalty
  GMEM_OBJECTIVE_WEIGHTED = 1, // peak + penalty x |penalty_bytes|
  GMEM_OBJECTIVE_PENALTY = 2,  // the penalty within the capacities of the
                               //   pools, then the peak
} gmem_objective_t;

// "peak", "weighted" or "penalty"; NULL for any other value.
const char *gmem_objective_name(gmem_objective_t objective);
// Sets *out_objective to the one named |name|; false for an unknown name.
bool gmem_objective_find(const char *name, gmem_objective_t *out_objective);

// What the penalties of a plan are, and what they cost in bytes: the plan that
// ignores all constraints but conflicts is the measure.
typedef struct gmem_penalty_figures_s {
  uint64_t penalty;        // of the plan
  uint64_t lower_bound;    // no plan with pools of these sizes pays less; with
                           //   the other objectives: none within the capacities
  bool optimal;            // proved: no better plan by the objective, given
                           //   the peak (PEAK)
  uint64_t peak_before;    // bytes, of the plan that ignores constraints
  uint64_t penalty_before; // of that plan
  uint32_t broken_before;  // hard constraints that it breaks
} gmem_penalty_figures_t;

GMEM_END_C
#endif // GMEM_PLANNER_CONSTRAINTS_H_
