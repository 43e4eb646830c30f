// proof_effects.h - what the model of an op permits: results over operands, and
// results that are bytes of operands or the reverse.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PROOF_EFFECTS_H_
#define GMEM_PASSES_PROOF_EFFECTS_H_

#include "proof_program.h"

// Whether the op executes once, at its place and as a whole, so that its model
// applies: it is in no layer group, no parallel and no deferred code.
bool gmem_proof_runs_as_modelled(const gmem_proof_op_t *op);

// Whether the op may write |result| while it reads |operand| at the same bytes:
// it has read an element for the last time when it writes it. Either element by
// element, or as |operand| is what |result| begins with.
bool gmem_proof_works_in_place(const gmem_proof_op_t *op, uint32_t operand,
                               uint32_t result);
bool gmem_proof_has_destination(const gmem_proof_op_t *op, uint32_t operand,
                                uint32_t result);
bool gmem_proof_may_overwrite(const gmem_proof_op_t *op, uint32_t operand,
                              uint32_t result);

// Whether an operand or result has padding per dimension or strides
// (padded_layout.h).
bool gmem_proof_has_layout(const gmem_proof_op_t *entry);

// Whether the op may write operand |output| while it reads |operand|, two
// memrefs that denote the same |size| bytes: the same holds for each element.
bool gmem_proof_may_write_over(const gmem_proof_op_t *op, uint32_t operand,
                               uint32_t output, uint64_t size);

// How an op copies between operands and result 0.
typedef enum gmem_proof_shape_e {
  GMEM_PROOF_COMPUTES, // nothing
  GMEM_PROOF_SLICES,   // the result is bytes of operand |first|
  GMEM_PROOF_JOINS,    // the operands from |first| on are bytes of the result
  GMEM_PROOF_INSERTS,  // operand |first| is; the rest is the destination's
} gmem_proof_shape_t;

// The rows of a tensor that a part along an inner axis has elements in.
typedef struct gmem_proof_rows_s {
  uint64_t offset, size;        // bytes of the tensor; size 0: no operand
  gmem_proof_columns_t columns; // of them, those of the part
  bool is_laid_out_so;          // gmem.strides of the part says so
} gmem_proof_rows_t;

typedef struct gmem_proof_parts_s {
  gmem_proof_shape_t shape;
  uint32_t first, end; // operands
  uint64_t *offsets;   // by operand - first: bytes; GMEM_PROOF_NO_PART: none
  // The same, of slices and joins with parts along an inner axis; else NULL.
  const gmem_proof_rows_t *rows;
} gmem_proof_parts_t;

#define GMEM_PROOF_NO_PART UINT64_MAX

// Sets |*out| to what the op copies, if all of it is contiguous. Allocates in
// |arena|; failures are seen by gmem_bump_status.
void gmem_proof_parts_find(const gmem_proof_program_t *program,
                           const gmem_proof_op_t *op, gmem_bump_t *arena,
                           gmem_proof_parts_t *out);

// The operand of which the op copies all bytes that |parts| do not cover, or
// GMEM_NO_INDEX.
uint32_t gmem_proof_rest(const gmem_proof_op_t *op,
                         const gmem_proof_parts_t *parts);

#endif // GMEM_PASSES_PROOF_EFFECTS_H_
