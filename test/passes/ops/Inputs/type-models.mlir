// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"gmem.type_model"() {type = "!own.tensor"} : () -> ()
"gmem.type_model"() {type = "!own.tile", element_bits = 16 : i64, round = array<i64: 4, 32>} : () -> ()
"gmem.type_model"() {type = "!own.queue", kind = "none"} : () -> ()
"gmem.type_model"() {encoding = "#own.layout<\22nc32\22>", round = array<i64: 32>} : () -> ()
"gmem.type_model"() {encoding = "#own.packed", element_bits = 4 : i64} : () -> ()
"gmem.op_model"() {op = "own.relu", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "own.to"} : () -> ()
