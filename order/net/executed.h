// executed.h - the set of ops that have executed, with the bytes that are live.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The live bytes f(S) after a set S of ops that is closed under predecessors
// depend on the set alone. For each buffer they contain
// [producer in S] - [producer and all users in S], so f is submodular on these
// sets: f(A or B) + f(A and B) <= f(A) + f(B). Hence the bytes that an op adds
// never grow when more ops have executed before it, which the searches use.

#ifndef GMEM_ORDER_EXECUTED_H_
#define GMEM_ORDER_EXECUTED_H_

#include "order_net.h"

typedef struct gmem_order_executed_s {
  const gmem_order_net_t *net;
  uint64_t live;   // bytes after the executed ops
  uint32_t count;  // executed ops
  uint32_t words;  // of each bit set
  uint64_t *done;  // bit per op: executed
  uint64_t *ready; // bit per op: not executed, all predecessors are
  uint32_t *waits; // by op: predecessors that are not executed
  uint32_t *left;  // by buffer: users that are not executed
} gmem_order_executed_t;

// The empty set.
GMEM_MUST_USE gmem_status_t
gmem_order_executed_create(const gmem_order_net_t *net, gmem_scratch_t *memory,
                           gmem_order_executed_t *out_executed);
void gmem_order_executed_clear(gmem_order_executed_t *executed);
// Before the rest of |memory|.
void gmem_order_executed_free(gmem_order_executed_t *executed,
                              gmem_scratch_t *memory);

// Adds or removes an op. Sets may pass through states that are not closed under
// predecessors; |live| and |ready| are right whenever the set is closed.
void gmem_order_execute(gmem_order_executed_t *executed, uint32_t op);
void gmem_order_unexecute(gmem_order_executed_t *executed, uint32_t op);

// Changes the set to the one of the bits |done|. Returns the number of changes.
uint32_t gmem_order_executed_load(gmem_order_executed_t *executed,
                                  const uint64_t *done);

// The bytes in memory while |op|, which is ready, executes.
uint64_t gmem_order_need(const gmem_order_executed_t *executed, uint32_t op);

// The live bytes after |op|, which is ready.
uint64_t gmem_order_after(const gmem_order_executed_t *executed, uint32_t op);

// The peak of a whole order; optionally the live bytes before each position.
GMEM_MUST_USE gmem_status_t gmem_order_peak(const gmem_order_net_t *net,
                                            const uint32_t *order,
                                            gmem_scratch_t *memory,
                                            uint64_t *out_live,
                                            uint64_t *out_peak);

static inline bool gmem_order_bit(const uint64_t *bits, uint32_t i) {
  return bits[i / 64] >> i % 64 & 1;
}

// The first bit at or after |i|; |words| * 64 or more if there is none.
static inline uint32_t gmem_order_next_bit(const uint64_t *bits, uint32_t words,
                                           uint32_t i) {
  uint32_t word = i / 64;
  if (word >= words)
    return words * 64;
  uint64_t rest = bits[word] >> i % 64 << i % 64;
  while (!rest && ++word < words)
    rest = bits[word];
  if (!rest)
    return words * 64;
  return word * 64 + (uint32_t)__builtin_ctzll(rest);
}

#endif // GMEM_ORDER_EXECUTED_H_
