// pool_layout.h - a plan of several pools that is changed one item at a time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What moves as one between pools is a *mover*: a buffer, or those that are
// tied together. Each pool has a packing of all movers that may go there,
// whether they do or not; so places and conflicts are known in every pool.

#ifndef GMEM_PLANNER_POOL_LAYOUT_H_
#define GMEM_PLANNER_POOL_LAYOUT_H_

#include "benefit.h"
#include "items.h"
#include "pool_state.h"

#define GMEM_NOWHERE UINT32_MAX

typedef struct gmem_candidate_s {
  uint32_t pool;
  uint32_t item; // in the packing of that pool
  gmem_benefit_t benefit;
} gmem_candidate_t;

typedef struct gmem_mover_s {
  uint32_t first, count; // in |candidates|, in order of preference
  uint32_t buffer;       // its first
  uint32_t at;           // its place: one of its candidates, or GMEM_NOWHERE
  uint64_t offset;       // of its item there
  uint32_t slot;         // in the list of that pool
  uint32_t best;         // the candidate that is worth most
  bool is_fixed;
} gmem_mover_t;

// Bytes in which an item cannot begin because of a mover: [begin, end).
typedef struct gmem_taken_s {
  uint64_t begin, end;
  uint32_t mover;
} gmem_taken_t;

typedef struct gmem_pool_layout_s {
  gmem_pools_t *pools;
  uint32_t pool_count, mover_count, buffer_count;
  gmem_packing_t *packings; // by pool
  gmem_mover_t *movers;     // in an order that no index decides
  gmem_candidate_t *candidates;
  size_t candidate_count, candidate_room;
  uint32_t *mover_of; // by buffer; GMEM_NOWHERE: it has no bytes
  uint32_t **placed;  // by pool: the movers that lie there
  uint32_t *placed_count, *placed_room;
  gmem_taken_t *taken;    // what gmem_layout_list_taken lists
  gmem_benefit_t benefit; // of all places
  uint32_t nowhere;       // movers without a place
} gmem_pool_layout_t;

// Makes the layout, with no mover placed but the fixed ones. |pools| has the
// ties and choices to go by; its |pool_of| is used as scratch. *out_fits: false
// when a mover has no candidate, or the layout would be too large to be of use.
// Fails with OUT_OF_MEMORY; the layout may be destroyed all the
// same.
gmem_status_t gmem_layout_create(gmem_pools_t *pools,
                                 gmem_pool_layout_t *layout, bool *out_fits,
                                 gmem_diag_t *diag);
void gmem_layout_destroy(gmem_pool_layout_t *layout);

// Takes every mover that is not fixed away.
void gmem_layout_clear(gmem_pool_layout_t *layout);
// Places all movers as |plan| does. False when it puts one where it cannot be.
bool gmem_layout_load(gmem_pool_layout_t *layout, const gmem_placement_t *plan);
// Writes where the movers are; buffers without bytes are left as they are.
void gmem_layout_store(const gmem_pool_layout_t *layout,
                       gmem_placement_t *plan);

void gmem_layout_put(gmem_pool_layout_t *layout, uint32_t mover, uint32_t at,
                     uint64_t offset);
void gmem_layout_remove(gmem_pool_layout_t *layout, uint32_t mover);

static inline gmem_candidate_t *
gmem_layout_candidate(const gmem_pool_layout_t *layout, uint32_t mover,
                      uint32_t at) {
  return &layout->candidates[layout->movers[mover].first + at];
}

// What its place is worth; 0 without one.
gmem_benefit_t gmem_layout_worth(const gmem_pool_layout_t *layout,
                                 uint32_t mover);

// Lists who is in the way of |mover| in its candidate |at|, sorted by begin.
size_t gmem_layout_list_taken(gmem_pool_layout_t *layout, uint32_t mover,
                              uint32_t at);

// The lowest offset for |mover| in its candidate |at|; false when there is
// none.
bool gmem_layout_find_gap(gmem_pool_layout_t *layout, uint32_t mover,
                          uint32_t at, uint64_t *out_offset);

// Whether |mover| may begin at |offset| as far as the pool is concerned.
bool gmem_layout_fits(const gmem_pool_layout_t *layout, uint32_t mover,
                      uint32_t at, uint64_t offset);

// Puts |mover| into the first of its candidates that has a gap; false when none
// has.
bool gmem_layout_place(gmem_pool_layout_t *layout, uint32_t mover);

#endif // GMEM_PLANNER_POOL_LAYOUT_H_
