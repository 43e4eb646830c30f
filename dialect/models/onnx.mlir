// onnx.mlir - op models: onnx and krnl
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "onnx.Constant", kind = "weight"} : () -> ()
"gmem.op_model"() {op = "krnl.global", kind = "weight"} : () -> ()
"gmem.op_model"() {op = "krnl.packed_const", kind = "weight"} : () -> ()

"gmem.op_model"() {op = "onnx.NoValue", kind = "none"} : () -> ()

// Reshapes: the same bytes with another shape, which is in the type.
"gmem.op_model"() {op = "onnx.Flatten", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "onnx.Identity", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "onnx.Reshape", kind = "reshape",
  unread = array<i64: 1>} : () -> ()
"gmem.op_model"() {op = "onnx.Squeeze", kind = "reshape",
  unread = array<i64: 1>} : () -> ()
"gmem.op_model"() {op = "onnx.SqueezeV11", kind = "reshape",
  unread = array<i64: 1>} : () -> ()
"gmem.op_model"() {op = "onnx.Unsqueeze", kind = "reshape",
  unread = array<i64: 1>} : () -> ()
"gmem.op_model"() {op = "onnx.UnsqueezeV11", kind = "reshape",
  unread = array<i64: 1>} : () -> ()

"gmem.op_model"() {op = "onnx.Dim", unread = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Shape", unread = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Size", unread = array<i64: 0>} : () -> ()

// Subtensors.
"gmem.op_model"() {op = "onnx.Slice",
  slice = {begin = 1, end = 2, axes = 3, step = 4}} : () -> ()
"gmem.op_model"() {op = "onnx.Concat", concat = {axis = "axis"}} : () -> ()

// A copy of operand 0 with some elements replaced.
"gmem.op_model"() {op = "onnx.ScatterElements", destination = 0} : () -> ()
"gmem.op_model"() {op = "onnx.ScatterND", destination = 0} : () -> ()

// Element-wise. Comparisons are not listed: the elements of their results are
// narrower than those of their operands.
"gmem.op_model"() {op = "onnx.Abs", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Acos", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Acosh", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Asin", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Asinh", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Atan", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Atanh", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.BatchNormalizationInferenceMode",
  inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.BitwiseNot", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Cast", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Ceil", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Celu", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Clip", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.ClipV11", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.ClipV12", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.ClipV6", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Cos", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Cosh", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Elu", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Erf", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Exp", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Floor", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Gelu", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.HardSigmoid", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.HardSwish", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.LeakyRelu", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Log", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Mish", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Neg", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Not", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.PRelu", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Pow", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Reciprocal", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Relu", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Round", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Selu", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Shrink", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Sigmoid", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Sign", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Sin", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Sinh", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Softplus", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Softsign", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Sqrt", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Tan", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Tanh", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.ThresholdedRelu", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "onnx.Add", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "onnx.And", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "onnx.BitShift", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "onnx.BitwiseAnd", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "onnx.BitwiseOr", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "onnx.BitwiseXor", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "onnx.Div", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "onnx.Mod", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "onnx.Mul", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "onnx.Or", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "onnx.Sub", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "onnx.Xor", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "onnx.Max", inplace = "all"} : () -> ()
"gmem.op_model"() {op = "onnx.Mean", inplace = "all"} : () -> ()
"gmem.op_model"() {op = "onnx.Min", inplace = "all"} : () -> ()
"gmem.op_model"() {op = "onnx.Sum", inplace = "all"} : () -> ()
"gmem.op_model"() {op = "onnx.Where", inplace = array<i64: 1, 2>} : () -> ()

"gmem.op_model"() {op = "onnx.If", kind = "branch"} : () -> ()
