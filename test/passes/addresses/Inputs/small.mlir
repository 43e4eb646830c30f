// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%arg0: tensor<16xf32>) -> tensor<16xf32> {
  %0 = tosa.exp %arg0 : (tensor<16xf32>) -> tensor<16xf32>
  %1 = tosa.tanh %0 : (tensor<16xf32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}
