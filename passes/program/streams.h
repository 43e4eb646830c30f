// streams.h - the happens-before relation of ops in hardware streams
// (gmem.stream, gmem.wait).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops without a stream run on the *host*, one after another. The host enqueues
// the other ops into streams without waiting for them. An op *happens after*
//
//   all host ops before it in the text,
//   the ops enqueued into its own stream before it,
//   the ops that define its operands, even if only a token is passed, and
//   the ops enqueued before it into the streams named by its gmem.wait;
//
// and, transitively, after everything that these ops happen after. Each stream
// executes its ops in order, so the ops known to be complete are described by
// one number per stream: the last complete op (a vector clock). A host op that
// was delayed by an operand or a wait passes its clock to all later ops. Ops
// that may lower to no code (views, subtensors, allocations, deallocations)
// delay only the users of their results, and gmem.wait on such an op has no
// effect.
//
// The relation is computed separately for each block. An op with regions, or a
// call, counts as one op of its block, which leaves in each stream the work
// that is still running at the end of its nested blocks or its callee. If it is
// in a stream itself, it runs there entirely.
//
// A value is a *loop hazard* if a stream may still access it when the program
// redefines it, in the next iteration of a loop or the next call:
//
//   loop {
//     %a = load() {gmem.stream = 1}
//     use(%a) {gmem.stream = 2}
//   }
//
// The second load is not ordered after the first use, so %a cannot have a fixed
// address. It can if the host waits for stream 2 before the iteration ends, or
// if both ops are in one stream, which orders them.

#ifndef GMEM_PASSES_STREAMS_H_
#define GMEM_PASSES_STREAMS_H_

#include "control_flow.h"
#include "layer_groups.h"

typedef struct gmem_streams_s {
  const gmem_calls_t *calls; // these four are set by the caller
  const gmem_layer_groups_t *groups;
  const gmem_uses_t *uses;
  const gmem_control_flow_t *flow;
  uint32_t count;      // streams, which are numbered from 1; 0: no op is in a
                       //   stream, and all other arrays are NULL
  int64_t *names;      // by stream - 1: values of gmem.stream, ascending
  uint32_t *stream_of; // by op; 0: the host
  // By op and stream - 1: all ops of the stream in the same block with an index
  // below this are complete when the op begins. NULL: there are too many
  // streams; no completion is then known, and all streams have number 1, which
  // implies no order between their ops.
  uint32_t *known;
  uint32_t *known_at_end; // by block and stream - 1: when control leaves it
  // By op, the set of streams in which its nested ops leave work running.
  uint64_t *left;
  size_t set_words;
  bool *has_streams;     // by block: it leaves work in a stream
  bool *is_repeated;     // by block: it may run several times in one request
  bool *runs_in_stream;  // by function: some call of it is in a stream
  bool *runs_in_several; // by function: its calls may run concurrently
} gmem_streams_t;

// Reads the stream attributes of all ops. Everything is allocated in |arena|.
// Fails with OUT_OF_MEMORY or, reported at the op,
// INVALID_ARGUMENT: a malformed attribute; a terminator in a stream; an op in a
// stream nested in another op in a stream or in an opaque op; a flat layer
// group in several streams.
gmem_status_t gmem_streams_find(gmem_streams_t *streams, gmem_bump_t *arena,
                                gmem_diag_t *diag);

// Whether the work that op |index| leaves in |stream| is complete when op
// |later| of its block begins or, for GMEM_NO_INDEX, when control leaves the
// block.
bool gmem_stream_is_done(const gmem_streams_t *streams, uint32_t index,
                         uint32_t stream, uint32_t later);

// Whether the op or one of its nested ops leaves work running in |stream|.
bool gmem_stream_is_left(const gmem_streams_t *streams, uint32_t index,
                         uint32_t stream);

// Whether |value| is a loop hazard, because of an op that defines or reads it
// or a view of it.
bool gmem_is_loop_hazard(const gmem_streams_t *streams, uint32_t value);

// The same for the memref of allocation site |root|, reachable through the
// |count| |values|. |*out_culprit| is an op that may still run.
bool gmem_is_memref_hazard(const gmem_streams_t *streams, uint32_t root,
                           const uint32_t *values, size_t count,
                           uint32_t *out_culprit);

// "stream 7", or "no stream" for 0.
void gmem_stream_describe(const gmem_streams_t *streams, uint32_t stream,
                          char *text, size_t size);

#endif // GMEM_PASSES_STREAMS_H_
