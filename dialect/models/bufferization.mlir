// bufferization.mlir - op models: bufferization
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "bufferization.to_buffer", kind = "reshape"} : () -> ()
// It frees what is owned, as it finds out when it runs.
"gmem.op_model"() {op = "bufferization.dealloc", kind = "dealloc"} : () -> ()

"gmem.op_model"() {op = "bufferization.to_tensor", kind = "reshape"} : () -> ()

// It may be a copy of a tensor instead.
"gmem.op_model"() {op = "bufferization.alloc_tensor", kind = "empty",
  unless = "all"} : () -> ()

"gmem.op_model"() {op = "bufferization.materialize_in_destination",
  destination = 1, unread = array<i64: 1>} : () -> ()
