// type_size.h - the size in bytes of a value of a given type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_TYPE_SIZE_H_
#define GMEM_PASSES_TYPE_SIZE_H_

#include <stdbool.h>

#include "bump.h"
#include "mlir-c/IR.h"

typedef enum gmem_type_kind_e {
  GMEM_TYPE_NO_MEMORY,       // scalars, index, none, tokens, opaque handles
  GMEM_TYPE_SIZED,           // a ranked tensor, or a tuple of them, of known
                             //   size
  GMEM_TYPE_DYNAMIC,         // a tensor with unknown dimensions or rank
  GMEM_TYPE_UNKNOWN_ELEMENT, // a tensor of elements of unknown size
  GMEM_TYPE_SPARSE,          // a sparse tensor
  GMEM_TYPE_ENCODING,        // a tensor with an encoding of unknown meaning
  GMEM_TYPE_MEMREF,          // memory that the program manages itself
  GMEM_TYPE_TUPLE,           // a tuple of sized and of other types
  GMEM_TYPE_LAYOUT,          // a memref without static strides
  GMEM_TYPE_TOO_LARGE,       // the size in bytes overflows
} gmem_type_kind_t;

// Upper bounds of dynamic dimensions.
typedef struct gmem_type_bounds_s {
  const int64_t *dimensions; // elements per axis of a ranked tensor, ignored
                             //   for static axes; or NULL
  uint64_t others;           // elements of every other dynamic dimension, also
                             //   of tensors in tuples; 0: unknown
} gmem_type_bounds_t;

// The bounds of the dimensions of |value|, a ranked tensor or a memref: those
// of gmem.upper_bound on the op or argument, and |others|. Allocates in
// |arena|. Fails with OUT_OF_MEMORY, or INVALID_ARGUMENT, reported at the op,
// when gmem.upper_bound is malformed.
gmem_status_t gmem_bounds_read(MlirValue value, uint64_t others,
                               gmem_bump_t *arena,
                               gmem_type_bounds_t *out_bounds,
                               gmem_diag_t *diag);

// Returns the kind of |type|; sets *out_bytes for GMEM_TYPE_SIZED. Elements
// narrower than a byte are packed and the tensor is rounded up to whole bytes;
// wider elements take a power of two bytes. Dynamic dimensions count with their
// bounds; |bounds| may be NULL. Axes without a bound there may have one in the
// tensor's encoding: #stablehlo.bounds<?, 10>, #mhlo.type_extensions<bounds =
// [...]>.
gmem_type_kind_t gmem_type_size_within(MlirType type,
                                       const gmem_type_bounds_t *bounds,
                                       uint64_t *out_bytes);

// How a tensor is stored, by a type model (type_models.h).
typedef struct gmem_tensor_form_s {
  uint64_t bits;            // of an element; 0: those of its type
  const int64_t *multiples; // of each of the last axes: its size is rounded up
                            //   to a multiple of this, which is positive
  size_t multiple_count;
} gmem_tensor_form_t;

// The size of a ranked tensor of the form |form|, whatever its encoding is.
gmem_type_kind_t gmem_tensor_size(MlirType type,
                                  const gmem_type_bounds_t *bounds,
                                  const gmem_tensor_form_t *form,
                                  uint64_t *out_bytes);

// The size of |count| elements of |bits| each: GMEM_TYPE_SIZED or _TOO_LARGE.
gmem_type_kind_t gmem_packed_size(uint64_t count, uint64_t bits,
                                  uint64_t *out_bytes);

// Whether a ranked tensor with this encoding, which may be null, is stored like
// one without.
bool gmem_is_dense_encoding(MlirAttribute encoding);

// As gmem_type_size_within, with the bounds of encodings only.
gmem_type_kind_t gmem_type_size(MlirType type, uint64_t *out_bytes);

// The size of an allocation of a memref of |type|: from the start of the
// memory, where the offset counts from, to the end of the last element that the
// strides reach; 0 when a dimension is 0. |bounds| as above, or NULL. The kinds
// are GMEM_TYPE_SIZED (sets *out_bytes, which is 0 otherwise), _DYNAMIC
// (including unranked), _LAYOUT (an affine map without strides, or with
// negative or dynamic strides where there is more than one element),
// _UNKNOWN_ELEMENT, _TOO_LARGE, and _NO_MEMORY for types that are not memrefs.
gmem_type_kind_t gmem_memref_size(MlirType type,
                                  const gmem_type_bounds_t *bounds,
                                  uint64_t *out_bytes);

// Bytes from one element of this type to the next in a memref as MLIR lowers it
// to LLVM, for any target; 0 when unknown. Elements are not packed: one
// narrower than a byte takes a byte. A vector is padded to a power of two, an
// index has 64 bits, a complex number is two numbers, and a nested memref is
// its descriptor.
uint64_t gmem_memref_element_bytes(MlirType type);

// The default alignment in bytes that LLVM assumes for such an element, for any
// target; at least 1.
uint64_t gmem_memref_element_alignment(MlirType type);

bool gmem_is_memref_type(MlirType type);

// Whether |type| is a tensor with a dynamic dimension, or a tuple that holds
// one: its size is then an upper bound.
bool gmem_type_is_dynamic(MlirType type);

// The elements of a tuple are stored consecutively, each aligned to this many
// bytes, including those of nested tuples.
#define GMEM_TUPLE_ALIGNMENT 64

// The offset in bytes of element |index| of a tuple; false when |tuple| is not
// a tuple of kind GMEM_TYPE_SIZED or has no such element.
bool gmem_tuple_element_offset(MlirType tuple, intptr_t index,
                               const gmem_type_bounds_t *bounds,
                               uint64_t *out_offset);

// Bits from one element of this type to the next in a tensor; 0 when unknown.
uint64_t gmem_element_bits(MlirType type);

// Equal for element types of one width of which equal bits are equal values: a
// quantized type, otherwise NULL.
const void *gmem_element_coding(MlirType type);

#endif // GMEM_PASSES_TYPE_SIZE_H_
