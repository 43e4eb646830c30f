// countable_sets.h - the alias sets that every order of the ops has to hold in
// memory, and how many bytes of them: what a lower bound over all orders
// counts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A set counts in one block, its home: where it has a value, and all its other
// values in that function are in regions of ops of that block. Of the functions
// with such values it is either the one that calls the others, or the last one
// that is called. A set that an optional alias lets share the bytes of another
// one counts only where gmem/order.h can state the sharing: results that are
// written over a dying operand, and parts of a concatenation until it is made.
// Slices, copies that control flow makes of one set alone, memrefs, and sets
// that gmem.same_as ties to another one do not count.

#ifndef GMEM_PASSES_COUNTABLE_SETS_H_
#define GMEM_PASSES_COUNTABLE_SETS_H_

#include "order_inputs.h"

typedef struct gmem_countable_set_s {
  uint64_t bytes; // with padding; 0: the set does not count
  uint32_t home;  // block
  uint32_t pool;  // of the placement constraints, or the first of all memories
  uint32_t whole; // op that makes the concatenation that the set is a part of,
                  //   or GMEM_NO_INDEX
} gmem_countable_set_t;

typedef struct gmem_countable_sets_s {
  gmem_countable_set_t *all; // by alias set
  uint64_t *units; // by pool: bytes of which all offsets of buffers, also of
                   //   those that do not count, are multiples; a power of two
} gmem_countable_sets_t;

// The pool in which memory with these candidates counts, or GMEM_NO_INDEX: in
// none.
uint32_t gmem_counting_pool(const gmem_candidate_pools_t *pools,
                            gmem_memory_candidates_t candidates);

// |in_callees|: which function the homes of sets are in that several have
// values of. |pools|: as the planner gets them. Allocates in the arena of the
// analysis. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_countable_sets_find(const gmem_order_inputs_t *inputs,
                                       const gmem_pool_spec_t *pools,
                                       bool in_callees,
                                       gmem_countable_sets_t *out_sets,
                                       gmem_diag_t *diag);

#endif // GMEM_PASSES_COUNTABLE_SETS_H_
