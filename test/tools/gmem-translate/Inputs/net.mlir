// net.mlir - a network with weights, a reshape, a call and an unused argument.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%x: tensor<24xf32> loc("image"), %unused: tensor<3xi8>) -> (tensor<24xf32>, tensor<24xf32>) {
  %w0 = arith.constant dense<1.0> : tensor<24xf32> loc("w0")
  %0 = tosa.add %x, %w0 : (tensor<24xf32>, tensor<24xf32>) -> tensor<24xf32> loc("add")
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 6] : tensor<24xf32> into tensor<4x6xf32> loc("reshape")
  %2 = tosa.exp %1 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %3 = tensor.collapse_shape %2 [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
  %4 = func.call @twice(%3) : (tensor<24xf32>) -> tensor<24xf32>
  %5 = func.call @twice(%4) : (tensor<24xf32>) -> tensor<24xf32>
  return %4, %5 : tensor<24xf32>, tensor<24xf32>
}
func.func private @twice(%x: tensor<24xf32>) -> tensor<24xf32> {
  %0 = tosa.tanh %x : (tensor<24xf32>) -> tensor<24xf32>
  return %0 : tensor<24xf32>
}
