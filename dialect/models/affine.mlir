// affine.mlir - op models: affine
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "affine.if", kind = "branch"} : () -> ()
"gmem.op_model"() {op = "affine.for", kind = "for"} : () -> ()
"gmem.op_model"() {op = "affine.parallel", kind = "parallel"} : () -> ()

// An asynchronous transfer.
"gmem.op_model"() {op = "affine.dma_start", escapes} : () -> ()

// Nothing is shared: operands are read, results are written.
"gmem.op_model"() {op = "affine.prefetch"} : () -> ()
"gmem.op_model"() {op = "affine.store"} : () -> ()
"gmem.op_model"() {op = "affine.vector_load"} : () -> ()
"gmem.op_model"() {op = "affine.vector_store"} : () -> ()

// The element may be a memref.
"gmem.op_model"() {op = "affine.load", kind = "unknown"} : () -> ()

// A transfer that is still running.
"gmem.op_model"() {op = "affine.dma_wait", kind = "unknown"} : () -> ()
