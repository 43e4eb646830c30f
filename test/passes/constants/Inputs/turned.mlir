// A weight that is read as it is and transposed: with a budget the transposed
// one is hoisted. Upstream folds a transposed constant with one use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x6xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0],
    [9.0, 8.0, 7.0, 6.0], [5.0, 4.0, 3.0, 2.0], [1.0, 3.0, 5.0, 7.0],
    [2.0, 4.0, 6.0, 8.0]]> : tensor<6x4xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %t = linalg.transpose ins(%w : tensor<6x4xf32>)
    outs(%e : tensor<4x6xf32>) permutation = [1, 0]
  %c = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<2x6xf32>
  %z = linalg.fill ins(%c : f32) outs(%o : tensor<2x6xf32>) -> tensor<2x6xf32>
  %0 = linalg.matmul ins(%x, %t : tensor<2x4xf32>, tensor<4x6xf32>)
    outs(%z : tensor<2x6xf32>) -> tensor<2x6xf32>
  %p = tensor.empty() : tensor<2x4xf32>
  %y = linalg.fill ins(%c : f32) outs(%p : tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<2x6xf32>, tensor<6x4xf32>)
    outs(%y : tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = linalg.matmul ins(%1, %t : tensor<2x4xf32>, tensor<4x6xf32>)
    outs(%z : tensor<2x6xf32>) -> tensor<2x6xf32>
  return %2 : tensor<2x6xf32>
}
