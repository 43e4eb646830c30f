// workbuffers.h - the memory that ops want beside their operands and results:
// what gmem.workbuffers says.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mutable workbuffer is a buffer of the tensors' problem that is there while
// its op runs (workbuffer_liveness.h says when that is). An immutable one is
// there all the time: it lies with the constants (weights.h).

#ifndef GMEM_PASSES_WORKBUFFERS_H_
#define GMEM_PASSES_WORKBUFFERS_H_

#include "bump.h"
#include "gmem/planner.h"
#include "program.h"
#include "workspaces.h"

// Parts of threads are as far apart, at least, so that no two threads write to
// one cache line.
#define GMEM_THREAD_ALIGNMENT UINT64_C(64)

typedef struct gmem_op_workbuffer_s {
  MlirOperation op; // that asks for it
  uint32_t step;    // op of the schedule at whose step it is wanted: the same,
                    //   or that in whose opaque body it is
  uint32_t number;  // among those of its op
  bool immutable;
  bool is_per_thread;   // a number of threads is stated, were it 1
  uint32_t threads;     // at least 1
  uint64_t thread_size; // bytes that are asked for, for each
  uint64_t size;        // bytes of all, with what keeps threads apart; 0: it
                        //   needs no memory
  uint64_t alignment;   // bytes that it asks for; 1: what its pool gives
  MlirAttribute pools;  // array of strings, or null: it does not say
  gmem_memory_candidates_t
      candidates;                  // of a mutable one: pools of the boundaries
  const gmem_live_range_t *ranges; // on the timeline, of a mutable one
  size_t range_count;
} gmem_op_workbuffer_t;

typedef struct gmem_workbuffers_s {
  gmem_op_workbuffer_t *all; // in the order of their ops, then of their numbers
  size_t count;
  // Those that need memory, as indices of |all|.
  uint32_t *mutables;   // buffer set_count + i of the tensors' problem
  uint32_t *immutables; // behind the weights in theirs
  size_t mutable_count, immutable_count;
  // Ops that have places of workbuffers and ask for none.
  MlirOperation *stale;
  size_t stale_count;
} gmem_workbuffers_t;

// Reads what all ops of |program| ask for, and ops in opaque bodies. Their
// |pool| and |ranges| are not known yet. Everything lives in |arena|. Fails
// with OUT_OF_MEMORY or, reported at the op, INVALID_ARGUMENT (a malformed
// gmem.workbuffers, one on what is no op of a function, mutable memory of an op
// that runs several times at once without a number of threads) or OUT_OF_RANGE
// (the size of one does not fit in 63 bits).
gmem_status_t gmem_workbuffers_read(const gmem_program_t *program,
                                    gmem_bump_t *arena,
                                    gmem_workbuffers_t *out_workbuffers,
                                    gmem_diag_t *diag);

// Whether |dictionary| may be workbuffer |number| of |op|. Fails as above, for
// what is wrong with it by itself.
gmem_status_t gmem_workbuffer_check(MlirOperation op, uint32_t number,
                                    MlirAttribute dictionary,
                                    gmem_diag_t *diag);

// "workbuffer #1 of 'npu.conv'".
void gmem_workbuffer_describe(const gmem_op_workbuffer_t *workbuffer,
                              char *text, size_t size);

// INVALID_ARGUMENT, reported at the op: "gmem.workbuffers: workbuffer #1 WHAT".
gmem_status_t gmem_workbuffer_error(const gmem_op_workbuffer_t *workbuffer,
                                    const char *what, gmem_diag_t *diag);

#endif // GMEM_PASSES_WORKBUFFERS_H_
