// offset_groups.h - groups of buffers whose relative offsets are fixed by
// aliases and blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A weighted union-find forest: each buffer stores its distance from its
// parent, and the root of a group stores the joint constraints of the group.
// Buffers of size 0 occupy no bytes and are never joined.

#ifndef GMEM_PLANNER_OFFSET_GROUPS_H_
#define GMEM_PLANNER_OFFSET_GROUPS_H_

#include "offset_group.h"
#include "planner_memory.h"
#include "scratch.h"

// Makes room for all buffers of |problem| in |memory|, always the same one for
// |groups|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_offset_groups_extend(gmem_offset_groups_t *groups,
                                        const gmem_problem_t *problem,
                                        gmem_scratch_t *memory);

// Copies the groups of |from| (NULL: none). *to is zero, or an earlier copy for
// the same problem, whose memory is reused. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_offset_groups_copy(const gmem_offset_groups_t *from,
                                      const gmem_problem_t *problem,
                                      gmem_scratch_t *memory,
                                      gmem_offset_groups_t *to);

// The root of the group of |buffer|; *out_distance (may be NULL): bytes from
// there to |buffer|. |groups| may be NULL.
uint32_t gmem_offset_groups_root(const gmem_offset_groups_t *groups,
                                 uint32_t buffer, int64_t *out_distance);

// Numbers the groups of the buffers that are not empty, in order of their first
// buffers: number_of[buffer], GMEM_NO_BUFFER for a buffer of size 0. |by_root|:
// scratch, by buffer. |groups| may be NULL. Returns the number of groups.
uint32_t gmem_offset_groups_number(const gmem_offset_groups_t *groups,
                                   const gmem_problem_t *problem,
                                   uint32_t *by_root, uint32_t *number_of);

// Sets the first candidate pool of |buffer|, or of its group, at or after index
// *position in the list, and that index. False when there is none. |groups| may
// be NULL.
bool gmem_group_candidate(const gmem_offset_groups_t *groups,
                          const gmem_problem_t *problem, uint32_t buffer,
                          uint32_t *position, uint32_t *out_pool);

// Whether |pool| is the only candidate pool of |buffer|, or of its group.
// |groups| may be NULL.
bool gmem_group_is_only_in(const gmem_offset_groups_t *groups,
                           const gmem_problem_t *problem, uint32_t buffer,
                           uint32_t pool);

// Restricts |to|, relative to the same root, to addresses that satisfy |from|,
// too. False when there are none.
bool gmem_alignment_join(gmem_alignment_t *to, gmem_alignment_t from);

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

// Marks in |is_inner|, by buffer, the members of blocks that start inside them:
// all but the first that is not empty.
void gmem_mark_inner_of_blocks(const gmem_problem_t *problem, bool *is_inner);

// The offsets of the buffers of a block from the start of the first: each is at
// the first multiple of its own alignment after the previous one. Buffers of
// size 0 are skipped. Sets the distance of the next buffer; false when it
// exceeds GMEM_MAX_ADDRESS.
bool gmem_block_next(const gmem_problem_t *problem, uint32_t buffer,
                     uint64_t *end, uint64_t *distance);

#endif // GMEM_PLANNER_OFFSET_GROUPS_H_
