// loop_hazards.h - what a stream may still use when the program makes it again:
// in the next iteration of a loop, or in the next call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   loop {
//     %a = load() {gmem.stream = 1}
//     use(%a) {gmem.stream = 2}
//   }
//
// Nothing keeps the second load from running beside the first use: %a has no
// one place. It has one when the host waits for stream 2 before the iteration
// ends, and when both ops are in one stream, in which they take turns.

#ifndef GMEM_PASSES_LOOP_HAZARDS_H_
#define GMEM_PASSES_LOOP_HAZARDS_H_

#include "control_flow.h"
#include "streams.h"
#include "uses.h"

typedef struct gmem_loop_hazards_s gmem_loop_hazards_t;

typedef struct gmem_loop_hazards_s {
  const gmem_streams_t *streams;
  const gmem_uses_t *uses;
  bool *is_repeated; // by block: it may run several times in one request; NULL:
                     //   there are no streams
} gmem_loop_hazards_t;

// Everything lives in |arena|. Returns whether there was memory.
bool gmem_loop_hazards_find(const gmem_streams_t *streams,
                            const gmem_control_flow_t *flow,
                            const gmem_uses_t *uses, gmem_bump_t *arena,
                            gmem_loop_hazards_t *out_laps);

// Whether what makes or reads |value| may still do so when |value| is made
// again, but for what is made of it.
bool gmem_loop_hazards_value(const gmem_loop_hazards_t *hazards,
                             uint32_t value);

// Whether what reads or writes the memref that is made as |root|, which is seen
// as |count| |values|, may still do so when it is allocated again. If so,
// |*out_culprit| is an op that may.
bool gmem_loop_hazards_memref(const gmem_loop_hazards_t *hazards, uint32_t root,
                              const uint32_t *values, size_t count,
                              uint32_t *out_culprit);

#endif // GMEM_PASSES_LOOP_HAZARDS_H_
