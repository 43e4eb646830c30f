// nano.models.mlir - what the ops of the dialect nano do to memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"gmem.op_model"() {op = "nano.weight", kind = "weight"} : () -> ()
"gmem.op_model"() {op = "nano.matmul"} : () -> ()
"gmem.op_model"() {op = "nano.add", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "nano.relu", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "nano.concat", concat = {axis = "axis"}} : () -> ()
"gmem.op_model"() {op = "nano.repeat", kind = "for"} : () -> ()
"gmem.op_model"() {op = "nano.next"} : () -> ()
