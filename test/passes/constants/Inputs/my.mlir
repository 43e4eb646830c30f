// Models of a dialect that MLIR does not know.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"gmem.pure_ops"() {ops = ["my.turn", "my.tile", "my.widen", "my.sum",
  "my.split"]} : () -> ()
"gmem.op_model"() {op = "my.table", kind = "weight"} : () -> ()
"gmem.op_model"() {op = "my.into", destination = 1} : () -> ()
"gmem.op_model"() {op = "my.over", inplace = array<i64: 0>} : () -> ()
