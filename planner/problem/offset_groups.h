// offset_groups.h - buffers that lie at fixed distances from each other:
// groups that aliases and blocks make.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A union-find forest with weights: each buffer knows its distance from the one
// above it, the root of a group knows what the whole group needs. Empty buffers
// have no bytes, so nothing ties them.

#ifndef GMEM_PLANNER_OFFSET_GROUPS_H_
#define GMEM_PLANNER_OFFSET_GROUPS_H_

#include "gmem/planner.h"
#include "offset_group.h"

// Makes room for all buffers of |problem|. False when there is no memory.
bool gmem_offset_groups_extend(gmem_offset_groups_t *groups,
                               const gmem_problem_t *problem);
// The same, for those of |from| (NULL: none). *to is zero, or an earlier copy,
// whose memory is used again; it is to be destroyed in any case.
bool gmem_offset_groups_copy(const gmem_offset_groups_t *from,
                             const gmem_problem_t *problem,
                             gmem_offset_groups_t *to);
void gmem_offset_groups_destroy(gmem_offset_groups_t *groups,
                                const gmem_problem_t *problem);

// The root of the group of |buffer|; *distance: bytes from there to |buffer|.
uint32_t gmem_offset_groups_root(const gmem_offset_groups_t *groups,
                                 uint32_t buffer, int64_t *distance);

// Says that |child| lies |distance| bytes above |parent|. Changes nothing
// unless it returns GMEM_TIED. |out_join| may be NULL. O(log n).
gmem_untied_t gmem_offset_groups_join(gmem_offset_groups_t *groups,
                                      const gmem_problem_t *problem,
                                      uint32_t child, uint32_t parent,
                                      uint64_t distance, gmem_join_t *out_join);
void gmem_offset_groups_undo(gmem_offset_groups_t *groups,
                             const gmem_join_t *join);

// What the group of |buffer| needs, |groups| may be NULL.
gmem_offset_group_t gmem_offset_groups_group(const gmem_offset_groups_t *groups,
                                             const gmem_problem_t *problem,
                                             uint32_t buffer);

// Where the buffers of a block lie: bytes from the start of the first, each at
// the first multiple of its own alignment behind the one before. Empty ones
// are passed over. Returns the distance of the next, or false when that is
// above every address.
bool gmem_block_next(const gmem_problem_t *problem, uint32_t buffer,
                     uint64_t *end, uint64_t *distance);

#endif // GMEM_PLANNER_OFFSET_GROUPS_H_
