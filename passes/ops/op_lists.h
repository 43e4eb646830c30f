// op_lists.h - reads the integer lists that op models refer to, such as the
// offsets and axes of a slice.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_OP_LISTS_H_
#define GMEM_PASSES_OP_LISTS_H_

#include "mlir-c/IR.h"
#include "op_model_read.h"
#include "op_model_text.h"

// Reads an integer of at most 64 bits, signless, signed or unsigned. False for
// other attributes and numbers of 2^63 and more.
bool gmem_integer_get(MlirAttribute attribute, int64_t *out);

typedef enum gmem_list_e {
  GMEM_LIST_UNKNOWN, // known at run time only, or of an unsupported form
  GMEM_LIST_NONE,    // the model names no list, or the op leaves it out
  GMEM_LIST_KNOWN,
  GMEM_LIST_OUT_OF_MEMORY,
} gmem_list_t;

// Reads the list that |where| names: an attribute of |op| (an array, dense
// elements or a single integer), an operand defined by a constant op according
// to |models|, or the list that the model states. Sets *out on GMEM_LIST_KNOWN.
gmem_list_t gmem_op_list_read(MlirOperation op, const gmem_op_list_t *where,
                              const gmem_op_models_t *models,
                              gmem_bump_t *arena, gmem_integers_t *out);

#endif // GMEM_PASSES_OP_LISTS_H_
