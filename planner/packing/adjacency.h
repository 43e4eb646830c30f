// adjacency.h - which items of a packing conflict, as lists and as numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_ADJACENCY_H_
#define GMEM_PLANNER_ADJACENCY_H_

#include "gmem/status.h"
#include "items.h"

// The items that conflict with item i are, in increasing order,
// neighbours[starts[i]] to neighbours[starts[i + 1] - 1].
typedef struct gmem_adjacency_s {
  const gmem_allocator_t *allocator;
  uint32_t count;         // items
  bool is_complete;       // false: too many conflicts, and no lists
  size_t *starts;         // count + 1; NULL when not complete
  uint32_t *neighbours;   // every pair is in two lists
  size_t neighbour_count; // in all lists together
} gmem_adjacency_t;

// Lists the conflicts of |packing|, unless there are more than |max_pairs|
// pairs of items that may be live together: then is_complete is false and there
// are no lists, which is no failure. O(n + sections + pairs).
// Fails with OUT_OF_MEMORY; destroying is harmless in every case.
gmem_status_t gmem_adjacency_create(const gmem_packing_t *packing,
                                    size_t max_pairs,
                                    gmem_adjacency_t *adjacency,
                                    gmem_diag_t *diag);
void gmem_adjacency_destroy(gmem_adjacency_t *adjacency);

// What an item meets between its first and its last section.
typedef struct gmem_degree_s {
  uint32_t items; // how many others
  uint64_t bytes; // the sum of their extents (modulo 2^64)
} gmem_degree_t;

// Counts conflicts without listing them: exact for a plain packing; else live
// ranges count as if they had no gaps. |degrees| has room for every item, or is
// NULL; *out_pairs, which may be NULL too, is the number of pairs.
// O(n + sections). Fails with OUT_OF_MEMORY.
gmem_status_t gmem_count_conflicts(const gmem_packing_t *packing,
                                   gmem_degree_t *degrees, uint64_t *out_pairs,
                                   gmem_diag_t *diag);

#endif // GMEM_PLANNER_ADJACENCY_H_
