// stack_place.h - a step of the tree search: one item is placed, the floors of
// the others rise, and what cannot be finished is seen early.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_STACK_PLACE_H_
#define GMEM_PLANNER_STACK_PLACE_H_

#include "stack_tree.h"

// Sections in a word of |open|.
enum { GMEM_SECTION_BITS = 64 };

// The lowest offset for |item| that is not below |offset|: aligned, and on no
// fixed item. UINT64_MAX / 2 when that is beyond every address: above every
// capacity, and sums do not overflow.
uint64_t gmem_stack_raise(gmem_stack_tree_t *tree, uint32_t item,
                          uint64_t offset);

// By floor, then rank.
bool gmem_stack_goes_before(const gmem_stack_tree_t *tree, uint32_t a,
                            uint32_t b);

// Counts |item| among those that are not placed.
void gmem_stack_add_load(gmem_stack_tree_t *tree, uint32_t item);

// Places |item| at its floor. Returns the number of items of |point| that are
// left, listed by floor and rank at the end of |lists|; *fits is false when no
// placement can follow.
uint32_t gmem_stack_place(gmem_stack_tree_t *tree,
                          const gmem_branch_point_t *point, uint32_t item,
                          bool *fits);

// Takes back what was done since there were |count| entries in |undo|.
void gmem_stack_undo(gmem_stack_tree_t *tree, size_t count);

#endif // GMEM_PLANNER_STACK_PLACE_H_
