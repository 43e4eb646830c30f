// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"gmem.op_model"() {op = "own.table", kind = "weight"} : () -> ()
"gmem.op_model"() {op = "own.scale", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "own.mix", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "own.print"} : () -> ()
