// paddings.h - gmem.padding: bytes before and after a value that operators may
// access.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     gmem.offset             gmem.payload_offset
//       | rounding | before     | the value      | after   |
//       |<------------------ gmem.size ------------------->|
//
// A buffer has one padding: on each side the maximum over all values of its
// alias set and of the alias sets at the same offset (gmem.same_as). Both
// buffer and payload are aligned like an unpadded buffer, so the leading
// padding is rounded up to the alignment. No other buffer uses the bytes in
// between.

#ifndef GMEM_PASSES_PADDINGS_H_
#define GMEM_PASSES_PADDINGS_H_

#include "placement_constraints.h"

// Bytes on the two sides of a payload.
typedef struct gmem_padding_s {
  uint64_t before, after;
} gmem_padding_t;

// Reads gmem.padding of all values. |*out_paddings|, in |arena|, has one entry
// per alias set, or is NULL if nothing is padded; the size of a set plus both
// sides is at most GMEM_MAX_ADDRESS.
// Fails with OUT_OF_MEMORY or, reported at the op, INVALID_ARGUMENT (a
// malformed gmem.padding, or one on a constant or on a value without planned
// memory) or OUT_OF_RANGE (the sum is larger).
gmem_status_t
gmem_paddings_find(const gmem_liveness_t *liveness,
                   const gmem_placement_constraints_t *constraints,
                   gmem_bump_t *arena, gmem_padding_t **out_paddings,
                   gmem_diag_t *diag);

static inline bool gmem_is_padded(gmem_padding_t padding) {
  return padding.before || padding.after;
}

// Returns whether a child of |child_size| bytes can be placed at |offset| bytes
// into the payload of its parent: neither padding may overlap payload bytes of
// the other. If so, the parent's buffer contains the child's, and *out_offset
// is the offset of the child's buffer in it.
bool gmem_padding_fits(gmem_padding_t child, uint64_t child_size,
                       gmem_padding_t parent, uint64_t parent_size,
                       uint64_t offset, uint64_t *out_offset);

#endif // GMEM_PASSES_PADDINGS_H_
