// iree.mlir - op models: dialects of IREE: constants and globals of exported
// modules, tensors of flow, ops on destinations
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

// Reshapes and bit casts; dynamic dimensions are operands, too.
"gmem.op_model"() {op = "flow.tensor.bitcast", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "flow.tensor.reshape", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "flow.tensor.tie_shape", kind = "reshape"} : () -> ()

"gmem.op_model"() {op = "flow.tensor.alloca", kind = "empty"} : () -> ()
"gmem.op_model"() {op = "flow.tensor.empty", kind = "empty"} : () -> ()

"gmem.op_model"() {op = "flow.tensor.clone", inplace = array<i64: 0>} : () -> ()

// A copy of the target with some elements replaced.
"gmem.op_model"() {op = "flow.tensor.store", destination = 1} : () -> ()
"gmem.op_model"() {op = "flow.tensor.update", destination = 0} : () -> ()

// Each result is an operand.
"gmem.op_model"() {op = "util.optimization_barrier", destination = "trailing"} : () -> ()

// Results are made in the destinations, which are the last operands.
"gmem.op_model"() {op = "iree_linalg_ext.attention", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "iree_linalg_ext.fft", destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "iree_linalg_ext.scan", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "iree_linalg_ext.scatter", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "iree_linalg_ext.sort", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "iree_linalg_ext.topk", kind = "scalar_body",
  destination = "trailing"} : () -> ()

// Nothing is shared: operands are read, results are written.
"gmem.op_model"() {op = "flow.dispatch"} : () -> ()
"gmem.op_model"() {op = "flow.tensor.load"} : () -> ()
"gmem.op_model"() {op = "flow.tensor.slice"} : () -> ()
"gmem.op_model"() {op = "flow.tensor.splat"} : () -> ()
"gmem.op_model"() {op = "flow.tensor.trace"} : () -> ()
"gmem.op_model"() {op = "check.expect_all_true"} : () -> ()
"gmem.op_model"() {op = "check.expect_almost_eq"} : () -> ()
"gmem.op_model"() {op = "check.expect_almost_eq_const"} : () -> ()
"gmem.op_model"() {op = "check.expect_eq"} : () -> ()
"gmem.op_model"() {op = "check.expect_eq_const"} : () -> ()
