// weights.h - the constants of a scope: which pool each goes to, in which
// order, and which are equal.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_WEIGHTS_H_
#define GMEM_PASSES_WEIGHTS_H_

#include "constant_pools.h"
#include "gmem/passes.h"
#include "workbuffers.h"

typedef struct gmem_constant_s {
  uint32_t value;  // of the schedule
  uint32_t list;   // of |pools|: where it may go
  uint32_t source; // the weight, by value, whose memory it is; itself
  int64_t fixed;   // bytes from the start of the first of its pools
                   //   (gmem.fixed), or -1
  uint64_t uses;   // of a source: ops that read it or those that share its
                   //   memory, in all contexts; 0 when nobody has counted
} gmem_constant_t;

typedef struct gmem_constants_s {
  const gmem_program_t *program;
  gmem_constant_t *weights; // in the order in which they are laid out
  size_t count;
  gmem_constant_pools_t pools;
  uint64_t *alignments; // by pool: bytes, the most that one of those asks for
                        //   that may go there; all in it get that
  gmem_workbuffers_t work; // the immutable ones lie behind the weights
  uint32_t *work_lists;    // of |pools|, by immutable workbuffer
} gmem_constants_t;

// What the weights are found with.
typedef struct gmem_weights_options_s {
  const gmem_program_t *program;
  const gmem_liveness_t *liveness; // NULL where no memory for constants is
                                   //   described: then uses are not counted
  gmem_weight_order_t order;
  bool share; // equal ones have one place
} gmem_weights_options_t;

// The pools that a weight, or the immutable workbuffer |index| of |work|, may
// go to, best first.
const gmem_memory_candidates_t *
gmem_weight_pools(const gmem_constants_t *weights,
                  const gmem_constant_t *weight);
const gmem_memory_candidates_t *
gmem_weight_work_pools(const gmem_constants_t *weights, size_t index);

// Lists all weights, those of functions that are run by need only
// (gmem.dynamic) behind the others. Those that share have one source, the first
// that is laid out. Contents are equal when op, attributes
// (but for gmem's) and type are, and the attributes hold the contents or the
// symbol of what does; they are compared by identity, never unpacked; and they
// may go to the same pools. Of a constant global the contents are its own, and
// all who get it and ask for the same pools share one source, whatever |share|
// is: it goes where all reach it who read it.
// Everything lives in |arena|. Fails with OUT_OF_MEMORY or, reported where it
// stands, INVALID_ARGUMENT (a malformed gmem.pools, gmem.target, gmem.fixed,
// gmem.dynamic or gmem.workbuffers, no pool).
gmem_status_t gmem_weights_find(const gmem_weights_options_t *options,
                                gmem_bump_t *arena,
                                gmem_constants_t *out_weights,
                                gmem_diag_t *diag);

#endif // GMEM_PASSES_WEIGHTS_H_
