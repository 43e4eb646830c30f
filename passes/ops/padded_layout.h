// padded_layout.h - gmem.padding per dimension, and gmem.strides: where the
// elements of a value are in its buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     gmem.padding = [{before = array<i64: 1, 1>, after = array<i64: 1, 2>,
//                      border = "replicate"}]
//
//     . . . . . . .      a tensor<3x4xi8>: the buffer is that of 5x7 elements;
//     . x x x x . .      the lead are the 8 bytes before the first element, the
//     . x x x x . .      span the 18 bytes from the first to the last one, the
//     . x x x x . .      tail the 9 bytes behind it
//     . . . . . . .
//
// For planner and checkers such a value has the bytes of its span, with padding
// on both sides: it shares memory only with values of the same layout.
//
//     gmem.strides = [{first = 2, pitch = 7, size = 21, strides = array<i64: 7,
//     1>}]
//
//     | | x x x | | |    columns 2 to 4 of a tensor<3x7xi8>: the buffer is that
//     | | x x x | | |    of all three rows; what is between belongs to others,
//     | | x x x | | |    which lie in the same buffer

#ifndef GMEM_PASSES_PADDED_LAYOUT_H_
#define GMEM_PASSES_PADDED_LAYOUT_H_

#include <stdbool.h>
#include <stdint.h>

#include "gmem/passes.h"
#include "mlir-c/IR.h"

enum { GMEM_LAYOUT_MOST_DIMENSIONS = 16 };

// gmem.strides of a value, in elements. Its elements are in the columns
// [first, first + width) of rows of |pitch|.
typedef struct gmem_strides_s {
  uint32_t rank;
  int64_t first, width, pitch;
  int64_t size; // of the buffer
  int64_t strides[GMEM_LAYOUT_MOST_DIMENSIONS];
} gmem_strides_t;

bool gmem_strides_equal(const gmem_strides_t *left,
                        const gmem_strides_t *right);

typedef struct gmem_padded_layout_s {
  uint32_t rank;
  gmem_border_t border;
  uint64_t element;                           // bytes
  int64_t sizes[GMEM_LAYOUT_MOST_DIMENSIONS]; // elements
  int64_t before[GMEM_LAYOUT_MOST_DIMENSIONS];
  int64_t after[GMEM_LAYOUT_MOST_DIMENSIONS];
  int64_t strides[GMEM_LAYOUT_MOST_DIMENSIONS];
  uint64_t lead, span, tail; // bytes; their sum fits in 63 bits. With strides
                             //   all of the buffer is the span
  gmem_strides_t view;       // GMEM_LAYOUT_STRIDED
} gmem_padded_layout_t;

typedef enum gmem_layout_kind_e {
  GMEM_LAYOUT_DENSE, // no padding, or one in bytes: see paddings.h
  GMEM_LAYOUT_PADDED,
  GMEM_LAYOUT_STRIDED,
  GMEM_LAYOUT_MALFORMED, // not of the forms above, or of a value that is no
                         //   tensor of static shape with whole bytes
} gmem_layout_kind_t;

gmem_layout_kind_t gmem_padded_layout_of(MlirValue value,
                                         gmem_padded_layout_t *out);

// The layout of a value without padding and strides. False if it is no tensor
// of static shape with whole bytes.
bool gmem_dense_layout_of(MlirValue value, gmem_padded_layout_t *out);

// Whether it is PADDED or STRIDED.
static inline bool gmem_has_layout(MlirValue value, gmem_padded_layout_t *out) {
  gmem_layout_kind_t kind = gmem_padded_layout_of(value, out);
  return kind == GMEM_LAYOUT_PADDED || kind == GMEM_LAYOUT_STRIDED;
}

// Whether the elements of both are at the same places in their buffers as far
// as these say: both have the same layout per dimension, or none.
bool gmem_padded_layouts_equal(MlirValue left, MlirValue right);

// gmem.strides of an op, of one value each; NULL: {}.
MlirAttribute gmem_strides_attribute(MlirContext context,
                                     const gmem_strides_t *strides);

#endif // GMEM_PASSES_PADDED_LAYOUT_H_
