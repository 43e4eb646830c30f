// copy_records.h - the copies that control flow makes at one op, as its
// attribute gmem.copies states them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_COPY_RECORDS_H_
#define GMEM_PASSES_COPY_RECORDS_H_

#include <stdbool.h>
#include <stdint.h>

#include "bump.h"
#include "gmem/passes.h"
#include "mlir-c/IR.h"

// Bytes [from, from + size) of one pool are copied to [to, to + size) of
// another or of the same. The copies of one edge and number can be made one
// after the other, each as by memmove, except neighbours that all have |cycle|:
// these read before any of them writes.
typedef struct gmem_copy_record_s {
  gmem_copy_edge_t edge;
  uint64_t number;
  MlirStringRef from_pool, to_pool; // in the IR
  uint64_t from, to, size;          // bytes
  bool cycle;
} gmem_copy_record_t;

// The attribute that states |count| records; null when memory is out, and when
// there are none.
MlirAttribute gmem_copy_records_write(MlirContext context,
                                      const gmem_copy_record_t *records,
                                      size_t count, gmem_bump_t *arena);

// Reads the records of |op| into an array in |arena|; none without the
// attribute. Fails with OUT_OF_MEMORY or, reported at the op, CORRUPT: the
// attribute is malformed. Nothing is known about the bytes then but that no
// sum of an offset and the size exceeds 63 bits.
gmem_status_t gmem_copy_records_read(MlirOperation op, gmem_bump_t *arena,
                                     gmem_copy_record_t **out_records,
                                     size_t *out_count, gmem_diag_t *diag);

#endif // GMEM_PASSES_COPY_RECORDS_H_
