// onnx.mlir - op models: onnx
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "onnx.Constant", kind = "weight"} : () -> ()
"gmem.op_model"() {op = "krnl.global", kind = "weight"} : () -> ()

"gmem.op_model"() {op = "onnx.NoValue", kind = "none"} : () -> ()

"gmem.op_model"() {op = "onnx.Reshape", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "onnx.Flatten", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "onnx.Squeeze", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "onnx.SqueezeV11", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "onnx.Unsqueeze", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "onnx.UnsqueezeV11", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "onnx.Identity", kind = "reshape"} : () -> ()
