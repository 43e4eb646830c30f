// gmem/copy_edge.h - the edges of control flow on which a plan copies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_COPY_EDGE_H_
#define GMEM_COPY_EDGE_H_

// Where control flow goes when it makes a copy, and so from which values to
// which. The copies of one op are in this order.
typedef enum gmem_copy_edge_e {
  GMEM_COPY_CALLEE,    // operands of a call -> arguments of the function
  GMEM_COPY_REGION,    // operands -> arguments of region |number|
  GMEM_COPY_SUCCESSOR, // operands -> arguments of successor |number|
  GMEM_COPY_NEXT,      // of a terminator: -> arguments of region |number| of
                       //   the op around it
  GMEM_COPY_PARENT,    // of a terminator: -> results of the op around it
  GMEM_COPY_CALLER,    // of a return: -> results of the only call
  GMEM_COPY_RESULTS,   // -> results of this op, when it ends; of a call: after
                       //   return |number| of the function, by position
  GMEM_COPY_EDGES
} gmem_copy_edge_t;

#endif // GMEM_COPY_EDGE_H_
