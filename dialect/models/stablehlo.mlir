// stablehlo.mlir - op models: stablehlo
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "stablehlo.constant", kind = "weight"} : () -> ()

// Reshapes and bit casts: the same bytes with another shape or element type.
"gmem.op_model"() {op = "stablehlo.bitcast_convert", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "stablehlo.reshape", kind = "reshape"} : () -> ()

// The shape is read from the operand's type, not from memory.
"gmem.op_model"() {op = "stablehlo.get_dimension_size", unread = array<i64: 0>} : () -> ()

// Subtensors.
"gmem.op_model"() {op = "stablehlo.slice",
  slice = {begin = "start_indices", end = "limit_indices", step = "strides"}} : () -> ()
"gmem.op_model"() {op = "stablehlo.concatenate", concat = {axis = "dimension"}} : () -> ()

// A copy of operand 0 with some elements replaced.
"gmem.op_model"() {op = "stablehlo.dynamic_update_slice", destination = 0} : () -> ()
"gmem.op_model"() {op = "stablehlo.scatter", kind = "scalar_body",
  destination = 0} : () -> ()

// Element-wise, or with parameters per element of one axis (normalisation with
// given moments). Comparisons are not listed: their results have narrower
// elements than their operands.
"gmem.op_model"() {op = "stablehlo.abs", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "stablehlo.batch_norm_inference",
  inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "stablehlo.cbrt", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "stablehlo.ceil", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "stablehlo.convert", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "stablehlo.cosine", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "stablehlo.count_leading_zeros",
  inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "stablehlo.exponential", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "stablehlo.exponential_minus_one",
  inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "stablehlo.floor", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "stablehlo.log", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "stablehlo.log_plus_one", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "stablehlo.logistic", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "stablehlo.negate", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "stablehlo.not", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "stablehlo.popcnt", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "stablehlo.reduce_precision", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "stablehlo.round_nearest_afz", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "stablehlo.round_nearest_even", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "stablehlo.rsqrt", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "stablehlo.sign", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "stablehlo.sine", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "stablehlo.sqrt", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "stablehlo.tan", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "stablehlo.tanh", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "stablehlo.uniform_dequantize", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "stablehlo.uniform_quantize", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "stablehlo.add", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "stablehlo.and", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "stablehlo.atan2", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "stablehlo.divide", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "stablehlo.maximum", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "stablehlo.minimum", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "stablehlo.multiply", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "stablehlo.or", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "stablehlo.power", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "stablehlo.remainder", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "stablehlo.shift_left", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "stablehlo.shift_right_arithmetic",
  inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "stablehlo.shift_right_logical",
  inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "stablehlo.subtract", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "stablehlo.xor", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "stablehlo.clamp", inplace = array<i64: 0, 1, 2>} : () -> ()
"gmem.op_model"() {op = "stablehlo.select", inplace = array<i64: 1, 2>} : () -> ()
"gmem.op_model"() {op = "stablehlo.map", kind = "scalar_body", inplace = "all"} : () -> ()

// Reducers and comparators are code on scalars.
"gmem.op_model"() {op = "stablehlo.all_reduce", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "stablehlo.reduce", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "stablehlo.reduce_scatter", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "stablehlo.reduce_window", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "stablehlo.select_and_scatter", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "stablehlo.sort", kind = "scalar_body"} : () -> ()

"gmem.op_model"() {op = "stablehlo.tuple", tuple} : () -> ()
"gmem.op_model"() {op = "stablehlo.get_tuple_element", tuple_element = "index"} : () -> ()

"gmem.op_model"() {op = "stablehlo.case", kind = "branch"} : () -> ()
"gmem.op_model"() {op = "stablehlo.if", kind = "branch"} : () -> ()
"gmem.op_model"() {op = "stablehlo.while", kind = "loop"} : () -> ()

// Each result is an operand.
"gmem.op_model"() {op = "stablehlo.optimization_barrier", destination = "trailing"} : () -> ()

// Nothing is shared: operands are read, results are written.
"gmem.op_model"() {op = "stablehlo.all_gather"} : () -> ()
"gmem.op_model"() {op = "stablehlo.all_to_all"} : () -> ()
"gmem.op_model"() {op = "stablehlo.batch_norm_grad"} : () -> ()
"gmem.op_model"() {op = "stablehlo.batch_norm_training"} : () -> ()
"gmem.op_model"() {op = "stablehlo.cholesky"} : () -> ()
"gmem.op_model"() {op = "stablehlo.collective_broadcast"} : () -> ()
"gmem.op_model"() {op = "stablehlo.collective_permute"} : () -> ()
"gmem.op_model"() {op = "stablehlo.compare"} : () -> ()
"gmem.op_model"() {op = "stablehlo.complex"} : () -> ()
"gmem.op_model"() {op = "stablehlo.convolution"} : () -> ()
"gmem.op_model"() {op = "stablehlo.cross-replica-sum"} : () -> ()
"gmem.op_model"() {op = "stablehlo.dot"} : () -> ()
"gmem.op_model"() {op = "stablehlo.dot_general"} : () -> ()
"gmem.op_model"() {op = "stablehlo.dynamic_conv"} : () -> ()
"gmem.op_model"() {op = "stablehlo.dynamic_gather"} : () -> ()
"gmem.op_model"() {op = "stablehlo.dynamic_iota"} : () -> ()
"gmem.op_model"() {op = "stablehlo.dynamic_pad"} : () -> ()
"gmem.op_model"() {op = "stablehlo.dynamic_slice"} : () -> ()
"gmem.op_model"() {op = "stablehlo.einsum"} : () -> ()
"gmem.op_model"() {op = "stablehlo.fft"} : () -> ()
"gmem.op_model"() {op = "stablehlo.gather"} : () -> ()
"gmem.op_model"() {op = "stablehlo.imag"} : () -> ()
"gmem.op_model"() {op = "stablehlo.infeed"} : () -> ()
"gmem.op_model"() {op = "stablehlo.iota"} : () -> ()
"gmem.op_model"() {op = "stablehlo.is_finite"} : () -> ()
"gmem.op_model"() {op = "stablehlo.outfeed"} : () -> ()
"gmem.op_model"() {op = "stablehlo.pad"} : () -> ()
"gmem.op_model"() {op = "stablehlo.partition_id"} : () -> ()
"gmem.op_model"() {op = "stablehlo.real"} : () -> ()
"gmem.op_model"() {op = "stablehlo.real_dynamic_slice"} : () -> ()
"gmem.op_model"() {op = "stablehlo.recv"} : () -> ()
"gmem.op_model"() {op = "stablehlo.replica_id"} : () -> ()
"gmem.op_model"() {op = "stablehlo.reverse"} : () -> ()
"gmem.op_model"() {op = "stablehlo.rng"} : () -> ()
"gmem.op_model"() {op = "stablehlo.rng_bit_generator"} : () -> ()
"gmem.op_model"() {op = "stablehlo.send"} : () -> ()
"gmem.op_model"() {op = "stablehlo.set_dimension_size"} : () -> ()
"gmem.op_model"() {op = "stablehlo.torch_index_select"} : () -> ()
"gmem.op_model"() {op = "stablehlo.triangular_solve"} : () -> ()
"gmem.op_model"() {op = "stablehlo.unary_einsum"} : () -> ()

// Views where they move nothing.
"gmem.op_model"() {op = "stablehlo.transpose", permutation = "permutation"} : () -> ()

"gmem.op_model"() {op = "stablehlo.broadcast_in_dim",
  broadcast = "broadcast_dimensions"} : () -> ()
"gmem.op_model"() {op = "stablehlo.dynamic_broadcast_in_dim",
  broadcast = "broadcast_dimensions"} : () -> ()

"gmem.op_model"() {op = "stablehlo.broadcast", broadcast} : () -> ()

"gmem.op_model"() {op = "stablehlo.dynamic_reshape", kind = "reshape"} : () -> ()

"gmem.op_model"() {op = "stablehlo.after_all", kind = "none"} : () -> ()
"gmem.op_model"() {op = "stablehlo.create_token", kind = "none"} : () -> ()

"gmem.type_model"() {type = "!stablehlo.token", kind = "none"} : () -> ()

// Calls of other code, by its name. These say how a tensor is sharded.
"gmem.op_name"() {op = "stablehlo.custom_call",
  attribute = "call_target_name"} : () -> ()
"gmem.op_model"() {op = "stablehlo.custom_call.Sharding", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "stablehlo.custom_call.xla.sdy.FuncResultSharding",
  kind = "reshape"} : () -> ()

"gmem.op_name"() {op = "stablehlo.composite", attribute = "name"} : () -> ()
