// twins.mlir - two weights of equal contents.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = arith.constant dense<1.0> : tensor<16xf32> loc("first")
  %b = arith.constant dense<1.0> : tensor<16xf32> loc("second")
  %0 = tosa.add %x, %a : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %1 = tosa.add %0, %b : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}
