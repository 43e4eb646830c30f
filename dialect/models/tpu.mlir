// tpu.mlir - op models: top and tpu
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "top.Weight", kind = "weight"} : () -> ()
"gmem.op_model"() {op = "top.None", kind = "none"} : () -> ()
"gmem.op_model"() {op = "top.Input", kind = "input"} : () -> ()
"gmem.op_model"() {op = "tpu.Group", kind = "layer_group"} : () -> ()

"gmem.op_model"() {op = "top.Reshape", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "top.Squeeze", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "top.Unsqueeze", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "tpu.Reshape", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "tpu.Squeeze", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "tpu.Unsqueeze", kind = "reshape"} : () -> ()

// Subtensors. If the limits are given as tensors, the attributes are ignored;
// some forms of concatenation compute.
"gmem.op_model"() {op = "top.Slice",
  slice = {begin = "offset", end = "ends", step = "steps", axes = "axes"},
  unless = [1, 2, 3]} : () -> ()
"gmem.op_model"() {op = "tpu.Slice",
  slice = {begin = "offset", end = "ends", step = "steps", axes = "axes"},
  unless = [1, 2, 3]} : () -> ()
"gmem.op_model"() {op = "top.Concat", concat = {axis = "axis"},
  unless = ["do_relu", "multipliers", "rshifts"]} : () -> ()
"gmem.op_model"() {op = "tpu.Concat", concat = {axis = "axis"},
  unless = ["do_relu", "multipliers", "rshifts"]} : () -> ()

// Drops the oldest slices of operand 0 and appends operand 1. tpu-mlir lets it
// overwrite operand 0 (InplaceInterface) and does so in real plans.
"gmem.op_model"() {op = "tpu.ConcatSlice", destination = 0} : () -> ()

// Linear attention: the state, operand 5, is updated in place; the result is
// the attention only.
"gmem.op_model"() {op = "tpu.ChunkGatedDeltaRule", writes = array<i64: 5>} : () -> ()
"gmem.op_model"() {op = "tpu.RecurrentGatedDeltaRule", writes = array<i64: 5>} : () -> ()

// Element-wise. Comparisons are not listed: the elements of their results are
// narrower than those of their operands.
"gmem.op_model"() {op = "top.Add", inplace = "all"} : () -> ()
"gmem.op_model"() {op = "top.Div", inplace = "all"} : () -> ()
"gmem.op_model"() {op = "top.Max", inplace = "all"} : () -> ()
"gmem.op_model"() {op = "top.Min", inplace = "all"} : () -> ()
"gmem.op_model"() {op = "top.Mul", inplace = "all"} : () -> ()
"gmem.op_model"() {op = "top.Sub", inplace = "all"} : () -> ()
"gmem.op_model"() {op = "tpu.Add", inplace = "all"} : () -> ()
"gmem.op_model"() {op = "tpu.Div", inplace = "all"} : () -> ()
"gmem.op_model"() {op = "tpu.Max", inplace = "all"} : () -> ()
"gmem.op_model"() {op = "tpu.Min", inplace = "all"} : () -> ()
"gmem.op_model"() {op = "tpu.Mul", inplace = "all"} : () -> ()
"gmem.op_model"() {op = "tpu.Sub", inplace = "all"} : () -> ()
"gmem.op_model"() {op = "top.Abs", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "top.AddConst", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "top.Clip", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "top.Cos", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "top.Elu", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "top.Erf", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "top.Exp", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "top.Floor", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "top.GELU", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "top.HardSigmoid", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "top.HardSwish", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "top.LeakyRelu", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "top.Log", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "top.MaxConst", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "top.MinConst", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "top.Mish", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "top.MulConst", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "top.PRelu", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "top.Relu", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "top.Rsqrt", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "top.SiLU", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "top.Sigmoid", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "top.Sign", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "top.Sin", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "top.Softplus", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "top.Sqrt", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "top.SubConst", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "top.Tanh", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tpu.Active", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tpu.AddConst", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tpu.BinaryConstShift", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tpu.Cast", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tpu.Clip", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tpu.DequantInt", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tpu.LeakyRelu", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tpu.Lut", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tpu.LutBF16", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tpu.MaxConst", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tpu.MinConst", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tpu.MulConst", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tpu.MulShift", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tpu.PRelu", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tpu.Relu", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tpu.RequantFp", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tpu.RequantInt", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tpu.SubConst", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tpu.BinaryShift", inplace = array<i64: 0, 1>} : () -> ()
