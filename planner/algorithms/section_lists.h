// section_lists.h - the placed items of each section, to find the ones that
// interfere with another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_SECTION_LISTS_H_
#define GMEM_PLANNER_SECTION_LISTS_H_

#include "items.h"

// Where live ranges have long gaps, few of the items whose hulls meet are ever
// live together: lists by section do not visit the others.
typedef struct gmem_section_lists_s {
  const gmem_packing_t *packing;
  size_t *starts;    // by section, and one more; NULL: there would be too many
                     //   entries, and the lists are not made
  uint32_t *lengths; // by section
  uint32_t *items;   // of section s: items[starts[s] .. starts[s] + lengths[s])
  uint32_t *seen;    // by item: the last round in which it was listed
  uint32_t round;
} gmem_section_lists_t;

// Empty lists in |memory|, unless items are live in many sections. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_section_lists_create(const gmem_packing_t *packing,
                                        gmem_scratch_t *memory,
                                        gmem_section_lists_t *lists);

// The pairs of items that are live together, counted once for each section that
// they share. |memory| is unchanged at the end. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_count_section_pairs(const gmem_packing_t *packing,
                                       uint64_t *out_pairs,
                                       gmem_scratch_t *memory);

// Removes all items.
void gmem_section_lists_clear(gmem_section_lists_t *lists);

// Adds an item, at most once.
void gmem_section_lists_add(gmem_section_lists_t *lists, uint32_t item);

// Lists the added items that interfere with |item|, which is not one of them,
// in |others|; extra conflicts are left out unless a section is shared.
// *out_looks: the entries that were visited. Returns how many there are.
uint32_t gmem_section_lists_gather(gmem_section_lists_t *lists, uint32_t item,
                                   uint32_t *others, uint64_t *out_looks);

// Whether the last gather has listed |other|.
static inline bool gmem_section_lists_has(const gmem_section_lists_t *lists,
                                          uint32_t other) {
  return lists->seen[other] == lists->round;
}

#endif // GMEM_PLANNER_SECTION_LISTS_H_
