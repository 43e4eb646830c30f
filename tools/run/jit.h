// jit.h - lowers and compiles a module of memrefs in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_JIT_H_
#define GMEM_TOOLS_JIT_H_

#include "jit_constants.h"
#include "mlir-c/ExecutionEngine.h"
#include "mlir-c/IR.h"
#include "run_modes.h"

// A compiled module. Zero-initialise.
typedef struct gmem_jit_s {
  MlirExecutionEngine engine;
  // Takes an array of pointers to the arguments and, last, to a scalar result.
  // A memref argument is a pointer to its descriptor. If there is any other
  // result, the first argument is instead a pointer to a struct of the results.
  // Thread-safe.
  void (*entry)(void **values);
  gmem_jit_constant_t *constants;        // outside of the compiled code
  double lower_seconds, compile_seconds; // the latter of CPU time
  double init_seconds; // of the functions that compute constants; 0: none
} gmem_jit_t;

// Lowers |module| in place and compiles it. Prints a message on failure. Call
// gmem_jit_destroy in any case.
gmem_status_t gmem_jit_create(MlirModule module,
                              const gmem_run_program_options_t *options,
                              gmem_jit_t *out_jit);
void gmem_jit_destroy(gmem_jit_t *jit);

#endif // GMEM_TOOLS_JIT_H_
