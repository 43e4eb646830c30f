// llvm_values.h - reads constants, element sizes and memref descriptors in the
// LLVM dialect as produced by MLIR's lowering of memrefs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// There, a memref is a struct {allocated, aligned, offset, [sizes], [strides]},
// built by a chain of llvm.insertvalue and read by llvm.extractvalue.

#ifndef GMEM_PASSES_LLVM_VALUES_H_
#define GMEM_PASSES_LLVM_VALUES_H_

#include <stdbool.h>
#include <stdint.h>

#include "mlir-c/IR.h"

#define GMEM_MAX_DESCRIPTOR_RANK 32

// Positions of a descriptor's members.
enum {
  GMEM_DESCRIPTOR_ALIGNED = 1,
  GMEM_DESCRIPTOR_OFFSET = 2,
  GMEM_DESCRIPTOR_SIZES = 3,
  GMEM_DESCRIPTOR_STRIDES = 4
};

typedef struct gmem_descriptor_s {
  MlirValue aligned; // pointer
  int64_t rank;
  int64_t offset; // elements
  int64_t sizes[GMEM_MAX_DESCRIPTOR_RANK];
  int64_t strides[GMEM_MAX_DESCRIPTOR_RANK]; // elements
} gmem_descriptor_t;

// The op that defines |value|; null for a block argument.
MlirOperation gmem_defining_op(MlirValue value);

// The op of that name ("llvm.extractvalue") that defines |value|, or null.
MlirOperation gmem_op_defining(MlirValue value, const char *name);

// Reads the attribute "position" of one or two numbers; without a second one,
// |position[1]| is -1. False for any other.
bool gmem_position_read(MlirOperation op, int64_t position[2]);

// Reads |value| if it is a constant integer of at most 64 bits; false
// otherwise.
bool gmem_constant_read(MlirValue value, int64_t *out);

// An upper bound, for any data layout, of the bytes from one element of |type|
// to the next. False for unsupported types.
bool gmem_element_stride(MlirType type, uint64_t *out_bytes);

// The aligned pointer of |descriptor|; false if its origin is unknown.
bool gmem_descriptor_pointer(MlirValue descriptor, MlirValue *out);

// Reads a descriptor; false unless its offset, sizes and strides are constants.
bool gmem_descriptor_read(MlirValue descriptor, gmem_descriptor_t *out);

// The number of elements from the aligned pointer to the end of the last
// element; false if an element may precede the pointer, or the number
// overflows.
bool gmem_descriptor_extent(const gmem_descriptor_t *descriptor,
                            uint64_t *out_elements);

#endif // GMEM_PASSES_LLVM_VALUES_H_
