// llvm_values.h - reading the LLVM dialect as MLIR's lowering of memrefs writes
// it: constants, sizes of elements, memref descriptors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A memref is a struct by then, {allocated, aligned, offset, [sizes],
// [strides]}, put together by a chain of llvm.insertvalue and taken apart by
// llvm.extractvalue.

#ifndef GMEM_PASSES_LLVM_VALUES_H_
#define GMEM_PASSES_LLVM_VALUES_H_

#include <stdbool.h>
#include <stdint.h>

#include "mlir-c/IR.h"

#define GMEM_MAX_DESCRIPTOR_RANK 32

typedef struct gmem_descriptor_s {
  MlirValue aligned; // pointer
  int64_t rank;
  int64_t offset; // elements
  int64_t sizes[GMEM_MAX_DESCRIPTOR_RANK];
  int64_t strides[GMEM_MAX_DESCRIPTOR_RANK]; // elements
} gmem_descriptor_t;

// The op that makes |value|; null for a block argument.
MlirOperation gmem_defining_op(MlirValue value);

// Whether |value| is a constant integer.
bool gmem_constant_read(MlirValue value, int64_t *out);

// At least the bytes from one element of this type to the next, in any data
// layout. False for types that are not understood.
bool gmem_element_stride(MlirType type, uint64_t *out_bytes);

// The aligned pointer of |descriptor|; false when it can't be seen where it
// comes from.
bool gmem_descriptor_pointer(MlirValue descriptor, MlirValue *out);

// Reads a descriptor all of whose numbers are constants; false for others.
bool gmem_descriptor_read(MlirValue descriptor, gmem_descriptor_t *out);

// Elements from the pointer to the end of the last one; false when one may lie
// before the pointer, or the number overflows.
bool gmem_descriptor_extent(const gmem_descriptor_t *descriptor,
                            uint64_t *out_elements);

#endif // GMEM_PASSES_LLVM_VALUES_H_
