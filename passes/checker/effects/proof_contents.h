// proof_contents.h - what the bytes of a value are made of: of other values
// that it is a part of, or that it is put together from.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two values whose bytes come from the same bytes of the same values have equal
// contents, so that writing one over the other loses nothing. Nor does writing
// over bytes that have no contents: those of an empty tensor that inserts have
// written a part of.

#ifndef GMEM_PASSES_PROOF_CONTENTS_H_
#define GMEM_PASSES_PROOF_CONTENTS_H_

#include "proof_effects.h"
#include "proof_memory.h"

// Bytes [offset, offset + size) of value |origin|.
typedef struct gmem_proof_span_s {
  uint32_t origin;
  uint64_t offset, size;
} gmem_proof_span_t;

typedef struct gmem_proof_contents_s {
  const gmem_proof_parts_t *parts; // by op
  // By value: its spans in order, or none: it is its own origin.
  struct gmem_proof_spans_s {
    const gmem_proof_span_t *at;
    uint32_t count;
  } * of;
  // By value: its bytes without contents, in order and apart; as many as are
  // known.
  struct gmem_proof_gaps_s {
    const gmem_proof_range_t *at;
    uint32_t count;
  } * gaps;
  // By value: some op modifies it in place, or may by a memref.
  const bool *is_modified;
} gmem_proof_contents_t;

// Allocates in |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_proof_contents_find(const gmem_proof_program_t *program,
                                       const gmem_proof_memory_t *memory,
                                       gmem_bump_t *arena,
                                       gmem_proof_contents_t *out_contents,
                                       gmem_diag_t *diag);

// Whether |size| bytes of |left| from |left_at| on and of |right| from
// |right_at| on have one origin.
bool gmem_proof_is_equal(const gmem_proof_contents_t *contents, uint32_t left,
                         uint64_t left_at, uint32_t right, uint64_t right_at,
                         uint64_t size);

// Whether bytes |bytes| of |value| have no contents.
bool gmem_proof_is_gap(const gmem_proof_contents_t *contents, uint32_t value,
                       gmem_proof_range_t bytes);

#endif // GMEM_PASSES_PROOF_CONTENTS_H_
