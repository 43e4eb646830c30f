// Three ops in a row.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = tosa.exp %x : (tensor<64xf32>) -> tensor<64xf32>
  %1 = tosa.tanh %0 : (tensor<64xf32>) -> tensor<64xf32>
  %2 = tosa.add %0, %1 : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %2 : tensor<64xf32>
}
