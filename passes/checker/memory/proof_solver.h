// proof_solver.h - sets of numbers that flow from value to value.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that values denote flow until no set grows, by difference propagation
// (Pearce, Kelly and Hankin, "Online Cycle Detection and Difference Propagation
// for Pointer Analysis", 2003): each number goes on along each link once, so
// that time is linear in the sizes of the sets and in the number of links of
// each value.

#ifndef GMEM_PASSES_PROOF_SOLVER_H_
#define GMEM_PASSES_PROOF_SOLVER_H_

#include "proof_sets.h"

typedef enum gmem_proof_link_kind_e {
  GMEM_LINK_ALL,
  GMEM_LINK_RETURNED, // from a function to a call
  GMEM_LINK_GIVEN,    // by a call to an argument: that memory may have no place
} gmem_proof_link_kind_t;

// A value denotes all that another one denotes.
typedef struct gmem_proof_link_s {
  uint32_t to;
  uint32_t op;   // that calls the function
  uint32_t next; // of the same value, + 1
  gmem_proof_link_kind_t kind;
} gmem_proof_link_t;

typedef struct gmem_proof_solver_s {
  const gmem_proof_program_t *program;
  gmem_proof_set_t *of;     // by value
  uint32_t *firsts;         // by value: room for the first number of its set
  const bool *is_untracked; // by value: see gmem_proof_memory_t
  uint8_t *unplaced;        // by value: gmem_proof_unplaced_t
  // Not NULL: all is known. Links bind names, along the edge that is a bit of
  // |edge|; all bits: it is not known.
  gmem_proof_memory_t *bound;
  uint64_t edge;
  uint32_t from, number;    // what it binds to: see gmem_proof_source_t
  gmem_csr_pairs_t sources; // by name - |values|: bound->sources
  struct {                  // until all is known
    GMEM_LIST(gmem_proof_link_t) links;
    uint32_t *first;  // by value: a link, + 1
    uint32_t *passed; // by value: so many of its set have gone on
    bool *is_queued;  // by value: it has more to pass on
    uint32_t *queue;  // values, as a ring
    size_t head, queued;
    uint64_t *held; // a table of pairs of a value, + 1, and a number; 0: free
    size_t held_count, mask;
  };
  gmem_bump_t *arena, *scratch; // of what remains, and of the rest
} gmem_proof_solver_t;

// The current edge binds |value| to |number|, a site or an argument, which
// solver->from brings as solver->number.
void gmem_proof_bind(gmem_proof_solver_t *solver, uint32_t value,
                     uint32_t number);

// |value| has more to pass on.
void gmem_proof_enqueue(gmem_proof_solver_t *solver, uint32_t value);

// Adds |number| to what |value| denotes. Sets are not in order until all are
// complete; one of |count| numbers has room for the next power of two.
void gmem_proof_denote(gmem_proof_solver_t *solver, uint32_t value,
                       uint32_t number);

// |value| may denote memory without a place, if it is a memref: |what| are bits
// of gmem_proof_unplaced_t.
void gmem_proof_mark_unplaced(gmem_proof_solver_t *solver, uint32_t value,
                              uint8_t what);

// Value link->to denotes all that |from|, which may be GMEM_NO_INDEX, denotes;
// or is bound to it.
void gmem_proof_link(gmem_proof_solver_t *solver, uint32_t from,
                     gmem_proof_link_t link);

// Lets all that is queued go on until no set grows.
void gmem_proof_flow_on(gmem_proof_solver_t *solver);

#endif // GMEM_PASSES_PROOF_SOLVER_H_
