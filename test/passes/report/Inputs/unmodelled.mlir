// unmodelled.mlir - ops of a dialect that has no models.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %v = "my.weight"() : () -> tensor<64xf32>
  %w = "my.weight"() : () -> tensor<64xf32>
  %0 = "my.group"(%x, %v, %w) ({
    "my.yield"() : () -> ()
  }) : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
