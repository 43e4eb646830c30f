// offset_groups.h - groups of buffers whose relative offsets are fixed by
// aliases and blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A weighted union-find forest: each buffer stores its distance from its
// parent, and the root of a group stores the joint constraints of the group.
// Buffers of size 0 occupy no bytes and are never joined.

#ifndef GMEM_PLANNER_OFFSET_GROUPS_H_
#define GMEM_PLANNER_OFFSET_GROUPS_H_

#include "gmem/planner.h"
#include "offset_group.h"

// Makes room for all buffers of |problem|. False when out of memory.
bool gmem_offset_groups_extend(gmem_offset_groups_t *groups,
                               const gmem_problem_t *problem);
// Copies the groups of |from| (NULL: none). *to is zero, or an earlier copy
// whose memory is reused. Destroy *to in any case.
bool gmem_offset_groups_copy(const gmem_offset_groups_t *from,
                             const gmem_problem_t *problem,
                             gmem_offset_groups_t *to);
void gmem_offset_groups_destroy(gmem_offset_groups_t *groups,
                                const gmem_problem_t *problem);

// The root of the group of |buffer|; *distance: bytes from there to |buffer|.
uint32_t gmem_offset_groups_root(const gmem_offset_groups_t *groups,
                                 uint32_t buffer, int64_t *distance);

// Fixes |child| at |distance| bytes above |parent|. Changes nothing unless it
// returns GMEM_TIED. |out_join| may be NULL. O(log n).
gmem_untied_t gmem_offset_groups_join(gmem_offset_groups_t *groups,
                                      const gmem_problem_t *problem,
                                      uint32_t child, uint32_t parent,
                                      uint64_t distance, gmem_join_t *out_join);
void gmem_offset_groups_undo(gmem_offset_groups_t *groups,
                             const gmem_join_t *join);

// The joint constraints of the group of |buffer|. |groups| may be NULL.
gmem_offset_group_t gmem_offset_groups_group(const gmem_offset_groups_t *groups,
                                             const gmem_problem_t *problem,
                                             uint32_t buffer);

// The offsets of the buffers of a block from the start of the first: each is at
// the first multiple of its own alignment after the previous one. Buffers of
// size 0 are skipped. Sets the distance of the next buffer; false when it
// exceeds GMEM_MAX_ADDRESS.
bool gmem_block_next(const gmem_problem_t *problem, uint32_t buffer,
                     uint64_t *end, uint64_t *distance);

#endif // GMEM_PLANNER_OFFSET_GROUPS_H_
