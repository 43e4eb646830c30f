// element_bytes.h - the elements of a constant as they lie in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_ELEMENT_BYTES_H_
#define GMEM_PASSES_ELEMENT_BYTES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mlir-c/IR.h"

// The bytes of elements as MLIR keeps them: one element, or one for all, every
// |raw_bytes|.
typedef struct gmem_raw_elements_s {
  const uint8_t *data;
  size_t raw_bytes;
  bool is_splat;
  bool is_packed; // i1, eight to a byte
} gmem_raw_elements_t;

// Finds the bytes of |elements|, of |count| > 0 elements of type |element|.
// False when they are not there (a resource that was left out) or not dense.
bool gmem_raw_elements_find(MlirAttribute elements, MlirType element,
                            size_t count, gmem_raw_elements_t *raw);

// Copies |count| elements to the zeroed bytes at |out|, |width| >= raw_bytes
// from one to the next, in the order of bytes of this machine, which is that of
// MLIR's own constants.
void gmem_raw_elements_copy(const gmem_raw_elements_t *raw, size_t count,
                            size_t width, uint8_t *out);

// The same for elements of |bits| < 8, packed: the first is in the lowest bits
// of the first byte.
void gmem_raw_elements_pack(const gmem_raw_elements_t *raw, size_t count,
                            unsigned bits, uint8_t *out);

#endif // GMEM_PASSES_ELEMENT_BYTES_H_
