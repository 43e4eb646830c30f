// A result that all ranks have, of parts of a sum.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
shard.grid @grid(shape = 2)
func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %rows = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %all = shard.sharding @grid split_axes = [[]] : !shard.sharding
  %x_s = shard.shard %x to %rows annotate_for_users : tensor<8x4xf32>
  %y = tosa.exp %x_s : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %y_s = shard.shard %y to %rows : tensor<8x4xf32>
  %y_all = shard.shard %y_s to %all annotate_for_users : tensor<8x4xf32>
  return %y_all : tensor<8x4xf32>
}
