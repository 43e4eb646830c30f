// entry_signature.h - the arguments and results of the entry function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_ENTRY_SIGNATURE_H_
#define GMEM_TOOLS_ENTRY_SIGNATURE_H_

#include "array.h"
#include "gmem/status.h"
#include "mlir-c/IR.h"

typedef struct gmem_entry_value_s {
  bool is_memref;    // else a scalar
  gmem_array_t type; // without memory; a scalar has rank 0. Sizes and strides
                     // may be GMEM_DYNAMIC
  int64_t offset;    // of memrefs: elements, or GMEM_DYNAMIC
  char *pool;        // pool of an arena argument (owned); else NULL
} gmem_entry_value_t;

typedef struct gmem_signature_s {
  gmem_entry_value_t *arguments, *results;
  uint32_t argument_count, result_count;
} gmem_signature_t;

// Returns the top-level func.func of that name, or a null op.
MlirOperation gmem_entry_find(MlirModule module, const char *name);

// Sets |*out_name| to |name|, or if it is "" to that of the only public
// function with a body; the caller frees it. Prints a message on failure, which
// lists these functions if there are several, or none is called |name|.
gmem_status_t gmem_entry_choose(MlirModule module, const char *name,
                                char **out_name);

// Whether |entry| takes or returns a tensor.
bool gmem_entry_has_tensors(MlirOperation entry);

// Reads the type of |entry|. Prints a message on failure (unsupported type, out
// of memory). Call gmem_signature_destroy in any case.
gmem_status_t gmem_signature_read(MlirOperation entry,
                                  gmem_signature_t *out_signature);
void gmem_signature_destroy(gmem_signature_t *signature);

#endif // GMEM_TOOLS_ENTRY_SIGNATURE_H_
