// Rows on each rank, then columns: each rank sends to all others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
shard.grid @grid(shape = 2)
func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %rows = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %x_s = shard.shard %x to %rows annotate_for_users : tensor<8x4xf32>
  %y = tosa.exp %x_s : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %y_s = shard.shard %y to %rows : tensor<8x4xf32>
  %y_t = shard.shard %y_s to %columns annotate_for_users : tensor<8x4xf32>
  %z = tosa.exp %y_t : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %z : tensor<8x4xf32>
}
