// check_relations.h - what a plan owes to aliases, blocks, conflicts and
// branches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_CHECK_RELATIONS_H_
#define GMEM_PLANNER_CHECK_RELATIONS_H_

#include "checker.h"
#include "gmem/status.h"

// check_relations.c: finds which buffers begin inside of others, which are
// views of one storage and which optional aliases hold. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_check_find_relations(gmem_checker_t *checker,
                                        gmem_diag_t *diag);

void gmem_check_free_relations(gmem_checker_t *checker);

// Looks for aliases, blocks and conflicts that do not hold.
void gmem_check_ties(gmem_checker_t *checker);

// As gmem_check_sweep, when some buffers may overlap. The blocks must be in
// their order.
gmem_status_t gmem_check_sweep_relations(gmem_checker_t *checker,
                                         gmem_diag_t *diag);

#endif // GMEM_PLANNER_CHECK_RELATIONS_H_
