// c_entry.h - the arguments of a network compiled ahead of time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_ENTRY_H_
#define GMEM_TOOLS_C_ENTRY_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gmem/status.h"
#include "mlir-c/IR.h"

enum { GMEM_C_MAX_RANK = 32 };

// An argument: a memref of static shape.
typedef struct gmem_c_argument_s {
  char *pool;          // pool of an arena argument, or NULL; owned
  uint32_t pool_index; // of |pool|, in the plan
  bool is_output;      // else an input
  uint32_t rank;
  int64_t sizes[GMEM_C_MAX_RANK];   // elements
  int64_t strides[GMEM_C_MAX_RANK]; // elements
  uint64_t bytes;   // spanned, from the first to the last element
  uint64_t element; // bytes per element
} gmem_c_argument_t;

typedef struct gmem_c_entry_s {
  char *name; // symbol
  gmem_c_argument_t *arguments;
  size_t count;
} gmem_c_entry_t;

// Reads the function |name| (NULL: the only public one) of |module|, a module
// materialized with arena-mode=arg. The last |outputs| arguments that are not
// arenas are outputs; for -1, those with the attribute bufferize.result. Call
// gmem_c_entry_free in any case. Fails with NOT_FOUND, UNSUPPORTED (an argument
// or result type), INVALID_ARGUMENT or OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t gmem_c_entry_read(MlirModule module,
                                              const char *name, int outputs,
                                              gmem_c_entry_t *out_entry,
                                              gmem_diag_t *diag);
void gmem_c_entry_free(gmem_c_entry_t *entry);

#endif // GMEM_TOOLS_C_ENTRY_H_
