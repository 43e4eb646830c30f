// op_models.h - what ops of known dialects mean to memory planning. The
// knowledge itself is data: dialect/models/*.mlir.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_OP_MODELS_H_
#define GMEM_PASSES_OP_MODELS_H_

#include <stdbool.h>

#include "arena.h"
#include "gmem/passes.h"

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
  GMEM_OP_LOOP,
  GMEM_OP_ALLOC,
  GMEM_OP_DEALLOC, // with results: it does more than that
  GMEM_OP_VIEW,
  GMEM_OP_GLOBAL,
} gmem_op_kind_t;

#define GMEM_NO_OPERAND (-1)

// Where an op keeps a list of integers: in an attribute, or in an operand that
// is a constant.
typedef struct gmem_op_list_s {
  const char *attribute; // name, or NULL
  int32_t operand;       // or GMEM_NO_OPERAND
} gmem_op_list_t;

// A box of elements in a larger tensor. Without |size| and |end| it is as large
// as the part itself.
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
  int64_t line;   // of the text it comes from
  gmem_op_kind_t kind;
  uint64_t inplace;    // bit i: result 0 may be written over operand i, element
                       //   by element in the same order; all ones: over any
  bool inplace_by_map; // over operands whose indexing map is the result's
  uint64_t unread;     // bit i: the contents of operand i do not matter
  uint64_t writes;     // bit i: the op changes the contents of operand i where
                       //   they are, unless a result is made there
  gmem_destination_t destination;
  int32_t destination_operand;
  // Result 0 is this box of operand |slice_operand|.
  int32_t slice_operand; // GMEM_NO_OPERAND: it is none
  gmem_op_box_t slice;
  // Operand |insert_operand| becomes this box of result 0; the rest of the
  // result is the destination operand.
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
  bool stack;                // what it allocates is on the stack
  bool escapes; // what it takes may be kept, in a place that nobody knows
  // All this does not hold of an op that has a tensor for one of these operands
  // (bit i) or one of these attributes, unless it is false.
  uint64_t unless;
  const char **unless_attributes; // NULL-terminated, or NULL
} gmem_op_model_t;

// Function arguments whose attribute |attribute|, as MLIR prints it, contains
// |contains| are weights.
typedef struct gmem_argument_model_s {
  const char *attribute; // "ttcore.argument_type"
  const char *contains;  // "constant"
} gmem_argument_model_t;

// The models of one text, which win over those of the texts around it.
typedef struct gmem_op_models_s gmem_op_models_t;
struct gmem_op_models_s {
  gmem_op_model_t *models; // sorted by op
  size_t count;
  gmem_argument_model_t *arguments; // in the order of the text
  size_t argument_count;
  const gmem_op_models_t *outer; // or NULL
};

// Reads the compiled-in model files; everything lives in |arena|. Fails with
// OUT_OF_MEMORY, or INVALID_ARGUMENT when a file is malformed or names an op
// twice.
gmem_status_t gmem_op_models_load(gmem_arena_t *arena,
                                  gmem_op_models_t *out_models,
                                  gmem_diag_t *diag);

// Reads |text|, which |name| (a path, for example) stands for in messages; it
// may have parts, with a line "// -----" between them, each of which wins over
// what is before it. |*out_models| are then the models of the last part, and
// |outer| the ones behind those of the first. Fails with OUT_OF_MEMORY or
// INVALID_ARGUMENT, with "NAME:LINE:COLUMN: " before what is wrong.
gmem_status_t gmem_op_models_parse(gmem_arena_t *arena, const char *name,
                                   MlirStringRef text,
                                   const gmem_op_models_t *outer,
                                   const gmem_op_models_t **out_models,
                                   gmem_diag_t *diag);

// What the gmem.op_models attributes of |scope| and the ops around it say, on
// top of |outer|. Errors are reported at the op that carries the attribute.
gmem_status_t gmem_op_models_of_scope(MlirOperation scope,
                                      const gmem_op_models_t *outer,
                                      gmem_arena_t *arena,
                                      const gmem_op_models_t **out_models,
                                      gmem_diag_t *diag);

// The model of the name of |op|; never NULL: an op without one has the model of
// an unknown op.
const gmem_op_model_t *gmem_op_models_find(const gmem_op_models_t *models,
                                           MlirOperation op);

// The model of |op| itself: what its gmem.op_model attribute says, if it has
// one, made in |arena|; else that of its name. Errors are reported at |op|.
gmem_status_t gmem_op_models_of_op(const gmem_op_models_t *models,
                                   MlirOperation op, gmem_arena_t *arena,
                                   const gmem_op_model_t **out_model,
                                   gmem_diag_t *diag);

// Whether |op| makes a result in the memory of operand |number|, if it can.
bool gmem_op_model_is_destination(const gmem_op_model_t *model,
                                  MlirOperation op, intptr_t number);

// Whether |op| changes the contents of operand |number|, for all who read that
// afterwards. One that is the destination of a result is not changed: there the
// result is what is new.
bool gmem_op_model_writes(const gmem_op_model_t *model, MlirOperation op,
                          intptr_t number);

// Whether a function argument with these attributes (a dictionary) is a weight.
bool gmem_op_models_is_weight(const gmem_op_models_t *models,
                              MlirAttribute argument_attributes);

// Adds the models of the files that |options| name to every scope in |top|, as
// gmem_op_models_add does. All files are checked before anything is changed.
// Errors are reported at |top|.
gmem_status_t gmem_op_models_add_files(MlirOperation top,
                                       const gmem_plan_options_t *options,
                                       const gmem_allocator_t *allocator,
                                       gmem_diag_t *diag);

#endif // GMEM_PASSES_OP_MODELS_H_
