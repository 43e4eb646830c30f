// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"gmem.pure_ops"() {ops = ["my.widen", "my.narrow", "my.join"]} : () -> ()
"gmem.op_model"() {op = "my.widen"} : () -> ()
"gmem.op_model"() {op = "my.narrow"} : () -> ()
"gmem.op_model"() {op = "my.join"} : () -> ()
"gmem.op_model"() {op = "my.send"} : () -> ()
