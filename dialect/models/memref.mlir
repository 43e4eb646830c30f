// memref.mlir - op models: memref: allocations, deallocations, views
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "memref.alloc", kind = "alloc"} : () -> ()
"gmem.op_model"() {op = "memref.alloca", kind = "alloc", stack} : () -> ()
"gmem.op_model"() {op = "memref.dealloc", kind = "dealloc"} : () -> ()
"gmem.op_model"() {op = "memref.realloc", kind = "dealloc"} : () -> ()
"gmem.op_model"() {op = "memref.get_global", kind = "global"} : () -> ()

"gmem.op_model"() {op = "memref.assume_alignment", kind = "view"} : () -> ()
"gmem.op_model"() {op = "memref.cast", kind = "view"} : () -> ()
"gmem.op_model"() {op = "memref.collapse_shape", kind = "view"} : () -> ()
"gmem.op_model"() {op = "memref.dim", kind = "view"} : () -> ()
"gmem.op_model"() {op = "memref.expand_shape", kind = "view"} : () -> ()
"gmem.op_model"() {op = "memref.extract_strided_metadata", kind = "view"} : () -> ()
"gmem.op_model"() {op = "memref.memory_space_cast", kind = "view"} : () -> ()
"gmem.op_model"() {op = "memref.rank", kind = "view"} : () -> ()
"gmem.op_model"() {op = "memref.reinterpret_cast", kind = "view"} : () -> ()
"gmem.op_model"() {op = "memref.reshape", kind = "view"} : () -> ()
"gmem.op_model"() {op = "memref.subview", kind = "view"} : () -> ()
"gmem.op_model"() {op = "memref.transpose", kind = "view"} : () -> ()
"gmem.op_model"() {op = "memref.view", kind = "view"} : () -> ()

// The address escapes, or an asynchronous transfer uses it.
"gmem.op_model"() {op = "memref.extract_aligned_pointer_as_index",
  escapes} : () -> ()
"gmem.op_model"() {op = "memref.dma_start", escapes} : () -> ()

"gmem.op_model"() {op = "memref.alloca_scope", kind = "branch"} : () -> ()

// Nothing is shared: operands are read, results are written.
"gmem.op_model"() {op = "memref.atomic_rmw"} : () -> ()
"gmem.op_model"() {op = "memref.copy", inplace = array<i64: 0>, destination = 1,
  unread = array<i64: 1>} : () -> ()
"gmem.op_model"() {op = "memref.prefetch"} : () -> ()
"gmem.op_model"() {op = "memref.store"} : () -> ()

// The result may be, or hold, the memory of an operand.
"gmem.op_model"() {op = "memref.distinct_objects", kind = "unknown"} : () -> ()
"gmem.op_model"() {op = "memref.load", kind = "unknown"} : () -> ()

// A region of scalar code; a transfer that is still running.
"gmem.op_model"() {op = "memref.dma_wait", kind = "unknown"} : () -> ()
"gmem.op_model"() {op = "memref.generic_atomic_rmw", kind = "unknown"} : () -> ()
