// algorithms.h - the packing algorithms of one pool. Each is in the file of its
// name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_ALGORITHMS_H_
#define GMEM_PLANNER_ALGORITHMS_H_

#include "packing.h"

// The table of algorithms, in the order in which tools list them: a new one is
// a file and a line here. ROW(name, gmem_NAME_pack, is_search, searches_pools,
// summary): as in gmem_engine_t; |summary|: a line for --help. Some are defined
// in rooms above this one.
#define GMEM_ALGORITHMS(ROW)                                                   \
  ROW("auto", auto, true, true,                                                \
      "all algorithms in stages, until the lower bound is reached")            \
  ROW("none", none, false, false, "no reuse: no two buffers share bytes")      \
  ROW("ref-count", ref_count, false, false,                                    \
      "in order of time, each in the first free slot it fits in")              \
  ROW("blobs", blobs, false, false,                                            \
      "in whole slots: every buffer begins where one of them begins")          \
  ROW("first-fit", first_fit, false, false,                                    \
      "in order of time, each at the lowest offset")                           \
  ROW("best-fit", best_fit, false, false,                                      \
      "in order of time, each in the smallest gap it fits in")                 \
  ROW("greedy-by-size", greedy_by_size, false, false,                          \
      "largest buffers first, each in the smallest gap it fits in")            \
  ROW("greedy-by-conflicts", greedy_by_conflicts, false, false,                \
      "most conflicts first, each in the smallest gap it fits in")             \
  ROW("sweep", sweep, true, false,                                             \
      "from the time of peak pressure in both directions; n log n")            \
  ROW("hill-climb", greedy_hill_climb, true, false,                            \
      "greedy-by-size, then local search")                                     \
  ROW("exact", multi_order_exact, true, true,                                  \
      "branch and bound; proves optimality when it ends")

#define DECLARE(name, function, is_search, searches_pools, summary)            \
  gmem_pack_t gmem_##function##_pack;
GMEM_ALGORITHMS(DECLARE)
#undef DECLARE

gmem_pack_t gmem_sweep_place_pack; // the sweep without its repair
gmem_pack_t gmem_multi_order_pack; // first fit and best fit, with many orders

// Improvement algorithms: |offsets| holds a valid placement and is only
// replaced by one with a lower peak. Exact search sets |proved| of the search.
gmem_pack_t gmem_hill_climb_pack;
gmem_pack_t gmem_exact_pack;
gmem_pack_t gmem_sweep_repair_pack;
gmem_pack_t gmem_dense_orders_pack; // a few orders, for plain packings in which
                                    // items have many conflicts

#endif // GMEM_PLANNER_ALGORITHMS_H_
