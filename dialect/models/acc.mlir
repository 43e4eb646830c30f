// acc.mlir - op models: acc: asynchronous work in queues
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "acc.enter_data", escapes} : () -> ()
"gmem.op_model"() {op = "acc.exit_data", escapes} : () -> ()
"gmem.op_model"() {op = "acc.kernels", escapes} : () -> ()
"gmem.op_model"() {op = "acc.parallel", escapes} : () -> ()
"gmem.op_model"() {op = "acc.serial", escapes} : () -> ()
"gmem.op_model"() {op = "acc.update", escapes} : () -> ()
