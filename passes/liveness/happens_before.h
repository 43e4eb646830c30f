// happens_before.h - which buffers nothing but the text keeps apart: some op
// that uses the one may still run in its stream when one that uses the other
// begins.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lives of liveness.h are right for a program that runs in the order of its
// text. It runs as if it did when any two ops that use the same bytes, and come
// one after the other in the text, also happen one after the other (streams.h).
// So two buffers may share bytes if each op that uses the one happens after
// each that uses the other and is before it in the text. Pairs of which that is
// not so are listed, block by block, each at the innermost one that both are
// used in. A stream's ops that are not done come from behind, until one is: the
// work is that of the pairs found, and one number per op and stream.
//
// What may still run when control leaves a loop's body keeps its buffers as
// long as the loop runs: the next iteration does not begin with a block that is
// told of it. (Of a branch as well.) What it may run into itself is in
// stream_laps.h. Where pairs become too many, buffers are kept until the host
// knows that their ops are done, instead.

#ifndef GMEM_PASSES_HAPPENS_BEFORE_H_
#define GMEM_PASSES_HAPPENS_BEFORE_H_

#include "liveness.h"
#include "streams.h"

// An op that uses a buffer, or holds one that does, or calls such.
typedef struct gmem_stream_use_s {
  uint32_t op;
  uint32_t stream; // in which it may still run after it; 0: the host
} gmem_stream_use_t;

// Two uses in one block that nothing orders.
typedef struct gmem_stream_pair_s {
  uint32_t low, high; // buffers
  gmem_stream_use_t use_of_low, use_of_high;
  bool is_conflict; // they may never be live together in the text
} gmem_stream_pair_t;

// A buffer that one op wants beside the classes. Its life is not known yet.
typedef struct gmem_stream_buffer_s {
  uint32_t op;
  const gmem_live_range_t *ranges; // on the timeline: by how much it is longer;
  size_t range_count;              //   these are filled
} gmem_stream_buffer_t;

typedef struct gmem_happens_before_s {
  const gmem_streams_t *streams;
  gmem_stream_pair_t *pairs; // by low, then by high; each once
  size_t count;
  bool
      *is_open; // by buffer: it may still be in use when control leaves a block
                //   around its ops, other than the entry function's
} gmem_happens_before_t;

// Makes lives of classes and of |buffers| longer where that is needed, and
// lists the pairs. Everything lives in |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_happens_before_find(const gmem_streams_t *streams,
                                       gmem_liveness_t *liveness,
                                       gmem_stream_buffer_t *buffers,
                                       size_t buffer_count, gmem_bump_t *arena,
                                       gmem_happens_before_t *out_order,
                                       gmem_diag_t *diag);

// The pair of two buffers, in any order, or NULL.
const gmem_stream_pair_t *
gmem_stream_pair_of(const gmem_happens_before_t *order, uint32_t a, uint32_t b);

#endif // GMEM_PASSES_HAPPENS_BEFORE_H_
