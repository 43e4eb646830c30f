// ttir.mlir - op models: ttir
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "ttir.constant", kind = "weight"} : () -> ()
"gmem.argument_model"() {attribute = "ttcore.argument_type",
  contains = "constant", kind = "weight"} : () -> ()
"gmem.argument_model"() {attribute = "ttcore.argument_type",
  contains = "parameter", kind = "weight"} : () -> ()
"gmem.argument_model"() {attribute = "tt.argument_type",
  contains = "constant", kind = "weight"} : () -> ()
"gmem.argument_model"() {attribute = "tt.argument_type",
  contains = "parameter", kind = "weight"} : () -> ()

"gmem.op_model"() {op = "ttir.empty", kind = "empty"} : () -> ()

"gmem.op_model"() {op = "ttir.reshape", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "ttir.squeeze", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "ttir.unsqueeze", kind = "reshape"} : () -> ()

// Subtensors.
"gmem.op_model"() {op = "ttir.slice_static",
  slice = {begin = "begins", end = "ends", step = "step"}} : () -> ()
"gmem.op_model"() {op = "ttir.index",
  slice = {begin = "begin", end = "end", step = "step", axes = "dim"}} : () -> ()
"gmem.op_model"() {op = "ttir.concat", concat = {axis = "dim"}} : () -> ()

// Caches: operand 0 with some elements replaced, in place if there is no
// result.
"gmem.op_model"() {op = "ttir.fill_cache", destination = 0,
  writes = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.paged_fill_cache", destination = 0,
  writes = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.paged_update_cache", destination = 0,
  writes = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.update_cache", destination = 0,
  writes = array<i64: 0>} : () -> ()

// Element-wise; older versions of some take the result as last operand.
"gmem.op_model"() {op = "ttir.abs", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.bitwise_not", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.cbrt", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.ceil", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.clamp_scalar", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.cos", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.erf", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.erfc", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.exp", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.expm1", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.floor", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.gelu", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.hardsigmoid", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.leaky_relu", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.log", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.log1p", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.logical_not", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.mish", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.neg", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.reciprocal", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.relu", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.relu6", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.rsqrt", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.sigmoid", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.sign", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.silu", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.sin", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.sqrt", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.tan", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.tanh", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.typecast", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "ttir.add", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "ttir.atan2", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "ttir.bitwise_and", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "ttir.bitwise_or", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "ttir.bitwise_xor", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "ttir.div", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "ttir.divide", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "ttir.logical_and", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "ttir.logical_left_shift", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "ttir.logical_or", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "ttir.logical_right_shift", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "ttir.logical_xor", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "ttir.maximum", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "ttir.minimum", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "ttir.multiply", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "ttir.pow", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "ttir.remainder", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "ttir.subtract", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "ttir.where", inplace = array<i64: 1, 2>} : () -> ()
