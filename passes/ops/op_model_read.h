// op_model_read.h - reads one op model from attributes: those of a
// gmem.op_model op in a model file, or the entries of a gmem.op_model attribute
// on an op.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_OP_MODEL_READ_H_
#define GMEM_PASSES_OP_MODEL_READ_H_

#include <stdbool.h>

#include "bump.h"
#include "mlir-c/IR.h"

// The kinds are described in dialect/gmem.irdl.mlir.
typedef enum gmem_op_kind_e {
  GMEM_OP_UNKNOWN, // no model that applies, or one that says no more: reads all
                   //   operands, writes fresh results
  GMEM_OP_COMPUTE, // the same, refined by the fields below
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
  GMEM_OP_DEALLOC, // with results: also has other effects
  GMEM_OP_VIEW,
  GMEM_OP_GLOBAL,
} gmem_op_kind_t;

#define GMEM_NO_OPERAND (-1)

// Of a list: more than the rank of any tensor in practice. Longer ones are
// rejected.
enum { GMEM_MOST_INTEGERS = 64 };

typedef struct gmem_integers_s {
  const int64_t *at; // in the arena
  size_t count;
} gmem_integers_t;

// The source of a list of integers: an attribute, a constant operand, or the
// model itself. At most one of the three is given.
typedef struct gmem_op_list_s {
  const char *attribute;   // name, or NULL
  int32_t operand;         // or GMEM_NO_OPERAND
  gmem_integers_t numbers; // or none
} gmem_op_list_t;

// A box of elements in a larger tensor. Without |size| and |end| it has the
// shape of the smaller tensor.
typedef struct gmem_op_box_s {
  int32_t
      operand; // the larger tensor of a slice, the smaller one of an insert;
               //   GMEM_NO_OPERAND: there is none
  gmem_op_list_t begin;
  gmem_op_list_t size; // elements per axis; or |end|, exclusive
  gmem_op_list_t end;
  gmem_op_list_t step; // none: 1
  gmem_op_list_t axes; // axes that the lists refer to; none: 0, 1, ...
} gmem_op_box_t;

// The operand into whose memory a result is written.
typedef enum gmem_destination_e {
  GMEM_DESTINATION_NONE,
  GMEM_DESTINATION_OPERAND,  // of result 0: |destination_operand|
  GMEM_DESTINATION_TRAILING, // the last operands, one per result, in order
} gmem_destination_t;

// Operands over which result 0 may be written.
typedef struct gmem_op_inplace_s {
  uint64_t operands; // bit i: operand i, element by element in the same order;
                     //   all ones: any
  bool by_map;       // those whose indexing map is the result's
} gmem_op_inplace_t;

// Result 0 is the concatenation of operands of tensor type along an axis.
typedef struct gmem_op_concat_s {
  const char *axis; // attribute with the axis, which may count from the end if
                    //   negative; NULL: no concatenation
  int32_t first;    // operand
} gmem_op_concat_t;

// The op reorders or repeats elements of operand 0; where it does not, it is a
// view. At most one of the three is given.
typedef struct gmem_op_moves_s {
  bool permutes, swaps, broadcasts;
  gmem_op_list_t axes; // axis i of the result is axis axes[i] of the operand
                       //   (left out: in reverse order); or, for broadcasts,
                       //   axis i of the operand is axis axes[i] of the result
                       //   (none: the last axes)
  gmem_op_list_t second; // of the two axes that are swapped; |axes| has the
                         //   first
} gmem_op_moves_t;

// Which elements of the results are valid, if not all of the operands are.
typedef enum gmem_region_rule_e {
  GMEM_REGION_UNSTATED, // as other properties of the model say
  GMEM_REGION_FULL,     // all
  GMEM_REGION_SAME,     // those at whose places all operands of the shape of
                        //   the result are valid
  GMEM_REGION_AROUND,   // see gmem_op_region_t
} gmem_region_rule_t;

// GMEM_REGION_AROUND: element i of a result, along each axis that |axes| lists,
// is computed from the elements i * step - before to i * step + after of
// |operand|. Where the model states |kernel|, before is (kernel - 1) / 2,
// rounded down, and after the rest of kernel - 1. The op computes and stores
// |block| elements at a time.
typedef struct gmem_op_region_s {
  gmem_region_rule_t rule;
  int32_t operand;
  gmem_op_list_t kernel, before, after; // none: 1, 0, 0
  gmem_op_list_t step, block;           // none: 1, 1
  gmem_op_list_t axes;                  // none: 0, 1, ...
} gmem_op_region_t;

// Operands and attributes to which a model does not apply.
typedef struct gmem_op_unless_s {
  uint64_t operands; // bit i: a tensor or memref for operand i; bit 63:
                     //   for any from 63 on
  const char *const *attributes; // that are not false; NULL-terminated, or NULL
} gmem_op_unless_t;

// op_model_table.c prints each field.
typedef struct gmem_op_model_s {
  const char *op; // "tosa.reshape"; "": the op has no model
  int64_t line;   // in the model file
  gmem_op_kind_t kind;
  gmem_op_inplace_t inplace;
  uint64_t rowwise; // bit i: result 0 may overwrite operand i row by row: a row
                    //   of the result needs only the same row of the operand
  gmem_op_moves_t moves;
  uint64_t unread;           // bit i: the contents of operand i are not read
  uint64_t strided_operands; // bit i: operand i may have strides (gmem.strides)
  uint64_t strided_results;  // bit i: so may result i
  uint64_t writes; // bit i: the op modifies operand i in place, unless it is
                   //   the destination of a result
  gmem_destination_t destination;
  int32_t destination_operand;
  gmem_op_box_t slice;  // result 0 is this box of the operand
  gmem_op_box_t insert; // the operand becomes this box of result 0; the rest of
                        //   the result is the destination operand
  gmem_op_concat_t concat;
  gmem_op_region_t valid_region;
  // A tuple of tensors is stored element by element (type_size.h).
  bool tuple;                // result 0 is the tuple of the operands
  const char *tuple_element; // result 0 is the element of operand 0 with the
                             //   number in this attribute, or NULL
  bool stack;                // it allocates on the stack
  bool escapes;              // its operands may be retained after the op
  bool starts; // it accesses its memrefs until an op that |waits| takes its
               //   result (requests.h)
  bool waits;  // it waits for the requests that are its operands
  gmem_op_unless_t unless;
} gmem_op_model_t;

// The default model of an op name: kind compute, nothing shared.
gmem_op_model_t gmem_op_model_of(const char *op);

// Reads one attribute (any but "op") into |model|; strings are copied to
// |arena|. Fails with OUT_OF_MEMORY, or with INVALID_ARGUMENT and a text
// without location, which the caller adds.
gmem_status_t gmem_op_model_read(MlirNamedAttribute attribute,
                                 gmem_bump_t *arena, gmem_op_model_t *model,
                                 gmem_diag_t *diag);

// Checks that the attributes of |model| are consistent, after all were read.
// Fails as gmem_op_model_read.
gmem_status_t gmem_op_model_check(const gmem_op_model_t *model,
                                  gmem_diag_t *diag);

// The name of |kind| in model files.
const char *gmem_op_kind_name(gmem_op_kind_t kind);

#endif // GMEM_PASSES_OP_MODEL_READ_H_
