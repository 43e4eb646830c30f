// tensor.mlir - op models: tensor
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reshapes: the same bytes with another shape.
"gmem.op_model"() {op = "tensor.bitcast", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "tensor.cast", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "tensor.collapse_shape", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "tensor.expand_shape", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "tensor.reshape", kind = "reshape"} : () -> ()

"gmem.op_model"() {op = "tensor.empty", kind = "empty"} : () -> ()

// The shape is read from the operand's type, not from memory.
"gmem.op_model"() {op = "tensor.dim", unread = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tensor.rank", unread = array<i64: 0>} : () -> ()

// Subtensors. Dynamic offsets are stored as the smallest integer.
"gmem.op_model"() {op = "tensor.extract_slice",
  slice = {begin = "static_offsets", size = "static_sizes", step = "static_strides"}} : () -> ()
"gmem.op_model"() {op = "tensor.insert_slice", destination = 1,
  insert = {operand = 0, begin = "static_offsets", size = "static_sizes", step = "static_strides"}} : () -> ()
"gmem.op_model"() {op = "tensor.concat", concat = {axis = "dim"}} : () -> ()

// Insertions into a tensor.
"gmem.op_model"() {op = "tensor.insert", destination = 1} : () -> ()
"gmem.op_model"() {op = "tensor.scatter", destination = 1} : () -> ()

"gmem.op_model"() {op = "tensor.generate", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "tensor.pad", kind = "scalar_body"} : () -> ()

// Nothing is shared: operands are read, results are written.
"gmem.op_model"() {op = "tensor.extract"} : () -> ()
"gmem.op_model"() {op = "tensor.from_elements"} : () -> ()
"gmem.op_model"() {op = "tensor.gather"} : () -> ()
"gmem.op_model"() {op = "tensor.splat"} : () -> ()

// Inserts into a shared result of the loop around it.
"gmem.op_model"() {op = "tensor.parallel_insert_slice", kind = "unknown"} : () -> ()
