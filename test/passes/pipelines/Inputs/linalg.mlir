// linalg.mlir - a small network as torch exports it, with what makes buffers
// that are not needed: transposed constants, chains of element-wise ops, padding.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#id = affine_map<(i, j) -> (i, j)>
#transposed = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (j)>
func.func @main(%x: tensor<4x16xf32>) -> tensor<4x8xf32> {
  %weight = arith.constant dense<0.05> : tensor<8x16xf32>
  %bias = arith.constant dense<[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]> : tensor<8xf32>
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<16x8xf32>
  %turned = linalg.generic {indexing_maps = [#transposed, #id], iterator_types = ["parallel", "parallel"]}
      ins(%weight : tensor<8x16xf32>) outs(%0 : tensor<16x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16x8xf32>
  %1 = arith.mulf %x, %x : tensor<4x16xf32>
  %2 = arith.addf %1, %x : tensor<4x16xf32>
  %3 = tensor.empty() : tensor<4x8xf32>
  %4 = linalg.fill ins(%zero : f32) outs(%3 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = linalg.matmul ins(%2, %turned : tensor<4x16xf32>, tensor<16x8xf32>) outs(%4 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %6 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%5, %bias : tensor<4x8xf32>, tensor<8xf32>) outs(%3 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %sum = arith.addf %in, %b : f32
    linalg.yield %sum : f32
  } -> tensor<4x8xf32>
  %7 = math.tanh %6 : tensor<4x8xf32>
  return %7 : tensor<4x8xf32>
}
