// gpu.mlir - op models: gpu and the dialects it lowers to: kernels that run in
// parallel, and asynchronous transfers without a token
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "gpu.launch", kind = "parallel"} : () -> ()
"gmem.op_model"() {op = "amdgpu.gather_to_lds", escapes} : () -> ()
