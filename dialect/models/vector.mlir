// vector.mlir - op models: vector, on tensors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A vector is written into a tensor.
"gmem.op_model"() {op = "vector.transfer_write", destination = 1} : () -> ()

// Nothing is shared: operands are read, results are written.
"gmem.op_model"() {op = "vector.compressstore"} : () -> ()
"gmem.op_model"() {op = "vector.expandload"} : () -> ()
"gmem.op_model"() {op = "vector.gather"} : () -> ()
"gmem.op_model"() {op = "vector.load"} : () -> ()
"gmem.op_model"() {op = "vector.maskedload"} : () -> ()
"gmem.op_model"() {op = "vector.maskedstore"} : () -> ()
"gmem.op_model"() {op = "vector.scatter"} : () -> ()
"gmem.op_model"() {op = "vector.store"} : () -> ()
"gmem.op_model"() {op = "vector.transfer_read"} : () -> ()

"gmem.op_model"() {op = "vector.type_cast", kind = "view"} : () -> ()

// The masked op in its region counts.
"gmem.op_model"() {op = "vector.mask", kind = "unknown"} : () -> ()
