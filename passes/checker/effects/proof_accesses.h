// proof_accesses.h - what one op reads and writes, wherever control flow has
// put its operands.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PROOF_ACCESSES_H_
#define GMEM_PASSES_PROOF_ACCESSES_H_

#include "proof_contents.h"

typedef enum gmem_proof_access_kind_e {
  GMEM_PROOF_READS,    // the memories of |value|, an operand
  GMEM_PROOF_MODIFIES, // the same; it may write them, too
  GMEM_PROOF_MAKES,    // writes |bytes| of |value|, a result or an argument
  GMEM_PROOF_COPIES,   // the same, with contents of operands
  GMEM_PROOF_SCRATCH,  // writes |bytes|, a workbuffer, while it runs
  GMEM_PROOF_PADS,     // the same beside the memories of |value|, where values
                       //   have buffers that are larger than they are
  GMEM_PROOF_PASSES,   // writes |bytes| of |value|: control flow passes it an
                       //   operand that has no place
} gmem_proof_access_kind_t;

typedef struct gmem_proof_access_s {
  gmem_proof_access_kind_t kind;
  uint32_t value, operand; // the operand's number, or GMEM_NO_INDEX
  gmem_proof_range_t bytes;
  gmem_proof_columns_t columns; // of |bytes|
} gmem_proof_access_t;

// The accesses of one op, in the order of the kinds of its work.
typedef struct gmem_proof_accesses_s {
  const gmem_proof_program_t *program;
  const gmem_proof_memory_t *memory;
  const gmem_proof_contents_t *contents;
  gmem_bump_t *arena;
  bool is_listed;
  uint32_t op; // whose accesses are listed
  GMEM_LIST(gmem_proof_access_t) list;
} gmem_proof_accesses_t;

// Sets |accesses->list| to what op |op| itself accesses, without what its
// regions and callees do and without the copies that gmem.copies records.
// Failures are seen by gmem_bump_status.
void gmem_proof_accesses_list(gmem_proof_accesses_t *accesses, uint32_t op);

// Whether the op ends its block and passes operands on, or has regions or
// callees that do all its work.
bool gmem_proof_is_flow(const gmem_proof_op_t *op);

// Whether |value| has bytes of its own that control flow may copy to it.
bool gmem_proof_is_target(const gmem_proof_program_t *program, uint32_t value);

// Control flow passes |from|, an operand or GMEM_NO_INDEX, to |to|: whether it
// is or gets there by a record of a copy; by a copy without one, as |from| has
// no place.
bool gmem_proof_is_copied(const gmem_proof_program_t *program, uint32_t from,
                          uint32_t to);
bool gmem_proof_is_passed(const gmem_proof_program_t *program,
                          const gmem_proof_memory_t *memory, uint32_t from,
                          uint32_t to);

// Whether |value| is placed from address |begin| on.
bool gmem_proof_is_at(const gmem_proof_program_t *program, uint32_t value,
                      uint64_t begin);

// Whether the result of a reshape is a view of its operand.
bool gmem_proof_is_view(const gmem_proof_program_t *program,
                        const gmem_proof_memory_t *memory, uint32_t operand,
                        uint32_t result);

#endif // GMEM_PASSES_PROOF_ACCESSES_H_
