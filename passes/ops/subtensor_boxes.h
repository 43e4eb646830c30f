// subtensor_boxes.h - the bytes that a slice, an inserted part or a
// concatenated part occupies in its tensor.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_SUBTENSOR_BOXES_H_
#define GMEM_PASSES_SUBTENSOR_BOXES_H_

#include <stdbool.h>

#include "op_lists.h"

// The maximal rank. Tensors of higher rank get no layout and are not shared.
#define GMEM_MAX_RANK 16

// A dense row-major layout.
typedef struct gmem_layout_s {
  int64_t dims[GMEM_MAX_RANK];
  int rank;
  uint64_t element_bits; // distance of consecutive elements
  const void *coding;    // gmem_element_coding
} gmem_layout_t;

// Sets |*out| to the layout of |type|. Returns false if it is not a ranked
// tensor of static shape, or has an encoding that may change its layout. (An
// integer encoding is an address.)
bool gmem_layout_of(MlirType type, gmem_layout_t *out);

// Whether both have the same elements at the same bytes: equal shapes, except
// for axes of size 1, and equal element widths.
bool gmem_layout_same(const gmem_layout_t *left, const gmem_layout_t *right);

// Whether an op that moves elements of one to the other copies their bits: no
// element is converted, as between quantized types of different scales.
bool gmem_layout_copies(const gmem_layout_t *left, const gmem_layout_t *right);

// The number of elements.
uint64_t gmem_layout_elements(const gmem_layout_t *layout);

// The offset in bytes of element |element|; false if it is inside a byte.
bool gmem_layout_offset(const gmem_layout_t *layout, uint64_t element,
                        uint64_t *out_bytes);

// A part of a tensor that the lists of |model| at |op| describe: a box, per
// axis the first element and the number of elements.
typedef struct gmem_subtensor_s {
  MlirOperation op;
  const gmem_op_box_t *model;
  gmem_layout_t whole; // the tensor
  gmem_layout_t part;  // the contents of the box
} gmem_subtensor_t;

// Whether the part is contiguous in the tensor; |*out_bytes| is the offset of
// its first byte. False if the lists are not constant, have steps other than 1,
// or do not match the part, and when memory is out, to be seen by
// gmem_bump_status. |models| is used to recognize constant operands.
bool gmem_subtensor_offset(const gmem_subtensor_t *subtensor,
                           const gmem_op_models_t *models, gmem_bump_t *arena,
                           uint64_t *out_bytes);

// The box itself: |out_begin| and |out_size| have an entry per axis of the
// tensor.
bool gmem_subtensor_box(const gmem_subtensor_t *subtensor,
                        const gmem_op_models_t *models, gmem_bump_t *arena,
                        int64_t *out_begin, int64_t *out_size);

// The axis along which |op| concatenates, or -1.
int gmem_concat_axis(MlirOperation op, const gmem_op_model_t *model,
                     const gmem_layout_t *whole);

// Whether the operands that |op| concatenates make up |whole| completely along
// |axis|, and are equal to it along all others.
bool gmem_pieces_fit(MlirOperation op, const gmem_op_model_t *model,
                     const gmem_layout_t *whole, int axis);

#endif // GMEM_PASSES_SUBTENSOR_BOXES_H_
