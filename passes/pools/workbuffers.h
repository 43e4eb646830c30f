// workbuffers.h - memory of ops besides operands and results: gmem.workbuffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mutable workbuffer is a buffer of the tensors' problem that is live while
// its op runs (see workbuffer_liveness.h). An immutable one is always live and
// is placed with the constants (weights.h).

#ifndef GMEM_PASSES_WORKBUFFERS_H_
#define GMEM_PASSES_WORKBUFFERS_H_

#include "candidate_pools.h"

// Minimum distance in bytes of the parts of two threads, so that they do not
// write to the same cache line.
#define GMEM_THREAD_ALIGNMENT UINT64_C(64)

typedef struct gmem_op_workbuffer_s {
  MlirOperation op; // with the attribute
  uint32_t step;    // op of the program during which it is live: the same op,
                    //   or the one in whose opaque body it is
  uint32_t number;  // index in the attribute of its op
  bool immutable;
  bool is_per_thread;   // "threads" is present, even if it is 1
  uint32_t threads;     // at least 1
  uint64_t thread_size; // bytes: "size", for one thread
  uint64_t size;        // bytes of all threads, with the gaps between them; 0:
                        //   no memory
  uint64_t alignment;   // bytes: "alignment"; 1: that of its pool
  MlirAttribute pools;  // array of strings, or null: not specified
} gmem_op_workbuffer_t;

// Where and when a workbuffer may be placed.
typedef struct gmem_workbuffer_demand_s {
  gmem_memory_candidates_t candidates;
  const gmem_live_range_t *ranges; // of a mutable one: on the timeline
  size_t range_count;
} gmem_workbuffer_demand_t;

typedef struct gmem_workbuffers_s {
  gmem_op_workbuffer_t *all; // ordered by op, then by number
  size_t count;
  // Those with a size, as indices of |all|.
  uint32_t *mutables;   // number i is buffer set_count + i of the problem
  uint32_t *immutables; // buffers after the weights in the weights' problem
  size_t mutable_count, immutable_count;
  // Ops with workbuffer offsets of an older plan, but without workbuffers.
  MlirOperation *stale;
  size_t stale_count;
} gmem_workbuffers_t;

// Reads gmem.workbuffers of all ops of |program|, including those in opaque
// bodies. Allocates in |arena|.
// Fails with OUT_OF_MEMORY or, reported at the op, INVALID_ARGUMENT (a
// malformed gmem.workbuffers, one outside of functions, a mutable workbuffer
// without a number of threads on an op that may run concurrently) or
// OUT_OF_RANGE (the size of one does not fit in 63 bits).
gmem_status_t gmem_workbuffers_read(const gmem_program_t *program,
                                    gmem_bump_t *arena,
                                    gmem_workbuffers_t *out_workbuffers,
                                    gmem_diag_t *diag);

// Checks whether |dictionary| is a valid workbuffer |number| of |op| by itself.
// Fails like gmem_workbuffers_read.
gmem_status_t gmem_workbuffer_check(MlirOperation op, uint32_t number,
                                    MlirAttribute dictionary,
                                    gmem_diag_t *diag);

// Writes a description such as "workbuffer #1 of 'npu.conv'".
void gmem_workbuffer_describe(const gmem_op_workbuffer_t *workbuffer,
                              char *text, size_t size);

// INVALID_ARGUMENT, reported at the op: "gmem.workbuffers: workbuffer #1 WHAT".
gmem_status_t gmem_workbuffer_error(const gmem_op_workbuffer_t *workbuffer,
                                    const char *what, gmem_diag_t *diag);

#endif // GMEM_PASSES_WORKBUFFERS_H_
