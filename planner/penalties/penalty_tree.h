// penalty_tree.h - branch and bound for the lowest penalty.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_PENALTY_TREE_H_
#define GMEM_PLANNER_PENALTY_TREE_H_

#include "unit_types.h"

typedef struct gmem_penalty_tree_s {
  uint64_t peak_weight, penalty_weight; // of the objective, their sum: 0 or 1;
                                        //   any
  uint64_t steps;                       // units of work
} gmem_penalty_tree_t;

// Improves the current placement; hard constraints hold in a new one.
// *out_ended: no placement of these units below the ceilings is better than the
// current one, or meets the hard constraints if that does not. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_penalty_search(gmem_units_t *units,
                                  const gmem_penalty_tree_t *options,
                                  bool *out_ended);

#endif // GMEM_PLANNER_PENALTY_TREE_H_
