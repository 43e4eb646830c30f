// branch_and_bound_state.h - one step of the tree search: places an item,
// raises the floors of the others, and detects infeasible remainders early.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_BRANCH_AND_BOUND_STATE_H_
#define GMEM_PLANNER_BRANCH_AND_BOUND_STATE_H_

#include "adjacency.h"
#include "section_blocks.h"

// Undo record of the search.
typedef struct gmem_undo_s {
  uint64_t floor; // of |item|, before the change; or PLACED
  uint32_t item;
} gmem_undo_t;

// A node of the tree: items that share no section with any other unplaced item,
// which form a problem of their own.
typedef struct gmem_branch_point_s {
  uint32_t begin, end; // its sections
  uint64_t lowest;     // all lower offsets have been tried
  uint32_t last_rank;  // at |lowest|: only ranks above this one
  uint32_t items;      // index in |lists|: by floor, then rank
  uint32_t item_count; //
  uint32_t candidates; // index in |lists|: possible next items
  uint32_t candidate_count, next_candidate;
  size_t undo_count;    // when the point was opened
  uint32_t list_end;    // of |lists|, when the next candidate is tried
  uint32_t point_count; // of |points|, when the next candidate is tried
  uint32_t parent;      // the point whose candidate created it
  uint32_t sibling;     // the point to solve after it
} gmem_branch_point_t;

// The hot data of an item, kept close together.
typedef struct gmem_tree_item_s {
  uint64_t floor;   // the lowest offset above all placed items it interferes
                    // with; of a placed item: its offset
  uint64_t size;    // bytes
  gmem_span_t span; // sections, from the first of the packing
  uint32_t rank;    // smaller is tried first
  uint32_t twin;    // an equal item that is placed before it, or none
} gmem_tree_item_t;

// The unplaced bytes in whole granules of an alignment: see lower_bound.c.
typedef struct gmem_coarse_loads_s {
  uint64_t granule;
  uint64_t *taken;  // by item
  uint64_t *loads;  // per section: the sum of those that are not placed
  uint64_t *slacks; // per section: what the topmost item may save
} gmem_coarse_loads_t;

enum { GMEM_COARSE_LOADS = 3 }; // at most

// Memory for searches in one packing: at most n^2 words, of which a search
// touches few.
typedef struct gmem_tree_s {
  const gmem_packing_t *packing;
  gmem_adjacency_t adjacency; // fixed neighbours first
  size_t *fixed_ends;         // per item: where these end
  uint64_t nodes;             // total over all runs
  uint64_t work;              // units of work not yet reported to |search|
  uint64_t capacity;          // no item may end above
  gmem_tree_item_t *items;
  bool *placed;
  bool
      is_cut; // the last placement left a section that no unplaced item crosses
  uint32_t *marks;  // per item: the last one it was compared with
  uint64_t *loads;  // per section: unplaced bytes
  uint64_t *slacks; // per section: padding that the topmost item may save
  gmem_section_blocks_t blocks;
  uint64_t needed; // with a capacity below it the run would be the same so far
  gmem_coarse_loads_t coarse[GMEM_COARSE_LOADS];
  uint32_t coarse_count;
  uint64_t *failures; // per section: weight of the failures it caused; owned by
                      // the caller
  uint64_t *open;     // bit per section: its floor must be tested
  uint32_t *crossings; // per section: unplaced items live across its begin
  uint32_t *reach;     // per section: end of the items that begin there
  uint32_t *lists;     // stack of item lists
  uint32_t list_end;
  uint32_t *raised; // items raised by the last placement
  gmem_branch_point_t *points;
  uint32_t point_count;
  gmem_undo_t *undo;
  size_t undo_room, undo_count;
} gmem_tree_t;

// The weight of one failure.
#define GMEM_FAILURE_WEIGHT (UINT64_C(1) << 16)

// Sections in a word of |open|.
enum { GMEM_SECTION_BITS = 64 };

// The lowest valid offset for |item| at or above |offset|: aligned, and not
// overlapping a fixed item. UINT64_MAX / 2 when that exceeds GMEM_MAX_ADDRESS:
// larger than every capacity, and sums do not overflow.
uint64_t gmem_stack_raise(gmem_tree_t *tree, uint32_t item, uint64_t offset);

// Inserts |item| in a list of |count| items by floor, then rank. Returns its
// position.
uint32_t gmem_stack_insert(const gmem_tree_t *tree, uint32_t *list,
                           uint32_t count, uint32_t item);

// The peak that section |section| has at least, when its unplaced items are all
// above |floor|.
uint64_t gmem_stack_need(const gmem_tree_t *tree, uint32_t section,
                         uint64_t floor);

// Whether a peak of |needed| bytes is allowed; otherwise it is noted.
bool gmem_stack_allows(gmem_tree_t *tree, uint64_t needed);

// Counts |item| as unplaced.
void gmem_stack_add_load(gmem_tree_t *tree, uint32_t item);

// Places |item| at its floor. Returns the number of unplaced items of |point|,
// listed by floor and rank at the end of |lists|; *fits is false when the
// remaining items provably do not fit.
uint32_t gmem_stack_place(gmem_tree_t *tree, const gmem_branch_point_t *point,
                          uint32_t item, bool *fits);

// Undoes all changes after the first |count| entries of |undo|.
void gmem_stack_undo(gmem_tree_t *tree, size_t count);

#endif // GMEM_PLANNER_BRANCH_AND_BOUND_STATE_H_
