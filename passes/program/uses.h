// uses.h - the ops that read or write each value.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_USES_H_
#define GMEM_PASSES_USES_H_

#include "csr.h"
#include "program.h"

typedef struct gmem_uses_s {
  gmem_csr_t users;   // by value: ops, ascending, without those that do not
                      //   read the value, only free the memref, or only
                      //   derive unused views from it
  bool *is_undefined; // by value: undefined contents, only its address counts
  bool *is_written;   // by value: an op writes its contents in place
  bool *unordered;    // by region: a graph region: some value is used before
                      //   its definition, so textual order is not execution
                      //   order
} gmem_uses_t;

// Everything is allocated in |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_uses_find(const gmem_program_t *program, gmem_bump_t *arena,
                             gmem_uses_t *out_uses, gmem_diag_t *diag);

#endif // GMEM_PASSES_USES_H_
