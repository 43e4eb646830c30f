// run_request.h - one request to a compiled program: its inputs, the call, what
// comes out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_RUN_REQUEST_H_
#define GMEM_TOOLS_RUN_REQUEST_H_

#include "array.h"
#include "entry_signature.h"
#include "jit.h"
#include "jit_guard.h"
#include "jit_heap.h"
#include "planned_memory.h"
#include "run_modes.h"

//===--- inputs -----------------------------------------------------------===//

// What the command line says of the arguments.
typedef struct gmem_givens_s {
  const gmem_run_given_t *inputs, *shapes;
  uint32_t input_count, shape_count;
} gmem_givens_t;

// The arguments of one request, but for arenas, which are no inputs. All arrays
// are dense; that of a number has no dimensions.
typedef struct gmem_inputs_s {
  uint32_t count;
  gmem_array_t *arrays; // by argument
  void **blocks;        // by argument: what the array lies in
} gmem_inputs_t;

//===--- running ----------------------------------------------------------===//

// A module that can be run. Any number of threads may at once.
typedef struct gmem_compiled_program_s {
  gmem_jit_t jit;
  gmem_signature_t signature;
  // Where arguments that are arenas come from; NULL: there are none.
  const gmem_planned_memory_t *memory;
} gmem_compiled_program_t;

// What a result, or an argument that was written to, holds.
typedef struct gmem_run_output_s {
  bool is_result;  // else an argument
  uint32_t number; // of its kind
  uint8_t digest[32];
  int64_t not_finite;
  char type[128];
  char values[256]; // the first ones
} gmem_run_output_t;

// How a request went. Zero-initialise; gmem_outcome_destroy at the end.
typedef struct gmem_outcome_s {
  gmem_run_output_t *outputs;
  uint32_t output_count;
  double seconds;       // of the call alone
  double cpu_seconds;   // of the processor, in it
  uint64_t faults;      // of pages, in it
  uint64_t allocations; // in it
  uint64_t bytes;       // that these asked for
  bool failed;
  char reason[GMEM_GUARD_TEXT]; // why
} gmem_outcome_t;
void gmem_outcome_destroy(gmem_outcome_t *outcome);

// How to run a request.
typedef struct gmem_run_manner_s {
  unsigned seconds; // at most; 0: no limit (jit_guard.h)
  const char *save; // NULL, or the beginning of names for .npy files of outputs
} gmem_run_manner_t;

// Runs |program| once, on a lease and on copies of |inputs|. On a thread that
// has called gmem_guard_begin.
void gmem_request_run(const gmem_compiled_program_t *program,
                      const gmem_inputs_t *inputs, gmem_jit_heap_t *heap,
                      const gmem_run_manner_t *manner,
                      gmem_outcome_t *out_outcome);

// Whether two runs of a request have the same outputs; a failed one has none.
bool gmem_outcomes_equal(const gmem_outcome_t *a, const gmem_outcome_t *b);

#endif // GMEM_TOOLS_RUN_REQUEST_H_
