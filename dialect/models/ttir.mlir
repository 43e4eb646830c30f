// ttir.mlir - op models: ttir
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "ttir.constant", kind = "weight"} : () -> ()

"gmem.op_model"() {op = "ttir.reshape", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "ttir.squeeze", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "ttir.unsqueeze", kind = "reshape"} : () -> ()
