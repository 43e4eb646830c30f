// mhlo.mlir - op models: mhlo
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "mhlo.constant", kind = "weight"} : () -> ()

// Reshapes and bit casts: the same bytes with another shape or element type.
"gmem.op_model"() {op = "mhlo.add_dependency", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "mhlo.bitcast", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "mhlo.bitcast_convert", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "mhlo.reshape", kind = "reshape"} : () -> ()

// The shape is read from the operand's type, not from memory.
"gmem.op_model"() {op = "mhlo.get_dimension_size", unread = array<i64: 0>} : () -> ()

// Subtensors.
"gmem.op_model"() {op = "mhlo.slice",
  slice = {begin = "start_indices", end = "limit_indices", step = "strides"}} : () -> ()
"gmem.op_model"() {op = "mhlo.concatenate", concat = {axis = "dimension"}} : () -> ()

// A copy of operand 0 with some elements replaced.
"gmem.op_model"() {op = "mhlo.dynamic_update_slice", destination = 0} : () -> ()
"gmem.op_model"() {op = "mhlo.scatter", kind = "scalar_body", destination = 0} : () -> ()

// Element-wise, or with parameters per element of one axis (normalisation with
// given moments). Comparisons are not listed: their results have narrower
// elements than their operands.
"gmem.op_model"() {op = "mhlo.abs", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.batch_norm_inference", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.cbrt", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.ceil", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.convert", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.cosine", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.count_leading_zeros", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.exponential", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.exponential_minus_one", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.floor", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.log", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.log_plus_one", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.logistic", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.negate", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.not", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.popcnt", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.reduce_precision", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.round_nearest_afz", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.round_nearest_even", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.rsqrt", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.sign", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.sine", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.sqrt", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.tan", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.tanh", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.uniform_dequantize", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.uniform_quantize", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.copy", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.erf", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "mhlo.add", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "mhlo.and", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "mhlo.atan2", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "mhlo.divide", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "mhlo.maximum", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "mhlo.minimum", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "mhlo.multiply", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "mhlo.or", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "mhlo.power", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "mhlo.remainder", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "mhlo.shift_left", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "mhlo.shift_right_arithmetic",
  inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "mhlo.shift_right_logical", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "mhlo.subtract", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "mhlo.xor", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "mhlo.clamp", inplace = array<i64: 0, 1, 2>} : () -> ()
"gmem.op_model"() {op = "mhlo.select", inplace = array<i64: 1, 2>} : () -> ()
"gmem.op_model"() {op = "mhlo.map", kind = "scalar_body", inplace = "all"} : () -> ()

// Reducers and comparators are code on scalars.
"gmem.op_model"() {op = "mhlo.all_reduce", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "mhlo.reduce", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "mhlo.reduce_scatter", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "mhlo.reduce_window", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "mhlo.select_and_scatter", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "mhlo.sort", kind = "scalar_body"} : () -> ()

"gmem.op_model"() {op = "mhlo.tuple", tuple} : () -> ()
"gmem.op_model"() {op = "mhlo.get_tuple_element", tuple_element = "index"} : () -> ()

"gmem.op_model"() {op = "mhlo.case", kind = "branch"} : () -> ()
"gmem.op_model"() {op = "mhlo.if", kind = "branch"} : () -> ()
"gmem.op_model"() {op = "mhlo.while", kind = "loop"} : () -> ()

// Each result is an operand.
"gmem.op_model"() {op = "mhlo.optimization_barrier", destination = "trailing"} : () -> ()

// Nothing is shared: operands are read, results are written.
"gmem.op_model"() {op = "mhlo.all_gather"} : () -> ()
"gmem.op_model"() {op = "mhlo.all_to_all"} : () -> ()
"gmem.op_model"() {op = "mhlo.batch_norm_grad"} : () -> ()
"gmem.op_model"() {op = "mhlo.batch_norm_training"} : () -> ()
"gmem.op_model"() {op = "mhlo.cholesky"} : () -> ()
"gmem.op_model"() {op = "mhlo.collective_broadcast"} : () -> ()
"gmem.op_model"() {op = "mhlo.collective_permute"} : () -> ()
"gmem.op_model"() {op = "mhlo.compare"} : () -> ()
"gmem.op_model"() {op = "mhlo.complex"} : () -> ()
"gmem.op_model"() {op = "mhlo.convolution"} : () -> ()
"gmem.op_model"() {op = "mhlo.cross-replica-sum"} : () -> ()
"gmem.op_model"() {op = "mhlo.dot"} : () -> ()
"gmem.op_model"() {op = "mhlo.dot_general"} : () -> ()
"gmem.op_model"() {op = "mhlo.dynamic_conv"} : () -> ()
"gmem.op_model"() {op = "mhlo.dynamic_gather"} : () -> ()
"gmem.op_model"() {op = "mhlo.dynamic_iota"} : () -> ()
"gmem.op_model"() {op = "mhlo.dynamic_pad"} : () -> ()
"gmem.op_model"() {op = "mhlo.dynamic_slice"} : () -> ()
"gmem.op_model"() {op = "mhlo.einsum"} : () -> ()
"gmem.op_model"() {op = "mhlo.fft"} : () -> ()
"gmem.op_model"() {op = "mhlo.gather"} : () -> ()
"gmem.op_model"() {op = "mhlo.imag"} : () -> ()
"gmem.op_model"() {op = "mhlo.infeed"} : () -> ()
"gmem.op_model"() {op = "mhlo.iota"} : () -> ()
"gmem.op_model"() {op = "mhlo.is_finite"} : () -> ()
"gmem.op_model"() {op = "mhlo.outfeed"} : () -> ()
"gmem.op_model"() {op = "mhlo.pad"} : () -> ()
"gmem.op_model"() {op = "mhlo.partition_id"} : () -> ()
"gmem.op_model"() {op = "mhlo.real"} : () -> ()
"gmem.op_model"() {op = "mhlo.real_dynamic_slice"} : () -> ()
"gmem.op_model"() {op = "mhlo.recv"} : () -> ()
"gmem.op_model"() {op = "mhlo.replica_id"} : () -> ()
"gmem.op_model"() {op = "mhlo.reverse"} : () -> ()
"gmem.op_model"() {op = "mhlo.rng"} : () -> ()
"gmem.op_model"() {op = "mhlo.rng_bit_generator"} : () -> ()
"gmem.op_model"() {op = "mhlo.send"} : () -> ()
"gmem.op_model"() {op = "mhlo.set_dimension_size"} : () -> ()
"gmem.op_model"() {op = "mhlo.torch_index_select"} : () -> ()
"gmem.op_model"() {op = "mhlo.triangular_solve"} : () -> ()
"gmem.op_model"() {op = "mhlo.unary_einsum"} : () -> ()

// Views where they move nothing.
"gmem.op_model"() {op = "mhlo.transpose", permutation = "permutation"} : () -> ()

"gmem.op_model"() {op = "mhlo.broadcast_in_dim",
  broadcast = "broadcast_dimensions"} : () -> ()
"gmem.op_model"() {op = "mhlo.dynamic_broadcast_in_dim",
  broadcast = "broadcast_dimensions"} : () -> ()

"gmem.op_model"() {op = "mhlo.broadcast", broadcast} : () -> ()

"gmem.op_model"() {op = "mhlo.dynamic_reshape", kind = "reshape"} : () -> ()

"gmem.op_model"() {op = "mhlo.after_all", kind = "none"} : () -> ()
"gmem.op_model"() {op = "mhlo.create_token", kind = "none"} : () -> ()

"gmem.type_model"() {type = "!mhlo.token", kind = "none"} : () -> ()

// Calls of other code, by its name. These say how a tensor is sharded.
"gmem.op_name"() {op = "mhlo.custom_call",
  attribute = "call_target_name"} : () -> ()
"gmem.op_model"() {op = "mhlo.custom_call.Sharding", kind = "reshape"} : () -> ()
