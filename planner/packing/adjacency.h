// adjacency.h - the interference graph of a packing: lists and degrees.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_ADJACENCY_H_
#define GMEM_PLANNER_ADJACENCY_H_

#include "items.h"

// The neighbours of item i are, in increasing order, neighbours[starts[i]] to
// neighbours[starts[i + 1] - 1].
typedef struct gmem_adjacency_s {
  uint32_t count;         // items
  bool is_complete;       // false: more pairs than the limit, no lists
  size_t *starts;         // count + 1; NULL when not complete
  uint32_t *neighbours;   // every pair is in two lists
  size_t neighbour_count; // total length of the lists
} gmem_adjacency_t;

// Lists the interfering pairs of |packing|. When more than |max_pairs| pairs of
// items may be live together, is_complete is false and there are no lists; this
// is not an error. The lists are in |memory|. O(n + sections + pairs). Fails
// with OUT_OF_MEMORY.
gmem_status_t gmem_adjacency_create(const gmem_packing_t *packing,
                                    size_t max_pairs, gmem_scratch_t *memory,
                                    gmem_adjacency_t *adjacency);

// Whether every list is in bounds and in increasing order. For asserts and
// tests.
bool gmem_check_adjacency(const gmem_adjacency_t *adjacency);

// The interference of one item.
typedef struct gmem_degree_s {
  uint32_t items; // number of neighbours
  uint64_t bytes; // sum of their extents (modulo 2^64)
} gmem_degree_t;

// Counts neighbours without listing them. Exact for a plain packing; otherwise
// gaps in live ranges are ignored. |degrees| has room for every item, or is
// NULL; *out_pairs is the number of pairs and may be NULL. |memory| is
// unchanged at the end. O(n + sections). Fails with OUT_OF_MEMORY.
gmem_status_t gmem_count_conflicts(const gmem_packing_t *packing,
                                   gmem_degree_t *degrees, uint64_t *out_pairs,
                                   gmem_scratch_t *memory);

#endif // GMEM_PLANNER_ADJACENCY_H_
