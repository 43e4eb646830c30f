// layers.mlir - four matrix products one after the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<16x16xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %y1 = linalg.matmul ins(%x, %w : tensor<16x16xf32>, tensor<16x16xf32>) outs(%z1 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %e2 = tensor.empty() : tensor<16x16xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %y2 = linalg.matmul ins(%y1, %w : tensor<16x16xf32>, tensor<16x16xf32>) outs(%z2 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %e3 = tensor.empty() : tensor<16x16xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %y3 = linalg.matmul ins(%y2, %w : tensor<16x16xf32>, tensor<16x16xf32>) outs(%z3 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %e4 = tensor.empty() : tensor<16x16xf32>
  %z4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %y4 = linalg.matmul ins(%y3, %w : tensor<16x16xf32>, tensor<16x16xf32>) outs(%z4 : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %y4 : tensor<16x16xf32>
}
