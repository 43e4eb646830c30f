// frame.h - the position of each buffer of an offset group in the item or piece
// that encloses the group.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An item starts at its lowest member, or slightly below, so that aligning the
// item aligns all members:
//
//      item                                   aligned to the largest alignment
//      |   |###### parent ######|###### next in the block ######|
//               |## view ##|    aligned to this much, as it happens

#ifndef GMEM_PLANNER_FRAME_H_
#define GMEM_PLANNER_FRAME_H_

#include "packing_builder.h"

// Relative to the root of the group.
typedef struct gmem_frame_s {
  int64_t low, high;          // the members occupy [low, high)
  gmem_alignment_t alignment; // then all members are aligned
} gmem_frame_t;

// Sets the frame of the members [first, end), all of one group. False, with
// |misfit| of the packing set, when no offset aligns all of them.
bool gmem_frame_members(const gmem_packing_builder_t *builder, uint32_t first,
                        uint32_t end, gmem_frame_t *frame);

// Whether all members are aligned when the root is at |address|.
bool gmem_frame_is_aligned(const gmem_frame_t *frame, uint64_t address);

// Sets the offsets of these members from the start of the item: the lowest
// member when the group is fixed, otherwise an address that is aligned to the
// frame. Returns the size of the item.
uint64_t gmem_frame_place(const gmem_packing_builder_t *builder, uint32_t first,
                          uint32_t end, const gmem_frame_t *frame,
                          bool is_fixed);

#endif // GMEM_PLANNER_FRAME_H_
