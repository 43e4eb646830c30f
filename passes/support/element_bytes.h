// element_bytes.h - the elements of a constant in their memory layout.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_ELEMENT_BYTES_H_
#define GMEM_PASSES_ELEMENT_BYTES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mlir-c/IR.h"

// The raw bytes of elements as MLIR stores them: |raw_bytes| per element, one
// element for all when |is_splat|.
typedef struct gmem_raw_elements_s {
  const uint8_t *data;
  size_t raw_bytes;
  bool is_splat;
  bool is_packed; // i1, eight to a byte
} gmem_raw_elements_t;

// Finds the bytes of |elements|, which has |count| > 0 elements of type
// |element|. Returns false when they are missing (an elided resource) or not
// dense.
bool gmem_raw_elements_find(MlirAttribute elements, MlirType element,
                            size_t count, gmem_raw_elements_t *raw);

// Copies |count| elements to the zeroed bytes at |out|, |width| >= raw_bytes
// bytes apart. Byte order is that of the host, as in MLIR's constants.
void gmem_raw_elements_copy(const gmem_raw_elements_t *raw, size_t count,
                            size_t width, uint8_t *out);

// As gmem_raw_elements_copy, for elements of |bits| < 8 bits, which are packed:
// the first element occupies the lowest bits of the first byte.
void gmem_raw_elements_pack(const gmem_raw_elements_t *raw, size_t count,
                            unsigned bits, uint8_t *out);

#endif // GMEM_PASSES_ELEMENT_BYTES_H_
