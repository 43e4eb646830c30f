// streams.h - hardware that runs ops beside each other: which op is in which
// stream (gmem.stream, gmem.wait), and what is known to be done when.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops without a stream run on the *host*, one after the other. It puts the
// others into streams and goes on. An op *happens after*
//
//   all ops of the host that are before it in the text,
//   what was put into its own stream before it,
//   the ops that made its operands, also where nothing but a token is handed
//     over, and
//   what was put before it into the streams that its gmem.wait names;
//
// and after all that these happen after. Each of a stream's ops waits for the
// one before, so what is known to be done is a number for each stream: the last
// op of it that is. A host op that an operand or a wait has held up tells all
// that comes later. Ops of which nothing need be left in the program (views,
// parts of tensors, what allocates or frees) hold up nobody but who reads their
// results, and a gmem.wait on one of them does not count.
//
// This is counted in each block by itself. An op with regions, or a call, is
// one op of its block: it puts into streams what is left running at the end of
// a block inside of it, or of the function. In a stream itself, it runs there
// as a whole.

#ifndef GMEM_PASSES_STREAMS_H_
#define GMEM_PASSES_STREAMS_H_

#include "call_graph.h"
#include "layer_groups.h"

// A flat layer group, from its first op to its last.
typedef struct gmem_stream_group_s {
  uint32_t first, last; // ops; GMEM_NO_INDEX: none has been seen yet
  bool is_scattered;    // over several blocks
} gmem_stream_group_t;

typedef struct gmem_streams_s {
  const gmem_program_t *program;
  const gmem_calls_t *calls;
  uint32_t count; // streams, which are numbered from 1; 0: no op is in one, and
                  //   all else is missing
  int64_t *names; // by stream - 1: what gmem.stream says, ascending
  uint32_t *stream_of; // by op; 0: the host
  uint32_t *first_op;  // by block: its ops
  uint32_t *next_op;   // by op: of the same block, or GMEM_NO_INDEX
  // By op and stream - 1: all ops of the stream in the same block below this
  // index are done before the op begins. NULL: there were too many streams.
  // Nothing is known of what is done then, and all are number 1, which does not
  // say that one is behind the other.
  uint32_t *known;
  uint32_t *known_at_end; // by block and stream - 1: when control leaves it
  // By op, sets of streams in which it leaves something running that is inside.
  uint64_t *left;
  size_t set_words;
  bool *has_streams;     // by block: something of it is in a stream
  bool *runs_in_stream;  // by function: some call of it is
  bool *runs_in_several; // by function: calls of it may run beside each other
  uint32_t *first_block; // by function: its blocks, up to those of the next
  gmem_layer_groups_t spans;
  gmem_stream_group_t *groups; // by span
} gmem_streams_t;

// Reads what all ops of |program| say. Everything lives in |arena|. Fails with
// OUT_OF_MEMORY or, reported at the op, INVALID_ARGUMENT: a malformed
// attribute; an op in a stream that ends its block, or that is inside of
// another one in a stream or of one that counts as a whole; a flat layer group
// in several streams.
gmem_status_t gmem_streams_find(const gmem_program_t *program,
                                const gmem_calls_t *calls, gmem_bump_t *arena,
                                gmem_streams_t *out_streams, gmem_diag_t *diag);

// Whether what op |index| has left in |stream| is done when op |later| of its
// block begins, or, with GMEM_NO_INDEX, when control leaves the block.
bool gmem_stream_is_done(const gmem_streams_t *streams, uint32_t index,
                         uint32_t stream, uint32_t later);

// Whether the op leaves something running in |stream|: it is in it, or what is
// inside of it is.
bool gmem_stream_is_left(const gmem_streams_t *streams, uint32_t index,
                         uint32_t stream);

// The flat layer group of op |index|, or NULL.
const gmem_stream_group_t *gmem_stream_group_of(const gmem_streams_t *streams,
                                                uint32_t index);

// "stream 7", or "no stream" for 0.
void gmem_stream_describe(const gmem_streams_t *streams, uint32_t stream,
                          char *text, size_t size);

#endif // GMEM_PASSES_STREAMS_H_
