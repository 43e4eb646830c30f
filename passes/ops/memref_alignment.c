// memref_alignment.c - alignments of memrefs: requested by an allocation,
// assumed by its users.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memref_alignment.h"

#include <assert.h>

#include "diagnostics.h"
#include "gmem/planner.h"
#include "ir_reading.h"

gmem_status_t gmem_alignment_asked(MlirOperation op, uint64_t *out_alignment,
                                   gmem_diag_t *diag) {
  MlirAttribute asked = gmem_op_attribute(op, "alignment");
  *out_alignment = 1;
  if (mlirAttributeIsNull(asked))
    return GMEM_OK;
  int64_t bytes =
      mlirAttributeIsAInteger(asked) ? mlirIntegerAttrGetValueInt(asked) : 0;
  if (bytes <= 0 || bytes & (bytes - 1) || (uint64_t)bytes > GMEM_MAX_ALIGNMENT)
    return gmem_reject(diag, op,
                       "'alignment' must be a power of two of at most %llu",
                       (unsigned long long)GMEM_MAX_ALIGNMENT);
  *out_alignment = (uint64_t)bytes;
  assert(bytes <= (int64_t)GMEM_MAX_ALIGNMENT);
  return GMEM_OK;
}

uint64_t gmem_alignment_assumed(MlirValue memref) {
  uint64_t most = 1;
  for (MlirOpOperand use = mlirValueGetFirstUse(memref);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    uint64_t bytes;
    if (gmem_op_is(op, "memref.assume_alignment") &&
        gmem_alignment_asked(op, &bytes, NULL) == GMEM_OK)
      gmem_alignment_raise(&most, bytes);
  }
  return most;
}
