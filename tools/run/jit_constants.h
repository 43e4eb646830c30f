// jit_constants.h - large constants of a program that is compiled in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A constant that is compiled exists several times on the way: in LLVM IR, in
// the object file, and in the code that is linked from it. Large ones are left
// out of the program and given to it as memory.

#ifndef GMEM_TOOLS_JIT_CONSTANTS_H_
#define GMEM_TOOLS_JIT_CONSTANTS_H_

#include "gmem/status.h"
#include "mlir-c/ExecutionEngine.h"
#include "mlir-c/IR.h"

// The memory of one constant. A linked list; NULL is the empty one.
typedef struct gmem_jit_constant_s {
  struct gmem_jit_constant_s *next;
  void *bytes;
  char name[]; // of the memref.global
} gmem_jit_constant_t;

// Copies the contents of the large memref.global constants of |module| to
// |*list|, and makes them declarations. Prints a message on failure. Call
// gmem_jit_constants_free in any case.
gmem_status_t gmem_jit_constants_take(MlirModule module,
                                      gmem_jit_constant_t **list);

// Makes the constants known to |engine|, before anything is looked up in it.
void gmem_jit_constants_register(const gmem_jit_constant_t *list,
                                 MlirExecutionEngine engine);

// After the end of the engine.
void gmem_jit_constants_free(gmem_jit_constant_t *list);

#endif // GMEM_TOOLS_JIT_CONSTANTS_H_
