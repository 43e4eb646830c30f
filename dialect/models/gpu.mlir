// gpu.mlir - op models: gpu and what is below it: kernels that run many times at
// once, and transfers that nothing stands for
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "gpu.launch", kind = "parallel"} : () -> ()
"gmem.op_model"() {op = "amdgpu.gather_to_lds", escapes} : () -> ()
