// gpu.mlir - op models: gpu and the dialects it lowers to: kernels that run in
// parallel, and asynchronous transfers without a token
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "gpu.launch", kind = "parallel"} : () -> ()
"gmem.op_model"() {op = "amdgpu.gather_to_lds", escapes} : () -> ()

// Nothing is shared: operands are read or written. With a token the op goes on,
// and the memrefs are left alone.
"gmem.op_model"() {op = "gpu.launch_func"} : () -> ()
"gmem.op_model"() {op = "gpu.memcpy"} : () -> ()
"gmem.op_model"() {op = "gpu.memset"} : () -> ()
