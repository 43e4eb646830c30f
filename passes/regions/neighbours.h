// neighbours.h - the valid region of what an op computes from the elements
// around each element of an operand, or in blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_NEIGHBOURS_H_
#define GMEM_PASSES_NEIGHBOURS_H_

#include "op_model_text.h"
#include "valid_region.h"

typedef struct gmem_neighbours_s {
  MlirOperation op;
  const gmem_op_region_t *model;    // GMEM_REGION_AROUND
  const gmem_valid_region_t *valid; // of its operand; NULL: all of it
} gmem_neighbours_t;

typedef enum gmem_neighbours_status_e {
  GMEM_NEIGHBOURS_WHOLE,
  GMEM_NEIGHBOURS_PART,  // *out_region is set
  GMEM_NEIGHBOURS_EMPTY, // no element is valid
  GMEM_NEIGHBOURS_LISTS, // the lists of the model are not constant, do not
                         //   match the operand, or have numbers that are
                         //   negative, 0 or too large
  GMEM_NEIGHBOURS_SHAPE, // operand or result is no tensor of static shape with
                         //   whole bytes, or they have different ranks
  GMEM_NEIGHBOURS_AXES,  // the region of the operand ends on an axis that the
                         //   lists do not name
} gmem_neighbours_status_t;

// Finds the valid region of |result| of the op. An element of the border that
// gmem.padding of the operand states counts as valid if it has contents
// ("constant" or "replicate"). Allocates in |arena|; when memory is out, the
// answer is LISTS, and gmem_bump_status says so.
gmem_neighbours_status_t
gmem_neighbours_find(const gmem_neighbours_t *neighbours, MlirValue result,
                     const gmem_op_models_t *models, gmem_bump_t *arena,
                     gmem_valid_region_t *out_region);

#endif // GMEM_PASSES_NEIGHBOURS_H_
