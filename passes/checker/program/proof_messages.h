// proof_messages.h - how messages name ops, values and bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PROOF_MESSAGES_H_
#define GMEM_PASSES_PROOF_MESSAGES_H_

#include "diagnostics.h"
#include "proof_program.h"

// Returned by value, so that a call can stand among the arguments of another.
typedef struct gmem_proof_text_s {
  char at[112]; // NUL-terminated
} gmem_proof_text_t;

// "'x.load'"; "the caller" for GMEM_NO_INDEX.
gmem_proof_text_t gmem_proof_op_text(const gmem_proof_program_t *program,
                                     uint32_t op);

// "result #0 of 'x.load'", "argument #1".
gmem_proof_text_t gmem_proof_value_text(const gmem_proof_program_t *program,
                                        const gmem_proof_value_t *value);

// "bytes [0, 64) of pool 'tensors'".
gmem_proof_text_t gmem_proof_bytes_text(const gmem_proof_program_t *program,
                                        gmem_proof_range_t bytes);

// Returns a note of this text, which is truncated.
gmem_note_t gmem_proof_note(MlirLocation location, const char *format, ...)
    GMEM_PRINTF(2, 3);

#endif // GMEM_PASSES_PROOF_MESSAGES_H_
