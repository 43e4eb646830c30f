// loop_hazards.h - finds values that a stream may still access when the program
// redefines them, in the next iteration of a loop or the next call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//   loop {
//     %a = load() {gmem.stream = 1}
//     use(%a) {gmem.stream = 2}
//   }
//
// The second load is not ordered after the first use, so %a cannot have a fixed
// address. It can if the host waits for stream 2 before the iteration ends, or
// if both ops are in one stream, which orders them.

#ifndef GMEM_PASSES_LOOP_HAZARDS_H_
#define GMEM_PASSES_LOOP_HAZARDS_H_

#include "control_flow.h"
#include "streams.h"
#include "uses.h"

typedef struct gmem_loop_hazards_s {
  const gmem_streams_t *streams;
  const gmem_uses_t *uses;
  bool *is_repeated; // by block: it may run several times in one request; NULL:
                     //   there are no streams
} gmem_loop_hazards_t;

// Everything is allocated in |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_loop_hazards_find(const gmem_streams_t *streams,
                                     const gmem_control_flow_t *flow,
                                     const gmem_uses_t *uses,
                                     gmem_bump_t *arena,
                                     gmem_loop_hazards_t *out_hazards,
                                     gmem_diag_t *diag);

// Whether an op that defines or reads |value| may still run when |value| is
// redefined. Values derived from |value| are not considered.
bool gmem_loop_hazards_value(const gmem_loop_hazards_t *hazards,
                             uint32_t value);

// Whether an op that accesses the memref of allocation site |root|, reachable
// through the |count| |values|, may still run when it is allocated again. If
// so, |*out_culprit| is such an op.
bool gmem_loop_hazards_memref(const gmem_loop_hazards_t *hazards, uint32_t root,
                              const uint32_t *values, size_t count,
                              uint32_t *out_culprit);

#endif // GMEM_PASSES_LOOP_HAZARDS_H_
