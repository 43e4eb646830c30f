// frame.c - the position of each buffer of an offset group in the item or piece
// that encloses the group.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frame.h"

#include <assert.h>

#include "offset_groups.h"

static int64_t distance_of(const gmem_packing_builder_t *builder,
                           uint32_t member) {
  int64_t distance;
  gmem_offset_groups_root(builder->groups,
                          builder->packing->members[member].buffer, &distance);
  return distance;
}

bool gmem_frame_members(const gmem_packing_builder_t *builder, uint32_t first,
                        uint32_t end, gmem_frame_t *frame) {
  gmem_packing_t *packing = builder->packing;
  assert(first < end && end <= packing->member_count);
  *frame = (gmem_frame_t){INT64_MAX, INT64_MIN, {.bytes = 1}};
  for (uint32_t i = first; i < end; ++i) {
    uint32_t buffer = packing->members[i].buffer;
    int64_t low = distance_of(builder, i);
    int64_t high = low + (int64_t)gmem_member_spec(packing, i)->size;
    uint64_t bytes = gmem_alignment_of(builder, buffer);
    frame->low = low < frame->low ? low : frame->low;
    frame->high = high > frame->high ? high : frame->high;
    if (gmem_alignment_join(
            &frame->alignment,
            (gmem_alignment_t){bytes, (uint64_t)low & (bytes - 1)}))
      continue;
    packing->misfit = buffer;
    return false;
  }
  return true;
}

bool gmem_frame_is_aligned(const gmem_frame_t *frame, uint64_t address) {
  return ((address + frame->alignment.anchor) & (frame->alignment.bytes - 1)) ==
         0;
}

uint64_t gmem_frame_place(const gmem_packing_builder_t *builder, uint32_t first,
                          uint32_t end, const gmem_frame_t *frame,
                          bool is_fixed) {
  uint64_t low = (uint64_t)frame->low, padding = 0;
  assert(frame->low < frame->high);
  if (!is_fixed)
    padding = (low - frame->alignment.anchor) & (frame->alignment.bytes - 1);
  for (uint32_t i = first; i < end; ++i)
    builder->packing->members[i].offset =
        (uint64_t)distance_of(builder, i) - low + padding;
  return (uint64_t)frame->high - low + padding;
}
