// op_models.h - what ops of known dialects mean to memory planning. The
// knowledge itself is data: dialect/models/*.mlir.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_OP_MODELS_H_
#define GMEM_PASSES_OP_MODELS_H_

#include <stdbool.h>

#include "arena.h"
#include "mlir-c/IR.h"

// See dialect/gmem.irdl.mlir for what each means.
typedef enum gmem_op_kind_e {
  GMEM_OP_UNKNOWN, // no model: reads all operands, writes fresh results
  GMEM_OP_COMPUTE, // the same, but its model says more below
  GMEM_OP_WEIGHT,
  GMEM_OP_LAYER_GROUP,
  GMEM_OP_SCALAR_BODY,
  GMEM_OP_PARALLEL,
  GMEM_OP_RESHAPE,
  GMEM_OP_INPUT,
  GMEM_OP_NONE,
  GMEM_OP_EMPTY,
  GMEM_OP_BRANCH,
  GMEM_OP_FOR,
  GMEM_OP_WHILE,
} gmem_op_kind_t;

#define GMEM_NO_OPERAND (-1)

// Where an op keeps a list of integers: in an attribute, or in an operand that
// is a constant.
typedef struct gmem_op_list_s {
  const char *attribute; // name, or NULL
  int32_t operand;       // or GMEM_NO_OPERAND
} gmem_op_list_t;

// A box of elements in a larger tensor. With neither |begin| nor |size| and
// |end| there is none.
typedef struct gmem_op_box_s {
  gmem_op_list_t begin;
  gmem_op_list_t size; // elements per axis; or |end|, exclusive
  gmem_op_list_t end;
  gmem_op_list_t step; // none: 1
  gmem_op_list_t axes; // which axes the lists speak of; none: 0, 1, ...
} gmem_op_box_t;

// Which operand is the memory that a result is written to.
typedef enum gmem_destination_e {
  GMEM_DESTINATION_NONE,
  GMEM_DESTINATION_OPERAND,  // of result 0: |destination_operand|
  GMEM_DESTINATION_TRAILING, // the last operands, one per result, in order
} gmem_destination_t;

typedef struct gmem_op_model_s {
  const char *op; // "tosa.reshape"
  gmem_op_kind_t kind;
  uint64_t inplace;    // bit i: result 0 may be written over operand i, element
                       //   by element in the same order; all ones: over any
  bool inplace_by_map; // over operands whose indexing map is the result's
  uint64_t unread;     // bit i: the contents of operand i do not matter
  gmem_destination_t destination;
  int32_t destination_operand;
  // Result 0 is this box of operand |slice_operand|.
  int32_t slice_operand; // GMEM_NO_OPERAND: it is none
  gmem_op_box_t slice;
  // Operand |insert_operand| becomes this box of result 0; the rest of the
  // result is the destination operand. |size| is the operand's shape.
  int32_t insert_operand; // GMEM_NO_OPERAND: it does not
  gmem_op_box_t insert;
  // Result 0 is the operands of tensor type (those from |concat_first| on) one
  // behind the other along an axis.
  bool concat;
  const char *concat_axis; // attribute with the axis, which may count from the
                           //   end if negative
  int32_t concat_first;    // operand
  // A tuple of tensors lies in memory element by element (type_size.h).
  bool tuple;                // result 0 is the tuple of the operands
  const char *tuple_element; // result 0 is the element of operand 0 with the
                             //   number in this attribute, or NULL
} gmem_op_model_t;

typedef struct gmem_op_models_s {
  gmem_op_model_t *models; // sorted by op
  size_t count;
} gmem_op_models_t;

// Reads the compiled-in model files; everything lives in |arena|. Fails with
// OUT_OF_MEMORY, or INVALID_ARGUMENT when a file is malformed or names an op
// twice.
gmem_status_t gmem_op_models_load(gmem_arena_t *arena,
                                  gmem_op_models_t *out_models,
                                  gmem_diag_t *diag);

// The model of |op|; never NULL: an op without one has the model of an unknown
// op.
const gmem_op_model_t *gmem_op_models_find(const gmem_op_models_t *models,
                                           MlirOperation op);

#endif // GMEM_PASSES_OP_MODELS_H_
