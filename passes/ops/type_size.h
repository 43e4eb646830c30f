// type_size.h - how many bytes a value of a type takes in global memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_TYPE_SIZE_H_
#define GMEM_PASSES_TYPE_SIZE_H_

#include <stdbool.h>

#include "gmem/status.h"
#include "mlir-c/IR.h"

typedef enum gmem_type_kind_e {
  GMEM_TYPE_NO_MEMORY,       // scalars, index, none, tokens, opaque handles
  GMEM_TYPE_SIZED,           // a ranked tensor, or a tuple of such, of known
                             //   size
  GMEM_TYPE_DYNAMIC,         // a tensor with unknown dimensions or rank
  GMEM_TYPE_UNKNOWN_ELEMENT, // a tensor of elements of unknown size
  GMEM_TYPE_SPARSE,          // a tensor stored otherwise than densely
  GMEM_TYPE_MEMREF,          // memory that the program manages itself
  GMEM_TYPE_TUPLE,           // a tuple of tensors and of what has no size
  GMEM_TYPE_LAYOUT,          // a memref without static strides
  GMEM_TYPE_TOO_LARGE,       // the size in bytes overflows
} gmem_type_kind_t;

// How large dynamic dimensions can become.
typedef struct gmem_type_bounds_s {
  const int64_t *dimensions; // elements per axis of a ranked tensor, those of
                             //   static axes are not looked at; or NULL
  uint64_t others;           // elements of every other dynamic dimension, also
                             //   of tensors in tuples; 0: unknown
} gmem_type_bounds_t;

// The kind of |type|; *out_bytes is set for GMEM_TYPE_SIZED. Elements narrower
// than a byte are packed, the whole tensor rounded up to bytes; wider ones take
// a power of two of bytes. What has a dynamic dimension is as large as its
// bounds; |bounds| may be NULL. Where they say nothing of an axis the tensor's
// encoding may: #stablehlo.bounds<?, 10>, #mhlo.type_extensions<bounds = [...]>
gmem_type_kind_t gmem_type_size_within(MlirType type,
                                       const gmem_type_bounds_t *bounds,
                                       uint64_t *out_bytes);

// The same without bounds but for those of encodings.
gmem_type_kind_t gmem_type_size(MlirType type, uint64_t *out_bytes);

// How many bytes an allocation of a memref of |type| takes: from the start of
// the memory, where an offset counts from, to the end of the last element that
// its strides reach; 0 when a dimension is. |bounds| as for a tensor, or NULL.
// The kinds are GMEM_TYPE_SIZED (sets *out_bytes, which is else 0), _DYNAMIC
// (an unranked one too), _LAYOUT (an affine map that has no strides, or such as
// are negative or not known where there is more than one element),
// _UNKNOWN_ELEMENT, _TOO_LARGE, and _NO_MEMORY for anything but a memref.
gmem_type_kind_t gmem_memref_size(MlirType type,
                                  const gmem_type_bounds_t *bounds,
                                  uint64_t *out_bytes);

// Bytes from one element of this type to the next in a memref, as MLIR lowers
// it to LLVM; never less than a target may choose to take, and 0 when unknown.
// Elements are not packed: one narrower than a byte takes a byte. A vector is
// padded to a power of two, an index has 64 bits, a complex number is two
// numbers, and an element that is a memref itself is its descriptor.
uint64_t gmem_memref_element_bytes(MlirType type);

// Bytes to which LLVM expects such an element to be aligned in memory, when
// nothing else is said of it; at least 1, and never less than a target asks.
uint64_t gmem_memref_element_alignment(MlirType type);

bool gmem_is_memref_type(MlirType type);

// Whether |type| is a tensor of some dynamic dimension, or a tuple that holds
// one: then its size is a bound, and values may be smaller.
bool gmem_type_is_dynamic(MlirType type);

// The elements of a tuple lie one behind the other, each at the first multiple
// of these bytes, those of tuples inside it too.
#define GMEM_TUPLE_ALIGNMENT 64

// The bytes from the start of a tuple to its element |index|; false when
// |tuple| is no tuple of kind GMEM_TYPE_SIZED or has no such element.
bool gmem_tuple_element_offset(MlirType tuple, intptr_t index,
                               const gmem_type_bounds_t *bounds,
                               uint64_t *out_offset);

// Bits from one element of this type to the next in a tensor; 0 when unknown.
uint64_t gmem_element_bits(MlirType type);

#endif // GMEM_PASSES_TYPE_SIZE_H_
