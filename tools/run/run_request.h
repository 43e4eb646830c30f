// run_request.h - one request to a compiled program: the call and its results.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_RUN_REQUEST_H_
#define GMEM_TOOLS_RUN_REQUEST_H_

#include "high_water.h"
#include "jit.h"
#include "jit_guard.h"
#include "jit_heap.h"
#include "planned_memory.h"
#include "run_inputs.h"

// A compiled module. Thread-safe.
typedef struct gmem_compiled_program_s {
  gmem_jit_t jit;
  gmem_signature_t signature;
  // Memory of the arena arguments; NULL: there are none.
  const gmem_mapped_plan_t *memory;
  uint64_t imported_bytes; // of constants that another process made
} gmem_compiled_program_t;

// A result, or an argument that the program has written.
typedef struct gmem_run_output_s {
  const char *kind; // "result" or "argument"
  uint32_t number;  // index among these
  uint8_t digest[32];
  int64_t not_finite; // count of infinities and NaNs
  char type[128];
  char values[256]; // the first elements
} gmem_run_output_t;

// The result of a request. Zero-initialise; free with gmem_result_destroy.
typedef struct gmem_result_s {
  gmem_run_output_t *outputs;
  uint32_t output_count;
  double seconds;       // wall time of the call
  double cpu_seconds;   // CPU time of the call
  uint64_t faults;      // page faults during the call
  uint64_t allocations; // malloc calls during the call
  uint64_t bytes;       // requested by these
  bool failed;
  char reason[GMEM_GUARD_TEXT]; // of the failure
} gmem_result_t;
void gmem_result_destroy(gmem_result_t *result);

typedef struct gmem_request_s {
  const gmem_inputs_t *inputs;
  gmem_jit_heap_t *heap; // of the calling thread
  unsigned seconds;      // time limit; 0: none (jit_guard.h)
  const char *save;      // path prefix for .npy files of the outputs, or NULL
  gmem_high_water_t *water; // measures the run, or NULL
  uint8_t pattern;          // of the memory before it
} gmem_request_t;

// Runs |program| once, on a lease of its own and on copies of the inputs. The
// calling thread must have called gmem_guard_begin.
void gmem_request_run(const gmem_compiled_program_t *program,
                      const gmem_request_t *request, gmem_result_t *out_result);

// Whether the digests of the same result or argument are equal.
bool gmem_outputs_equal(const gmem_run_output_t *a, const gmem_run_output_t *b);

// Whether two runs have equal outputs; false if either failed.
bool gmem_results_equal(const gmem_result_t *a, const gmem_result_t *b);

#endif // GMEM_TOOLS_RUN_REQUEST_H_
