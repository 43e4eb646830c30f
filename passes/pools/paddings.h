// paddings.h - gmem.padding: bytes before and behind a value that operators may
// touch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     gmem.offset             gmem.payload_offset
//       | rounding | before     | the value      | after   |
//       |<------------------ gmem.size ------------------->|
//
// What is one piece of memory has one padding: the most that any value of its
// class asks for on each side, and any class at the same place (gmem.same_as).
// As both the buffer and the payload have the alignment that an unpadded buffer
// would have, the payload begins that far behind the start of the buffer, and
// nothing else can lie in the bytes between.

#ifndef GMEM_PASSES_PADDINGS_H_
#define GMEM_PASSES_PADDINGS_H_

#include "liveness.h"
#include "placement_constraints.h"

// Bytes on the two sides of a payload.
typedef struct gmem_padding_s {
  uint64_t before, after;
} gmem_padding_t;

// Reads what the values ask for. |*out_paddings|, in |arena|, has one entry per
// class; the sum of the size of a class and both sides is at most
// GMEM_MAX_ADDRESS. Fails with OUT_OF_MEMORY or, reported where it stands,
// INVALID_ARGUMENT (a malformed gmem.padding, one of a constant or of what has
// no planned memory) or OUT_OF_RANGE (that sum).
gmem_status_t
gmem_paddings_find(const gmem_liveness_t *liveness,
                   const gmem_placement_constraints_t *constraints,
                   gmem_bump_t *arena, gmem_padding_t **out_paddings,
                   gmem_diag_t *diag);

bool gmem_is_padded(gmem_padding_t padding);

// Whether a child of |child_size| bytes at |offset| bytes in the payload of its
// parent may be there with its padding: the padding of neither holds bytes of
// the payload of the other. If so, *out_offset is the offset of the child's
// buffer in that of the parent, which contains it.
bool gmem_padding_fits(gmem_padding_t child, uint64_t child_size,
                       gmem_padding_t parent, uint64_t parent_size,
                       uint64_t offset, uint64_t *out_offset);

#endif // GMEM_PASSES_PADDINGS_H_
