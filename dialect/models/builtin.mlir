// builtin.mlir - op models: builtin
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "builtin.unrealized_conversion_cast", kind = "reshape"} : () -> ()
