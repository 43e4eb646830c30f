// subtensor_boxes.h - which bytes of a tensor a part of it is: slices of it,
// and what is inserted or concatenated.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_SUBTENSOR_BOXES_H_
#define GMEM_PASSES_SUBTENSOR_BOXES_H_

#include <stdbool.h>

#include "op_lists.h"

// More axes than real tensors have; those with more are not looked at.
#define GMEM_MOST_AXES 16

// A tensor that lies in memory row by row.
typedef struct gmem_layout_s {
  int64_t dims[GMEM_MOST_AXES];
  int rank;
  uint64_t element_bits; // from one element to the next
} gmem_layout_t;

// The layout of |type|; false when it is no ranked tensor of static shape, or
// an encoding may say that it lies in memory in another way. (An integer as
// encoding is an address.)
bool gmem_layout_of(MlirType type, gmem_layout_t *out);

// Whether the two have the same elements at the same bytes: equal shapes, but
// for axes of one element, and equally wide elements.
bool gmem_layout_same(const gmem_layout_t *left, const gmem_layout_t *right);

// A box in a tensor: per axis of the tensor, its first element and how many.
typedef struct gmem_box_s {
  int64_t begin[GMEM_MOST_AXES];
  int64_t size[GMEM_MOST_AXES];
} gmem_box_t;

// Reads the box that the lists of |model| describe in a tensor of |whole|;
// |part| is the layout of what the box holds. GMEM_LIST_UNKNOWN: not known, has
// steps, or does not agree with |part|.
gmem_list_t gmem_box_read(MlirOperation op, const gmem_op_box_t *model,
                          const gmem_op_models_t *models, gmem_bump_t *arena,
                          const gmem_layout_t *whole, const gmem_layout_t *part,
                          gmem_box_t *out);

// Whether the bytes of the box are one behind the other; *out_bytes: from the
// start of the tensor to the first.
bool gmem_box_bytes(const gmem_layout_t *whole, const gmem_box_t *box,
                    uint64_t *out_bytes);

#endif // GMEM_PASSES_SUBTENSOR_BOXES_H_
