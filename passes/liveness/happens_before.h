// happens_before.h - buffer pairs whose uses are ordered only by program order,
// not by stream synchronization.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Live ranges (liveness.h) assume execution in program order. With streams this
// assumption holds if any two ops that use the same bytes are ordered by
// happens-before (streams.h) in the same direction as in program order. Hence
// two buffers may share bytes if every op that uses the one happens after every
// op that uses the other and precedes it in the text. This analysis lists the
// pairs for which that does not hold.
//
// Pairs are found block by block, each at the innermost block that uses both
// buffers. For each access, the earlier accesses of each other stream are
// scanned backwards and the scan stops at the first one that is known to be
// done, because a stream executes in order. The cost is the number of pairs
// found, plus one lookup per access and stream.
//
// A buffer that a stream may still use when control leaves a loop body stays
// live for the whole loop, since the analysis of the next iteration starts
// without knowledge of the previous one. The same holds for the arms of a
// branch. Loop hazards (streams.h) are values that conflict with their own next
// instance. When the number of pairs exceeds a limit, the buffers of that block
// stay live until the host knows that their ops are done, and no pairs are
// listed.

#ifndef GMEM_PASSES_HAPPENS_BEFORE_H_
#define GMEM_PASSES_HAPPENS_BEFORE_H_

#include "alias_sets.h"

// An access: the op uses the buffer itself, contains an op that does, or calls
// one.
typedef struct gmem_stream_use_s {
  uint32_t op;
  uint32_t stream; // stream in which the access may still run afterwards; 0:
                   // the host, done when the op ends
} gmem_stream_use_t;

// Two accesses in one block without a happens-before order.
typedef struct gmem_stream_pair_s {
  uint32_t low, high; // buffers
  gmem_stream_use_t use_of_low, use_of_high;
  bool is_conflict; // their live ranges are disjoint, so without this pair they
                    // could share bytes
} gmem_stream_pair_t;

// A buffer of one op that is not an alias set (a workbuffer), and by how much
// streams extend its live range, on the timeline.
typedef struct gmem_stream_buffer_s {
  uint32_t op;
  const gmem_live_range_t *ranges;
  size_t range_count;
} gmem_stream_buffer_t;

typedef struct gmem_happens_before_s {
  const gmem_streams_t *streams;
  gmem_stream_pair_t *pairs; // sorted by low, then high; unique
  size_t count;
  // By buffer: a stream may still use it when control leaves a block around its
  // ops, other than that of the entry function. NULL: no op is in a stream.
  bool *is_pending_at_exit;
  gmem_stream_buffer_t *buffers; // by buffer that is not an alias set
} gmem_happens_before_t;

// What the analysis is computed from; live ranges are in program order.
typedef struct gmem_stream_inputs_s {
  const gmem_program_facts_t *facts;
  const gmem_live_value_t *live_values;
  const gmem_memrefs_t *memrefs;
  const gmem_alias_sets_t *sets; // live ranges are extended where necessary
  const uint32_t *buffer_ops;    // ops with one more buffer each
  size_t buffer_count;
} gmem_stream_inputs_t;

// Extends live ranges and lists the unordered pairs. Buffers are numbered:
// alias sets first, then those of |buffer_ops|. All results are allocated in
// |arena|. Returns OUT_OF_MEMORY on allocation failure.
gmem_status_t gmem_happens_before_find(const gmem_stream_inputs_t *inputs,
                                       gmem_bump_t *arena,
                                       gmem_happens_before_t *out_order,
                                       gmem_diag_t *diag);

// The pair of buffers |a| and |b|, in either order, or NULL. O(log n).
const gmem_stream_pair_t *
gmem_stream_pair_of(const gmem_happens_before_t *order, uint32_t a, uint32_t b);

#endif // GMEM_PASSES_HAPPENS_BEFORE_H_
