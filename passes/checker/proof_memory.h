// proof_memory.h - the memory that each value denotes: its own, that of the
// value it is a view of, or allocations that a memref may point to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A *site* is a placed tensor or an allocation, numbered as the value that owns
// it. An allocation in a loop is a second site, |values| higher: its instance
// of the previous iteration, to which memrefs that the loop carries point.
//
// A *name* is what contents are tracked by. Names below 2 |values| are sites. A
// memref that control flow passes on has one more for each site that it may
// point to, because on a path where it points to another one that site may hold
// something else. What an argument of a function points to depends on the call:
// it is GMEM_PROOF_ARGUMENT plus its number, unless few memories are given to
// it in all calls. A memref that is passed on within the function then has a
// name for each of these, which counts in the calls that give it.

#ifndef GMEM_PASSES_PROOF_MEMORY_H_
#define GMEM_PASSES_PROOF_MEMORY_H_

#include "csr.h"
#include "proof_program.h"

#define GMEM_PROOF_ARGUMENT (UINT32_C(1) << 31)

typedef struct gmem_proof_set_s {
  const uint32_t *at; // ascending
  uint32_t count;
} gmem_proof_set_t;

typedef struct gmem_proof_name_s {
  uint32_t value, site;
  uint32_t argument; // number of the one that it is given as, or GMEM_NO_INDEX
  uint64_t edges;    // of control flow that bind it so: bits, by a hash
} gmem_proof_name_t;

typedef struct gmem_proof_memory_s {
  uint32_t value_count;
  gmem_proof_set_t *sites; // by value
  gmem_proof_set_t *of;    // by value: names
  // By value, an argument of a function: the sites that calls give it.
  gmem_proof_set_t *given;
  bool *is_aged; // by op, a loop or a branch: it passes old instances on
  // By value: a memref that may denote memory that the plan does not place: an
  // allocation, or memory from outside.
  bool *is_unplaced;
  GMEM_LIST(gmem_proof_name_t) names; // from 2 |values| on
  // By value: ops of its block alone use its names, and others come before it.
  bool *is_of_block;
  gmem_csr_t names_of; // by site: names beside its own
} gmem_proof_memory_t;

// The site of a name.
static inline uint32_t gmem_proof_site(const gmem_proof_memory_t *memory,
                                       uint32_t name) {
  return name < 2 * memory->value_count
             ? name
             : memory->names.at[name - 2 * memory->value_count].site;
}

// The value that owns the memory of a name.
static inline uint32_t gmem_proof_owner(const gmem_proof_memory_t *memory,
                                        uint32_t name) {
  uint32_t site = gmem_proof_site(memory, name);
  return site < memory->value_count ? site : site - memory->value_count;
}

// Whether two names may be those of memories at one time. A value has one of
// its names at a time, and values that are bound together, as the arguments of
// a block are, have theirs by one edge.
bool gmem_proof_may_coexist(const gmem_proof_program_t *program,
                            const gmem_proof_memory_t *memory, uint32_t left,
                            uint32_t right);

// Inclusion-based, flow-insensitive points-to analysis (Andersen, "Program
// Analysis and Specialization for the C Programming Language", 1994) of memrefs
// and handles, to a fixpoint. Allocates in |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_proof_memory_find(const gmem_proof_program_t *program,
                                     gmem_bump_t *arena,
                                     gmem_proof_memory_t *out_memory,
                                     gmem_diag_t *diag);

// The operands that a branch passes to successor |number|: |*out_first| is the
// first; false if that is unknown.
bool gmem_proof_branch_operands(const gmem_proof_op_t *op, uint32_t number,
                                uint32_t *out_first);

// The block of the region of |op| that its successor |number| is.
uint32_t gmem_proof_successor(const gmem_proof_program_t *program,
                              const gmem_proof_op_t *op, uint32_t number);

#endif // GMEM_PASSES_PROOF_MEMORY_H_
