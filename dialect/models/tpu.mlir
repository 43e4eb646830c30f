// tpu.mlir - op models: top and tpu
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "top.Weight", kind = "weight"} : () -> ()

"gmem.op_model"() {op = "top.None", kind = "none"} : () -> ()

"gmem.op_model"() {op = "top.Input", kind = "input"} : () -> ()

"gmem.op_model"() {op = "tpu.Group", kind = "layer_group"} : () -> ()

"gmem.op_model"() {op = "top.Reshape", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "tpu.Reshape", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "top.Squeeze", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "tpu.Squeeze", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "top.Unsqueeze", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "tpu.Unsqueeze", kind = "reshape"} : () -> ()
