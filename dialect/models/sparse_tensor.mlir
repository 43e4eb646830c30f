// sparse_tensor.mlir - op models: sparse_tensor: buffers that grow
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// It gives a larger buffer for one that is full, which it frees.
"gmem.op_model"() {op = "sparse_tensor.push_back", kind = "dealloc"} : () -> ()
