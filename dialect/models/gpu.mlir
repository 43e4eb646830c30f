// gpu.mlir - op models: gpu and omp: kernels that run many times at once
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "gpu.launch", kind = "parallel"} : () -> ()
"gmem.op_model"() {op = "omp.parallel", kind = "parallel"} : () -> ()
