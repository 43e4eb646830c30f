// valid_region.h - gmem.valid_region: which elements of a value are valid.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     gmem.valid_region = [{begin = array<i64: 1, 1>, end = array<i64: 3, 4>}]
//
//     . . . . .      of a tensor<4x5xi8>: the elements [1, 3) x [1, 4); what
//     . x x x .      the others hold is undefined
//     . x x x .
//     . . . . .

#ifndef GMEM_PASSES_VALID_REGION_H_
#define GMEM_PASSES_VALID_REGION_H_

#include "padded_layout.h"

// A box that is not empty, and not all of the value.
typedef struct gmem_valid_region_s {
  uint32_t rank;
  int64_t begin[GMEM_LAYOUT_MOST_DIMENSIONS];
  int64_t end[GMEM_LAYOUT_MOST_DIMENSIONS]; // exclusive
} gmem_valid_region_t;

typedef enum gmem_region_kind_e {
  GMEM_REGION_WHOLE, // all elements are valid
  GMEM_REGION_PART,
  GMEM_REGION_MALFORMED, // not of the form above, or of a value that is no
                         //   tensor of static shape with whole bytes
} gmem_region_kind_t;

// Reads gmem.valid_region of a value.
gmem_region_kind_t gmem_valid_region_of(MlirValue value,
                                        gmem_valid_region_t *out);

// gmem.valid_region of an op, of one value; NULL: {}.
MlirAttribute gmem_valid_region_attribute(MlirContext context,
                                          const gmem_valid_region_t *region);

// Prints "[1, 3) x [1, 4)".
void gmem_valid_region_print(const gmem_valid_region_t *region, char *text,
                             size_t size);

#endif // GMEM_PASSES_VALID_REGION_H_
