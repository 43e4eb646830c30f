// check_relations.h - checks aliases, blocks, conflicts and branches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_CHECK_RELATIONS_H_
#define GMEM_PLANNER_CHECK_RELATIONS_H_

#include "checker.h"

// check_relations.c: computes which buffers start inside others, which are
// views of one storage, and which optional aliases are used. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_check_find_relations(gmem_checker_t *checker);

// Checks aliases, blocks and conflicts.
void gmem_check_ties(gmem_checker_t *checker);

// Replaces gmem_check_sweep when some buffers may overlap. The blocks must be
// sorted.
gmem_status_t gmem_check_sweep_relations(gmem_checker_t *checker);

#endif // GMEM_PLANNER_CHECK_RELATIONS_H_
