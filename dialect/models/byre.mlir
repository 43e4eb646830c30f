// byre.mlir - op models: byre, kernels of a library of ByteIR, on tensors or memrefs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A kernel reads and writes its operands; which ones are written is not said.
"gmem.op_model"() {op = "byre.compute"} : () -> ()
"gmem.op_model"() {op = "byre.compute_on_tensor",
  destination = "trailing"} : () -> ()

"gmem.op_model"() {op = "byre.copy"} : () -> ()

// The memory of the operand, from an offset on.
"gmem.op_model"() {op = "byre.alias", kind = "view"} : () -> ()

"gmem.op_name"() {op = "byre.compute", attribute = "callee"} : () -> ()
"gmem.op_name"() {op = "byre.compute_on_tensor", attribute = "callee"} : () -> ()
