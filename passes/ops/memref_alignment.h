// memref_alignment.h - alignments of memrefs: requested by an allocation or
// assumed by its users.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MEMREF_ALIGNMENT_H_
#define GMEM_PASSES_MEMREF_ALIGNMENT_H_

#include "gmem/status.h"
#include "mlir-c/IR.h"

// The attribute "alignment" of |op| in bytes, or 1. Fails with
// INVALID_ARGUMENT, reported at the op, when it is not a power of two.
gmem_status_t gmem_alignment_asked(MlirOperation op, uint64_t *out_alignment,
                                   gmem_diag_t *diag);

// The largest alignment that memref.assume_alignment asserts for |memref|, or
// 1. Every allocation of the memref must satisfy it, even one that requests
// less.
uint64_t gmem_alignment_assumed(MlirValue memref);

static inline void gmem_alignment_raise(uint64_t *bytes, uint64_t least) {
  if (*bytes < least)
    *bytes = least;
}

#endif // GMEM_PASSES_MEMREF_ALIGNMENT_H_
