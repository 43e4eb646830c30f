// shape.mlir - op models: shape
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The shape is read from the operand's type, not from memory.
"gmem.op_model"() {op = "shape.dim", unread = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "shape.rank", unread = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "shape.shape_of", unread = array<i64: 0>} : () -> ()

"gmem.op_model"() {op = "shape.assuming", kind = "branch"} : () -> ()

// Shapes may stand for the tensors that they were taken from.
"gmem.op_model"() {op = "shape.any", kind = "unknown"} : () -> ()
"gmem.op_model"() {op = "shape.broadcast", kind = "unknown"} : () -> ()
"gmem.op_model"() {op = "shape.concat", kind = "unknown"} : () -> ()
"gmem.op_model"() {op = "shape.const_shape", kind = "unknown"} : () -> ()
"gmem.op_model"() {op = "shape.cstr_broadcastable", kind = "unknown"} : () -> ()
"gmem.op_model"() {op = "shape.cstr_eq", kind = "unknown"} : () -> ()
"gmem.op_model"() {op = "shape.from_extent_tensor", kind = "unknown"} : () -> ()
"gmem.op_model"() {op = "shape.get_extent", kind = "unknown"} : () -> ()
"gmem.op_model"() {op = "shape.is_broadcastable", kind = "unknown"} : () -> ()
"gmem.op_model"() {op = "shape.num_elements", kind = "unknown"} : () -> ()
"gmem.op_model"() {op = "shape.reduce", kind = "unknown"} : () -> ()
"gmem.op_model"() {op = "shape.shape_eq", kind = "unknown"} : () -> ()
"gmem.op_model"() {op = "shape.split_at", kind = "unknown"} : () -> ()
"gmem.op_model"() {op = "shape.to_extent_tensor", kind = "unknown"} : () -> ()
"gmem.op_model"() {op = "shape.value_as_shape", kind = "unknown"} : () -> ()
"gmem.op_model"() {op = "shape.value_of", kind = "unknown"} : () -> ()
"gmem.op_model"() {op = "shape.with_shape", kind = "unknown"} : () -> ()

// No tensors.
"gmem.type_model"() {type = "!shape.shape", kind = "none"} : () -> ()
"gmem.type_model"() {type = "!shape.size", kind = "none"} : () -> ()
"gmem.type_model"() {type = "!shape.value_shape", kind = "none"} : () -> ()
"gmem.type_model"() {type = "!shape.witness", kind = "none"} : () -> ()
