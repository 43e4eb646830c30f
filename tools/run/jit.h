// jit.h - from a module of memrefs to a function that can be called.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_JIT_H_
#define GMEM_TOOLS_JIT_H_

#include "mlir-c/ExecutionEngine.h"
#include "mlir-c/IR.h"

// How modules are lowered and compiled.
typedef struct gmem_jit_options_s {
  const char *pipeline; // passes, as text
  const char *entry;    // name of the function
  int level;            // of optimisation, 0 to 3
  const char *const *libraries;
  int libraries_count; // at most GMEM_JIT_LIBRARIES
} gmem_jit_options_t;

enum { GMEM_JIT_LIBRARIES = 16 };

// A compiled module. Zero-initialise.
typedef struct gmem_jit_s {
  MlirExecutionEngine engine;
  // Takes a pointer to each argument and then to the result; a memref is the
  // pointer to its descriptor, results of more than one number the pointer to
  // room for them, as the first argument. Any thread.
  void (*entry)(void **values);
  double lower_seconds, compile_seconds;
} gmem_jit_t;

// Runs passes over |module|: "a,b{c=d}" or "builtin.module(a,b)". Returns 0 or
// an exit code; the reason has been printed.
int gmem_run_passes(MlirModule module, const char *pipeline);

// Lowers |module| (which is changed) and compiles it. Returns 0 or an exit code
// with a message. gmem_jit_destroy is to be called in any case.
int gmem_jit_create(MlirModule module, const gmem_jit_options_t *options,
                    gmem_jit_t *out_jit);
void gmem_jit_destroy(gmem_jit_t *jit);

// Of a clock that only goes forward; of the processor, for this thread.
double gmem_seconds(void);
double gmem_thread_seconds(void);

#endif // GMEM_TOOLS_JIT_H_
