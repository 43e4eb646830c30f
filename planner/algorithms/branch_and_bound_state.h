// branch_and_bound_state.h - a step of the tree search: one item is placed, the
// floors of the others rise, and what cannot be finished is seen early.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_BRANCH_AND_BOUND_STATE_H_
#define GMEM_PLANNER_BRANCH_AND_BOUND_STATE_H_

#include "adjacency.h"

// What the search undoes when it steps back.
typedef struct gmem_undo_s {
  uint64_t floor; // of |item|, before; or PLACED
  uint32_t item;
} gmem_undo_t;

// Items that share no section with any other that is not placed: a problem of
// its own, and a node of the tree.
typedef struct gmem_branch_point_s {
  uint32_t begin, end; // its sections
  uint64_t lowest;     // no offset below it is left to try
  uint32_t last_rank;  // at |lowest|: only ranks above this one
  uint32_t items;      // in |lists|, by floor, then rank
  uint32_t item_count; //
  uint32_t candidates; // in |lists|: what may come next
  uint32_t candidate_count, next_candidate;
  size_t undo_count;    // when it was opened
  uint32_t list_end;    // of |lists| when it is tried again
  uint32_t point_count; // of |points| when it is tried again
  uint32_t parent;      // the point whose candidate made it
  uint32_t sibling;     // to be solved after it
} gmem_branch_point_t;

// What the search looks at all the time, close together.
typedef struct gmem_tree_item_s {
  uint64_t floor;      // where it would lie on what is placed
  uint64_t size;       // bytes
  uint32_t begin, end; // sections, from the first of the packing
  uint32_t rank;       // smaller is tried first
  uint32_t twin;       // one that is the same and goes before it, or none
} gmem_tree_item_t;

// Memory for searches in one packing: n^2 words at most, of which a search
// touches few.
typedef struct gmem_branch_and_bound_s {
  const gmem_packing_t *packing;
  const gmem_allocator_t *allocator;
  gmem_adjacency_t adjacency; // fixed neighbours first
  size_t *fixed_ends;         // per item: where these end
  uint64_t nodes;             // of all runs
  uint64_t work;              // steps that |search| has not been told yet
  uint64_t capacity;          // no item may end above
  uint64_t *offsets;          // of the items that are placed
  gmem_tree_item_t *items;
  bool *placed;
  bool is_cut;         // the last placement left a section that none crosses
  uint32_t *marks;     // per item: the last one that it was compared with
  uint64_t *loads;     // per section: bytes not placed yet
  uint64_t *slacks;    // per section: what the topmost item may save
  uint64_t *failures;  // per section: weight of the failures it caused; the
                       //   caller's
  uint64_t *open;      // bit per section: its floor must be looked at
  uint32_t *crossings; // per section: items left that are live across its begin
  uint32_t *reach;     // per section: where the items that begin there end
  uint32_t *lists;     // stack of item lists
  size_t list_capacity;
  uint32_t list_end;
  uint32_t *raised; // items that the last placement moved up
  gmem_branch_point_t *points;
  size_t point_capacity;
  uint32_t point_count;
  gmem_undo_t *undo;
  size_t undo_capacity, undo_count;
} gmem_branch_and_bound_t;

// What one unit of failure weighs.
#define GMEM_FAILURE_WEIGHT (UINT64_C(1) << 16)

// Sections in a word of |open|.
enum { GMEM_SECTION_BITS = 64 };

// The lowest offset for |item| that is not below |offset|: aligned, and on no
// fixed item. UINT64_MAX / 2 when that is beyond every address: above every
// capacity, and sums do not overflow.
uint64_t gmem_stack_raise(gmem_branch_and_bound_t *tree, uint32_t item,
                          uint64_t offset);

// By floor, then rank.
bool gmem_stack_goes_before(const gmem_branch_and_bound_t *tree, uint32_t a,
                            uint32_t b);

// Counts |item| among those that are not placed.
void gmem_stack_add_load(gmem_branch_and_bound_t *tree, uint32_t item);

// Places |item| at its floor. Returns the number of items of |point| that are
// left, listed by floor and rank at the end of |lists|; *fits is false when no
// placement can follow.
uint32_t gmem_stack_place(gmem_branch_and_bound_t *tree,
                          const gmem_branch_point_t *point, uint32_t item,
                          bool *fits);

// Takes back what was done since there were |count| entries in |undo|.
void gmem_stack_undo(gmem_branch_and_bound_t *tree, size_t count);

#endif // GMEM_PLANNER_BRANCH_AND_BOUND_STATE_H_
