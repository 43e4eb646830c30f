// weights.h - the constants of a scope: candidate pools, order, and which of
// them are equal.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_WEIGHTS_H_
#define GMEM_PASSES_WEIGHTS_H_

#include "buffer_constraint.h"
#include "constant_candidates.h"
#include "workbuffers.h"

typedef struct gmem_constant_s {
  uint32_t value;  // of the program
  uint32_t source; // value of the constant whose memory it uses; itself if it
                   //   does not share
  gmem_buffer_constraint_t constraint; // its pools and gmem.fixed
  uint64_t uses; // of a source: number of reads of it and of those that share
                 //   its memory, in all contexts; 0 if not counted
} gmem_constant_t;

typedef struct gmem_constants_s {
  gmem_constant_t *weights; // in layout order
  size_t count;
  gmem_candidate_pools_t pools;
  gmem_workbuffer_demand_t *work; // by workbuffer, of immutable ones
} gmem_constants_t;

// Inputs of gmem_weights_find.
typedef struct gmem_weights_options_s {
  const gmem_program_t *program;
  const gmem_liveness_t *liveness; // may be NULL without memories for
                                   //   constants: uses are not counted then
  const gmem_workbuffers_t *workbuffers;
  gmem_weight_order_t order;
  bool share; // equal constants share memory
} gmem_weights_options_t;

// Returns whether |program| has memories for constants.
bool gmem_has_constant_memories(const gmem_program_t *program);

// Lists all weights; those of functions that run on demand only (gmem.dynamic)
// come last. Weights that share memory have one source, the first of them in
// layout order. Two weights are equal if their ops, types, attributes (except
// gmem's) and candidate pools are the same and the attributes contain the
// elements or the symbol of the global that does; elements are compared by
// attribute identity and never unpacked. All ops that get one constant global
// and have the same gmem.pools share one source, whether or not |share| is set;
// it is placed in a memory that every reader can reach.
//
// Allocates in |arena|. Fails with OUT_OF_MEMORY or, reported at the op,
// INVALID_ARGUMENT (a malformed gmem.pools, gmem.target, gmem.fixed or
// gmem.dynamic, no candidate pool).
gmem_status_t gmem_weights_find(const gmem_weights_options_t *options,
                                gmem_bump_t *arena,
                                gmem_constants_t *out_weights,
                                gmem_diag_t *diag);

#endif // GMEM_PASSES_WEIGHTS_H_
