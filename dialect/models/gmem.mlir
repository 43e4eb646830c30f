// gmem.mlir - op models: gmem: accesses by the caller (gmem-workspace-io)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "gmem.inputs"} : () -> ()
"gmem.op_model"() {op = "gmem.outputs"} : () -> ()
