// tosa.mlir - a small quantized network: ops that need each of the steps from
// TOSA down, broadcasts and rescales among them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%x: tensor<1x6x6x4xi8>) -> tensor<1x6x6x8xi8> {
  %weight = "tosa.const"() {values = dense<3> : tensor<8x3x3x4xi8>} : () -> tensor<8x3x3x4xi8>
  %bias = "tosa.const"() {values = dense<7> : tensor<8xi32>} : () -> tensor<8xi32>
  %zp = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %zp32 = "tosa.const"() {values = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %multiplier = "tosa.const"() {values = dense<1140768826> : tensor<1xi32>} : () -> tensor<1xi32>
  %shift = "tosa.const"() {values = dense<40> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = tosa.conv2d %x, %weight, %bias, %zp, %zp {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x6x6x4xi8>, tensor<8x3x3x4xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x6x8xi32>
  %1 = tosa.rescale %0, %multiplier, %shift, %zp32, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x6x6x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x6x6x8xi8>
  %2 = tosa.clamp %1 {max_val = 127 : i8, min_val = 0 : i8} : (tensor<1x6x6x8xi8>) -> tensor<1x6x6x8xi8>
  return %2 : tensor<1x6x6x8xi8>
}
