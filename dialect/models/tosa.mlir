// tosa.mlir - op models: tosa
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "tosa.const", kind = "weight"} : () -> ()

// Shape computations.
"gmem.op_model"() {op = "tosa.add_shape", kind = "none"} : () -> ()
"gmem.op_model"() {op = "tosa.concat_shape", kind = "none"} : () -> ()
"gmem.op_model"() {op = "tosa.const_shape", kind = "none"} : () -> ()
"gmem.op_model"() {op = "tosa.div_ceil_shape", kind = "none"} : () -> ()
"gmem.op_model"() {op = "tosa.div_floor_shape", kind = "none"} : () -> ()
"gmem.op_model"() {op = "tosa.exp2_shape", kind = "none"} : () -> ()
"gmem.op_model"() {op = "tosa.log2_ceil_shape", kind = "none"} : () -> ()
"gmem.op_model"() {op = "tosa.log2_floor_shape", kind = "none"} : () -> ()
"gmem.op_model"() {op = "tosa.max_shape", kind = "none"} : () -> ()
"gmem.op_model"() {op = "tosa.min_shape", kind = "none"} : () -> ()
"gmem.op_model"() {op = "tosa.mod_shape", kind = "none"} : () -> ()
"gmem.op_model"() {op = "tosa.mul_shape", kind = "none"} : () -> ()
"gmem.op_model"() {op = "tosa.slice_shape", kind = "none"} : () -> ()
"gmem.op_model"() {op = "tosa.sub_shape", kind = "none"} : () -> ()
"gmem.op_model"() {op = "tosa.dim", kind = "none", unread = array<i64: 0>} : () -> ()

"gmem.op_model"() {op = "tosa.identity", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "tosa.reshape", kind = "reshape"} : () -> ()

// Subtensors.
"gmem.op_model"() {op = "tosa.slice", slice = {begin = 1, size = 2}} : () -> ()
"gmem.op_model"() {op = "tosa.concat", concat = {axis = "axis"}} : () -> ()

// A copy of operand 0 with some rows replaced.
"gmem.op_model"() {op = "tosa.scatter", destination = 0} : () -> ()

// Element-wise. Comparisons are not listed: the elements of their results are
// narrower than those of their operands.
"gmem.op_model"() {op = "tosa.abs", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tosa.bitwise_not", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tosa.cast", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tosa.ceil", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tosa.clamp", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tosa.clz", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tosa.cos", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tosa.erf", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tosa.exp", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tosa.floor", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tosa.log", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tosa.logical_not", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tosa.negate", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tosa.reciprocal", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tosa.rescale", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tosa.rsqrt", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tosa.sigmoid", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tosa.sin", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tosa.table", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tosa.tanh", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "tosa.add", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "tosa.arithmetic_right_shift",
  inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "tosa.bitwise_and", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "tosa.bitwise_or", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "tosa.bitwise_xor", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "tosa.intdiv", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "tosa.logical_and", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "tosa.logical_left_shift", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "tosa.logical_or", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "tosa.logical_right_shift", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "tosa.logical_xor", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "tosa.maximum", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "tosa.minimum", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "tosa.mul", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "tosa.pow", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "tosa.sub", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "tosa.select", inplace = array<i64: 1, 2>} : () -> ()

"gmem.op_model"() {op = "tosa.cond_if", kind = "branch"} : () -> ()
"gmem.op_model"() {op = "tosa.while_loop", kind = "loop"} : () -> ()
