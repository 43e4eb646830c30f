// relocations.h - which command words of an op take addresses of its values, as
// its attribute gmem.relocations states them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_RELOCATIONS_H_
#define GMEM_PASSES_RELOCATIONS_H_

#include <stdint.h>

#include "bump.h"
#include "gmem/passes.h"
#include "gmem/status.h"
#include "mlir-c/IR.h"

// One address in a command stream. Exactly one of the three numbers is not
// GMEM_NO_VALUE, and it exists at the op.
typedef struct gmem_stated_relocation_s {
  uint64_t where;  // byte of the stream
  uint64_t addend; // bytes from the start of the value
  uint32_t operand, result, workbuffer;
  uint32_t kind;   // GMEM_RELOC_* of gmem/plan.h
  uint32_t stream; // at most UINT16_MAX
} gmem_stated_relocation_t;

#define GMEM_NO_VALUE UINT32_MAX

// Bytes of the address in the stream.
static inline uint64_t gmem_relocation_width(uint32_t kind) {
  return kind == 0 ? 8 : 4;
}

// Reads the relocations of |op| into an array in |arena|; none without the
// attribute. Fails with OUT_OF_MEMORY or, reported at the op, INVALID_ARGUMENT.
gmem_status_t gmem_relocations_read(MlirOperation op, gmem_bump_t *arena,
                                    gmem_stated_relocation_t **out_relocations,
                                    size_t *out_count, gmem_diag_t *diag);

#endif // GMEM_PASSES_RELOCATIONS_H_
