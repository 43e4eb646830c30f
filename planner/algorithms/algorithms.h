// algorithms.h - the packing algorithms of one pool. Each is in the file of its
// name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_ALGORITHMS_H_
#define GMEM_PLANNER_ALGORITHMS_H_

#include "packing.h"

gmem_pack_t gmem_none_pack;
gmem_pack_t gmem_ref_count_pack;
gmem_pack_t gmem_first_fit_pack;
gmem_pack_t gmem_best_fit_pack;
gmem_pack_t gmem_greedy_by_size_pack;
gmem_pack_t gmem_greedy_by_conflicts_pack;
gmem_pack_t gmem_multi_order_pack; // first fit and best fit, with many orders

// Improvement algorithms: |offsets| holds a valid placement and is only
// replaced by one with a lower peak.
gmem_pack_t gmem_hill_climb_pack;

#endif // GMEM_PLANNER_ALGORITHMS_H_
