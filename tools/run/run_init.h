// run_init.h - runs the functions of a program that compute constants.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_RUN_INIT_H_
#define GMEM_TOOLS_RUN_INIT_H_

#include "gmem/status.h"
#include "init_memory.h"
#include "mlir-c/ExecutionEngine.h"
#include "mlir-c/IR.h"

// Whether |module| has functions with gmem.init.
bool gmem_init_is_needed(MlirModule module);

// Adds the wrapper that gmem_init_run calls to the functions with gmem.init of
// |module|, before it is lowered.
void gmem_init_expose(MlirModule module);

// Calls the functions with gmem.init of |module|, which |engine| has compiled,
// each once, with memory of its own for its arenas; for those of constants
// with |memory|, or NULL: they are in the program. |*out_seconds| is the time
// that they take, 0 if there are none. Prints a message on failure, such as a
// function that takes other arguments.
gmem_status_t gmem_init_run(MlirModule module, MlirExecutionEngine engine,
                            gmem_init_memory_t *memory, double *out_seconds);

#endif // GMEM_TOOLS_RUN_INIT_H_
