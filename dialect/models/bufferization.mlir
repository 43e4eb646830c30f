// bufferization.mlir - op models: bufferization
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "bufferization.to_buffer", kind = "reshape"} : () -> ()
// Frees the memrefs that are owned, which is known at run time only.
"gmem.op_model"() {op = "bufferization.dealloc", kind = "dealloc"} : () -> ()

"gmem.op_model"() {op = "bufferization.to_tensor", kind = "reshape"} : () -> ()

// With a tensor operand it copies that tensor.
"gmem.op_model"() {op = "bufferization.alloc_tensor", kind = "empty",
  unless = "all"} : () -> ()

"gmem.op_model"() {op = "bufferization.materialize_in_destination",
  destination = 1, unread = array<i64: 1>} : () -> ()

// The clone may be the memref itself.
"gmem.op_model"() {op = "bufferization.clone", kind = "unknown"} : () -> ()

// Nothing is shared: operands are read, results are written.
"gmem.op_model"() {op = "bufferization.dealloc_tensor"} : () -> ()
