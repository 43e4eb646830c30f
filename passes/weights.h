// weights.h - the constants of a scope: which pool each goes to, in which
// order, and which are equal.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_WEIGHTS_H_
#define GMEM_PASSES_WEIGHTS_H_

#include "gmem/passes.h"
#include "schedule.h"
#include "workbuffers.h"

typedef struct gmem_weight_s {
  uint32_t value;  // of the schedule
  uint32_t pool;   // of |pools|
  uint32_t source; // the weight, by value, whose memory it is; itself
  int64_t fixed;   // bytes from the start of the pool (gmem.fixed), or -1
} gmem_weight_t;

typedef struct gmem_weights_s {
  const gmem_schedule_t *schedule;
  gmem_weight_t *weights; // in the order in which they are laid out
  size_t count;
  MlirStringRef
      *pools; // constant pools: "weights", then others as they are met
  uint64_t *alignments; // by pool: bytes, the most that one of its weights asks
                        //   for; all in it get that
  uint32_t pool_count;
  gmem_workbuffers_t work; // the immutable ones lie behind the weights of their
                           //   pools
} gmem_weights_t;

// Lists all weights, those of functions that are run by need only
// (gmem.dynamic) behind the others. |share|: those of equal contents have one
// source, the first that is laid out. Contents are equal when op, attributes
// (but for gmem's) and type are, and the attributes hold the contents or the
// symbol of what does; they are compared by identity, never unpacked. Of a
// constant global the contents are its own, and whoever gets it shares one
// source in each pool, whatever |share| is. The pool is what gmem.pools says on
// the op that gets it or else on the global itself.
// Everything lives in |arena|. Fails with OUT_OF_MEMORY or, reported where it
// stands, INVALID_ARGUMENT (a malformed gmem.pools, gmem.fixed,
// gmem.dynamic or gmem.workbuffers).
gmem_status_t gmem_weights_find(const gmem_schedule_t *schedule,
                                gmem_weight_order_t order, bool share,
                                gmem_arena_t *arena,
                                gmem_weights_t *out_weights, gmem_diag_t *diag);

#endif // GMEM_PASSES_WEIGHTS_H_
