// small.mlir - two weights, an input, a chain of tensors, two reshapes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%x: tensor<8xf32>) -> tensor<2x4xf32> {
  %w0 = arith.constant dense<1.0> : tensor<8xf32>
  %w1 = arith.constant dense<2.0> : tensor<8xf32>
  %0 = tosa.add %x, %w0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = tosa.add %0, %w1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %2 = tosa.exp %1 : (tensor<8xf32>) -> tensor<8xf32>
  %3 = tensor.expand_shape %2 [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  return %3 : tensor<2x4xf32>
}
