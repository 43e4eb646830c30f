// sparse_tensor.mlir - op models: sparse_tensor: buffers that grow
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Replaces a full buffer by a larger one and frees the old one.
"gmem.op_model"() {op = "sparse_tensor.push_back", kind = "dealloc"} : () -> ()
