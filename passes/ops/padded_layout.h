// padded_layout.h - gmem.padding per dimension: where the elements of a value
// are in its buffer.
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

#ifndef GMEM_PASSES_PADDED_LAYOUT_H_
#define GMEM_PASSES_PADDED_LAYOUT_H_

#include <stdbool.h>
#include <stdint.h>

#include "gmem/passes.h"
#include "mlir-c/IR.h"

enum { GMEM_LAYOUT_MOST_DIMENSIONS = 16 };

typedef struct gmem_padded_layout_s {
  uint32_t rank;
  gmem_border_t border;
  uint64_t element;                           // bytes
  int64_t sizes[GMEM_LAYOUT_MOST_DIMENSIONS]; // elements
  int64_t before[GMEM_LAYOUT_MOST_DIMENSIONS];
  int64_t after[GMEM_LAYOUT_MOST_DIMENSIONS];
  int64_t strides[GMEM_LAYOUT_MOST_DIMENSIONS];
  uint64_t lead, span, tail; // bytes; their sum fits in 63 bits
} gmem_padded_layout_t;

typedef enum gmem_layout_kind_e {
  GMEM_LAYOUT_DENSE, // no padding, or one in bytes: see paddings.h
  GMEM_LAYOUT_PADDED,
  GMEM_LAYOUT_MALFORMED, // not of the form above, or of a value that is no
                         //   tensor of static shape with whole bytes
} gmem_layout_kind_t;

gmem_layout_kind_t gmem_padded_layout_of(MlirValue value,
                                         gmem_padded_layout_t *out);

// Whether the elements of both are at the same places in their buffers as far
// as gmem.padding says: both have the same layout per dimension, or none.
bool gmem_padded_layouts_equal(MlirValue left, MlirValue right);

#endif // GMEM_PASSES_PADDED_LAYOUT_H_
