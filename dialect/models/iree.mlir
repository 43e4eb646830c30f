// iree.mlir - op models: iree and util: constants and globals of exported
// modules
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "iree.unfoldable_constant", kind = "weight"} : () -> ()
"gmem.op_model"() {op = "util.unfoldable_constant", kind = "weight"} : () -> ()
"gmem.op_model"() {op = "flow.tensor.constant", kind = "weight"} : () -> ()

// Parameters: separate memory, read as a whole. Mutable ones are not weights.
"gmem.op_model"() {op = "util.global.load", kind = "weight"} : () -> ()
