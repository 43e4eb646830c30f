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

// At the boundary of a module: the handle is the tensor.
"gmem.op_model"() {op = "hal.tensor.import", kind = "unknown"} : () -> ()
"gmem.op_model"() {op = "hal.tensor.export", kind = "unknown"} : () -> ()

// The same tensors, later: other devices have done with them.
"gmem.op_model"() {op = "flow.tensor.barrier", kind = "reshape"} : () -> ()

// Operand 0 once more, under another layout or on another device.
"gmem.op_model"() {op = "flow.tensor.encode"} : () -> ()
"gmem.op_model"() {op = "flow.tensor.transfer"} : () -> ()

// Results in destinations, which are the last operands, as those above.
"gmem.op_model"() {op = "iree_linalg_ext.exp_reduction",
  kind = "scalar_body", destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "iree_linalg_ext.gather", destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "iree_linalg_ext.map_gather",
  kind = "scalar_body", destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "iree_linalg_ext.map_load",
  kind = "scalar_body", destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "iree_linalg_ext.map_scatter",
  kind = "scalar_body", destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "iree_linalg_ext.map_store",
  kind = "scalar_body", destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "iree_linalg_ext.online_attention",
  kind = "scalar_body", destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "iree_linalg_ext.reverse", destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "iree_linalg_ext.softmax", destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "iree_linalg_ext.winograd.filter_transform",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "iree_linalg_ext.winograd.input_transform",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "iree_linalg_ext.winograd.output_transform",
  destination = "trailing"} : () -> ()

// Sizes may follow the destination, which is operand 1.
"gmem.op_model"() {op = "iree_linalg_ext.im2col", destination = 1} : () -> ()
"gmem.op_model"() {op = "iree_linalg_ext.pack", destination = 1} : () -> ()
"gmem.op_model"() {op = "iree_linalg_ext.unpack", destination = 1} : () -> ()

// Nothing is shared: operands are read, results are written.
"gmem.op_model"() {op = "iree_linalg_ext.arg_compare", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "iree_linalg_ext.topk_v2", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "flow.collective.all_gather"} : () -> ()
"gmem.op_model"() {op = "flow.collective.all_reduce"} : () -> ()
"gmem.op_model"() {op = "flow.collective.all_to_all"} : () -> ()
"gmem.op_model"() {op = "flow.collective.reduce_scatter"} : () -> ()
"gmem.op_model"() {op = "flow.collective.send_recv"} : () -> ()

"gmem.type_model"() {type = "!hal.buffer_view", kind = "none"} : () -> ()
"gmem.type_model"() {type = "!hal.fence", kind = "none"} : () -> ()
"gmem.type_model"() {type = "!hal.device", kind = "none"} : () -> ()
