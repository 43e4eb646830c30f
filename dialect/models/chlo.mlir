// chlo.mlir - op models: chlo, ops of clients that lower to stablehlo
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "chlo.constant", kind = "weight"} : () -> ()

// Only the shape of the operand is read.
"gmem.op_model"() {op = "chlo.constant_like", unread = array<i64: 0>} : () -> ()

// Element-wise.
"gmem.op_model"() {op = "chlo.acos", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "chlo.acosh", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "chlo.asin", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "chlo.asinh", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "chlo.atan", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "chlo.atanh", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "chlo.bessel_i1e", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "chlo.conj", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "chlo.cosh", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "chlo.digamma", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "chlo.erf", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "chlo.erf_inv", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "chlo.erfc", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "chlo.lgamma", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "chlo.sinh", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "chlo.square", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "chlo.tan", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "chlo.broadcast_add", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "chlo.broadcast_and", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "chlo.broadcast_atan2", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "chlo.broadcast_divide", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "chlo.broadcast_maximum", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "chlo.broadcast_minimum", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "chlo.broadcast_multiply",
  inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "chlo.broadcast_next_after",
  inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "chlo.broadcast_or", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "chlo.broadcast_polygamma",
  inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "chlo.broadcast_power", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "chlo.broadcast_remainder",
  inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "chlo.broadcast_shift_left",
  inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "chlo.broadcast_shift_right_arithmetic",
  inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "chlo.broadcast_shift_right_logical",
  inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "chlo.broadcast_subtract",
  inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "chlo.broadcast_xor", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "chlo.broadcast_zeta", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "chlo.next_after", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "chlo.polygamma", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "chlo.zeta", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "chlo.broadcast_select", inplace = array<i64: 1, 2>} : () -> ()

// Nothing is shared: operands are read, results are written.
"gmem.op_model"() {op = "chlo.broadcast_compare"} : () -> ()
"gmem.op_model"() {op = "chlo.broadcast_complex"} : () -> ()
"gmem.op_model"() {op = "chlo.is_inf"} : () -> ()
"gmem.op_model"() {op = "chlo.is_neg_inf"} : () -> ()
"gmem.op_model"() {op = "chlo.is_pos_inf"} : () -> ()
"gmem.op_model"() {op = "chlo.ragged_dot"} : () -> ()
"gmem.op_model"() {op = "chlo.top_k"} : () -> ()
