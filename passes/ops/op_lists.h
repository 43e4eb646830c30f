// op_lists.h - the lists of integers that op models name: where a slice
// begins, which axes it speaks of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_OP_LISTS_H_
#define GMEM_PASSES_OP_LISTS_H_

#include "mlir-c/IR.h"
#include "op_model_read.h"
#include "op_model_text.h"

typedef struct gmem_integers_s {
  const int64_t *at; // in the arena
  size_t count;
} gmem_integers_t;

typedef enum gmem_list_e {
  GMEM_LIST_UNKNOWN, // not known before the program runs, or not understood
  GMEM_LIST_NONE,    // the model names no list, or the op leaves it out
  GMEM_LIST_KNOWN,
  GMEM_LIST_OUT_OF_MEMORY,
} gmem_list_t;

// Reads the list that |where| names of |op|: an attribute (an array, dense
// elements or a single integer), or an operand made by an op that is a constant
// according to |models|. *out is set when it is known.
gmem_list_t gmem_op_list_read(MlirOperation op, const gmem_op_list_t *where,
                              const gmem_op_models_t *models,
                              gmem_bump_t *arena, gmem_integers_t *out);

#endif // GMEM_PASSES_OP_LISTS_H_
