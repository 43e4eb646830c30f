// type_size.h - how many bytes a value of a type takes in global memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_TYPE_SIZE_H_
#define GMEM_PASSES_TYPE_SIZE_H_

#include "gmem/status.h"
#include "mlir-c/IR.h"

typedef enum gmem_type_kind_e {
  GMEM_TYPE_NO_MEMORY,       // scalars, index, none, tokens, opaque handles
  GMEM_TYPE_SIZED,           // a ranked tensor of known size
  GMEM_TYPE_DYNAMIC,         // a tensor with unknown dimensions or rank
  GMEM_TYPE_UNKNOWN_ELEMENT, // a tensor of elements of unknown size
  GMEM_TYPE_SPARSE,          // a tensor stored otherwise than densely
  GMEM_TYPE_MEMREF,          // memory that the program manages itself
  GMEM_TYPE_TUPLE,           // a tuple that holds tensors
  GMEM_TYPE_TOO_LARGE,       // the size in bytes overflows
} gmem_type_kind_t;

// The kind of |type|; *out_bytes is set for GMEM_TYPE_SIZED. Elements narrower
// than a byte are packed, the whole tensor rounded up to bytes; wider ones take
// a power of two of bytes.
gmem_type_kind_t gmem_type_size(MlirType type, uint64_t *out_bytes);

// Bits from one element of this type to the next in a tensor; 0 when unknown.
uint64_t gmem_element_bits(MlirType type);

#endif // GMEM_PASSES_TYPE_SIZE_H_
