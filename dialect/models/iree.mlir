// iree.mlir - op models: iree and util: constants and globals of exported
// modules
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "iree.unfoldable_constant", kind = "weight"} : () -> ()
"gmem.op_model"() {op = "util.unfoldable_constant", kind = "weight"} : () -> ()
"gmem.op_model"() {op = "flow.tensor.constant", kind = "weight"} : () -> ()

// Parameters: separate memory, read as a whole. Mutable ones are not weights.
"gmem.op_model"() {op = "util.global.load", kind = "weight"} : () -> ()

// Where a global is: loads read it.
"gmem.op_model"() {op = "util.global.address", kind = "none"} : () -> ()

"gmem.op_model"() {op = "flow.variable.address", kind = "none"} : () -> ()

// Constants, unless the global is mutable.
"gmem.op_model"() {op = "util.global.load.indirect", kind = "weight"} : () -> ()

"gmem.op_model"() {op = "flow.variable.load", kind = "weight"} : () -> ()
"gmem.op_model"() {op = "flow.variable.load.indirect", kind = "weight"} : () -> ()

// Nothing is shared: operands are read, results are written.
"gmem.op_model"() {op = "flow.variable.store"} : () -> ()
"gmem.op_model"() {op = "flow.variable.store.indirect"} : () -> ()

"gmem.op_model"() {op = "util.global.store"} : () -> ()
"gmem.op_model"() {op = "util.global.store.indirect"} : () -> ()

"gmem.type_model"() {type = "!util.ptr", kind = "none"} : () -> ()
"gmem.type_model"() {type = "!iree.ptr", kind = "none"} : () -> ()

// Nothing is shared: operands are read, results are written.
"gmem.op_model"() {op = "check.expect_all_true"} : () -> ()
"gmem.op_model"() {op = "check.expect_almost_eq"} : () -> ()
"gmem.op_model"() {op = "check.expect_almost_eq_const"} : () -> ()
"gmem.op_model"() {op = "check.expect_eq"} : () -> ()
"gmem.op_model"() {op = "check.expect_eq_const"} : () -> ()
