// alias-models.mlir - op models of the ops in the tests of aliases.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "t.relu", kind = "compute", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "t.add", kind = "compute", inplace = "all"} : () -> ()
// Adds operand 0, turned over, to operand 1: only the latter can be written
// over. The contents of operand 2 do not matter.
"gmem.op_model"() {op = "t.addt", kind = "compute", inplace = array<i64: 1>, unread = array<i64: 2>} : () -> ()

"gmem.op_model"() {op = "t.into", kind = "compute", destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "t.into0", kind = "compute", destination = 0} : () -> ()
"gmem.op_model"() {op = "t.addinto", kind = "compute", inplace = array<i64: 0>, destination = "trailing"} : () -> ()

"gmem.op_model"() {op = "t.slice", kind = "compute", slice = {begin = "begin", size = "size"}} : () -> ()
"gmem.op_model"() {op = "t.range", kind = "compute", slice = {begin = "begin", end = "end", step = "step", axes = "axes"}} : () -> ()
"gmem.op_model"() {op = "t.rangeof", kind = "compute", slice = {operand = 1, begin = 0, end = 2, axes = 3, step = 4}} : () -> ()
"gmem.op_model"() {op = "t.select", kind = "compute", slice = {begin = "index", axes = "dim"}} : () -> ()

"gmem.op_model"() {op = "t.concat", kind = "compute", concat = {axis = "axis"}} : () -> ()
"gmem.op_model"() {op = "t.concat1", kind = "compute", concat = {axis = "axis", first = 1}} : () -> ()
"gmem.op_model"() {op = "t.insert", kind = "compute", destination = 1, insert = {operand = 0, begin = "begin"}} : () -> ()

"gmem.op_model"() {op = "t.tuple", kind = "compute", tuple} : () -> ()
"gmem.op_model"() {op = "t.element", kind = "compute", tuple_element = "index"} : () -> ()
