// vector.mlir - op models: vector, on tensors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A vector is written into a tensor.
"gmem.op_model"() {op = "vector.transfer_write", destination = 1} : () -> ()
