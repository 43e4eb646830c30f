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
} gmem_layout_t;

// Sets |*out| to the layout of |type|. Returns false if it is not a ranked
// tensor of static shape, or has an encoding that may change its layout. (An
// integer encoding is an address.)
bool gmem_layout_of(MlirType type, gmem_layout_t *out);

// Whether both have the same elements at the same bytes: equal shapes, except
// for axes of size 1, and equal element widths.
bool gmem_layout_same(const gmem_layout_t *left, const gmem_layout_t *right);

// A box in a tensor: per axis the first element and the number of elements.
typedef struct gmem_box_s {
  int64_t begin[GMEM_MAX_RANK];
  int64_t size[GMEM_MAX_RANK];
} gmem_box_t;

// Reads the box that the lists of |model| describe in a tensor of layout
// |whole|; |part| is the layout of its contents. Returns GMEM_LIST_UNKNOWN if
// the box is not constant, has steps other than 1, or does not match |part|.
gmem_list_t gmem_box_read(MlirOperation op, const gmem_op_box_t *model,
                          const gmem_op_models_t *models, gmem_bump_t *arena,
                          const gmem_layout_t *whole, const gmem_layout_t *part,
                          gmem_box_t *out);

// Whether the box is contiguous in memory. |*out_bytes| is the offset of its
// first byte in the tensor.
bool gmem_box_bytes(const gmem_layout_t *whole, const gmem_box_t *box,
                    uint64_t *out_bytes);

#endif // GMEM_PASSES_SUBTENSOR_BOXES_H_
