// shape.mlir - op models: shape
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The shape is read from the operand's type, not from memory.
"gmem.op_model"() {op = "shape.dim", unread = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "shape.rank", unread = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "shape.shape_of", unread = array<i64: 0>} : () -> ()

"gmem.op_model"() {op = "shape.assuming", kind = "branch"} : () -> ()
