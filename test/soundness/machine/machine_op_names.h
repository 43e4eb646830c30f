// machine_op_names.h - names of ops by what they do. A table of our own: what
// the planner believes of an op must be the same by another pen.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_MACHINE_OP_NAMES_H_
#define GMEM_MACHINE_OP_NAMES_H_

#include "machine_program.h"

// Whether |name| is in the list.
typedef enum name_list_e {
  NAMES_WEIGHT,
  NAMES_VIEW,        // result 0 is operand 0, whatever the types
  NAMES_ELEMENTWISE, // element i of the result needs element i of operands of
                     //   its shape, no other
  NAMES_ELEMENTWISE_TOO, // more of them: C limits a text's length
  NAMES_ROWWISE, // a row of the result needs the same row of operand 0, no
                 // other
  NAMES_PERMUTE, // axes of operand 0 in the order of an attribute
  NAMES_SWAP,    // two axes of operand 0: attributes, or operands 1 and 2
  NAMES_EXPAND,  // operand 0, repeated along axes
  NAMES_EMPTY,
  NAMES_NOTHING,
  NAMES_INPUT,
  NAMES_WRITES,       // without results: operand 0 has new contents
  NAMES_WRITES_SIXTH, // with or without: operand 5
  NAMES_INTO_FIRST,   // result 0 is made in operand 0
  NAMES_INTO_SECOND,  // in operand 1
  NAMES_TUPLE,
  NAMES_ELEMENT, // of a tuple; the number in "index"
  NAMES_SHAPE,   // looks at types, not at contents
  NAMES_GROUP,   // a layer group: its regions are local
  NAMES_OPAQUE,  // regions of scalars, or that run several times at once
  NAMES_JOIN,    // a concatenation; the axis in an attribute
  NAMES_CHOOSE,
  NAMES_FOR,
  NAMES_WHILE,
  NAMES_TEST,
  NAMES_LIST, // what is no tensor stands for the operands
  NAMES_COUNT,
} name_list_t;

bool is_named(name_list_t list, MlirStringRef name);

// Ops of which a part of a tensor is the result, or is replaced. The columns
// are names of attributes, or "@N": operand N, a constant.
typedef struct box_row_s {
  const char *op;
  int32_t whole;     // operand that has the box, or that is replaced in
  int32_t part;      // operand that is put in; -1: a slice
  const char *begin; // of each axis; missing: 0
  const char *size;  // of each axis; missing: the shape of the part
  const char *step;  // of each axis; missing: 1
  const char *axes;  // that the lists speak of; missing: 0, 1, ...
  bool rest;         // operands from |begin| on, one per axis
  bool drops;        // the part does not have the axis that the lists speak of
} box_row_t;

const box_row_t *find_box_row(MlirStringRef name);

#endif // GMEM_MACHINE_OP_NAMES_H_
