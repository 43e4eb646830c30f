// net.mlir - a chain with weights and a reshape. Tensors of 96 bytes at an
// alignment of 32, so that one step of alignment makes two of them overlap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%x: tensor<24xf32>) -> tensor<24xf32> {
  %w0 = "tosa.const"() {values = dense<1.0> : tensor<24xf32>} : () -> tensor<24xf32>
  %w1 = "tosa.const"() {values = dense<2.0> : tensor<24xf32>} : () -> tensor<24xf32>
  %0 = tosa.add %x, %w0 : (tensor<24xf32>, tensor<24xf32>) -> tensor<24xf32>
  %1 = tosa.sub %0, %w1 : (tensor<24xf32>, tensor<24xf32>) -> tensor<24xf32>
  %2 = tensor.expand_shape %1 [[0, 1]] output_shape [4, 6] : tensor<24xf32> into tensor<4x6xf32>
  %3 = tosa.exp %2 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %4 = tensor.collapse_shape %3 [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
  %5 = tosa.tanh %4 : (tensor<24xf32>) -> tensor<24xf32>
  %6 = tosa.sigmoid %5 : (tensor<24xf32>) -> tensor<24xf32>
  return %6 : tensor<24xf32>
}
