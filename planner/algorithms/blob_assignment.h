// blob_assignment.h - items and their blobs, for blobs.c and blob_search.c.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_BLOB_ASSIGNMENT_H_
#define GMEM_PLANNER_BLOB_ASSIGNMENT_H_

#include "adjacency.h"
#include "blob_bound.h"
#include "search.h"

typedef struct gmem_blobs_run_s {
  const gmem_packing_t *packing;
  gmem_scratch_t *memory;
  gmem_adjacency_t adjacency;
  gmem_blob_bound_t bound;
  uint64_t *missing;  // missing[k]: the sum of the bound from blob k on
  uint64_t bound_sum; // bytes: no assignment needs less
  uint32_t count;     // items that are not fixed
  uint32_t *blob_of;  // by item, of the current assignment
  uint32_t *best_of;  // of the best one
  uint32_t blob_count, best_count;
  uint64_t best;    // bytes of the blobs of the best one
  uint64_t *sizes;  // by blob, of the current one
  uint32_t *grown;  // positions of items that have made a blob larger
  uint64_t *stamps; // by blob: the visit at which a conflict was seen there
  uint64_t visit;
  uint64_t *cost; // by position in an order: bytes of the blobs before it
} gmem_blobs_run_t;

// Sums of sizes that no address space holds are all the same.
static inline uint64_t gmem_sum(uint64_t a, uint64_t b) {
  uint64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

// Marks the blobs with an item that conflicts with |item|: their stamp is
// run->visit. Returns the work done.
uint64_t gmem_blobs_mark(gmem_blobs_run_t *run, uint32_t item);

// Keeps the current assignment, of |bytes|, if it is the best so far.
void gmem_blobs_keep(gmem_blobs_run_t *run, uint64_t bytes);

// Branch and bound over the blobs of the run->count items in |order|, largest
// first, for |limit| units of work. Returns whether the best assignment has
// been found.
bool gmem_blobs_search(gmem_blobs_run_t *run, const uint32_t *order,
                       gmem_search_t *search, uint64_t limit);

#endif // GMEM_PLANNER_BLOB_ASSIGNMENT_H_
