// Weights that are a constant, split by columns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
shard.grid @grid(shape = 2)
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %all = shard.sharding @grid split_axes = [[]] : !shard.sharding
  %columns = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %w = arith.constant dense<[[1.,2.,3.,4.],[5.,6.,7.,8.],[9.,10.,11.,12.],[13.,14.,15.,16.]]> : tensor<4x4xf32>
  %x_s = shard.shard %x to %all annotate_for_users : tensor<4x4xf32>
  %w_s = shard.shard %w to %all : tensor<4x4xf32>
  %w_c = shard.shard %w_s to %columns annotate_for_users : tensor<4x4xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %h = linalg.matmul ins(%x_s, %w_c : tensor<4x4xf32>, tensor<4x4xf32>) outs(%i : tensor<4x4xf32>) -> tensor<4x4xf32>
  %h_s = shard.shard %h to %columns : tensor<4x4xf32>
  return %h_s : tensor<4x4xf32>
}
