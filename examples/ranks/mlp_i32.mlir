// The same MLP with integers, whose sums are equal in any order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

shard.grid @grid(shape = 2)
func.func @main(%x: tensor<64x128xi32>, %up: tensor<128x512xi32>, %down: tensor<512x128xi32>) -> tensor<64x128xi32> {
  %columns = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @grid split_axes = [[0], []] : !shard.sharding
  %whole = shard.sharding @grid split_axes = [[], []] : !shard.sharding
  %x_s = shard.shard %x to %whole annotate_for_users : tensor<64x128xi32>
  %up_s = shard.shard %up to %columns annotate_for_users : tensor<128x512xi32>
  %down_s = shard.shard %down to %rows annotate_for_users : tensor<512x128xi32>
  %zero = arith.constant 0 : i32
  %e_hidden = tensor.empty() : tensor<64x512xi32>
  %i_hidden = linalg.fill ins(%zero : i32) outs(%e_hidden : tensor<64x512xi32>) -> tensor<64x512xi32>
  %hidden = linalg.matmul ins(%x_s, %up_s : tensor<64x128xi32>, tensor<128x512xi32>) outs(%i_hidden : tensor<64x512xi32>) -> tensor<64x512xi32>
  %e_active = tensor.empty() : tensor<64x512xi32>
  %active = linalg.max ins(%hidden, %hidden : tensor<64x512xi32>, tensor<64x512xi32>) outs(%e_active : tensor<64x512xi32>) -> tensor<64x512xi32>
  %e_out = tensor.empty() : tensor<64x128xi32>
  %i_out = linalg.fill ins(%zero : i32) outs(%e_out : tensor<64x128xi32>) -> tensor<64x128xi32>
  %out = linalg.matmul ins(%active, %down_s : tensor<64x512xi32>, tensor<512x128xi32>) outs(%i_out : tensor<64x128xi32>) -> tensor<64x128xi32>
  %result = shard.shard %out to %whole : tensor<64x128xi32>
  return %result : tensor<64x128xi32>
}
