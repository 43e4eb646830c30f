// A classifier whose layers are split by columns: the ranks gather the hidden layer and
// the logits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
shard.grid @grid(shape = 2)
func.func @main(%x: tensor<16x64xf32>, %up: tensor<64x256xf32>, %down: tensor<256x32xf32>) -> tensor<16x32xf32> {
  %all = shard.sharding @grid split_axes = [[]] : !shard.sharding
  %columns = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %x_s = shard.shard %x to %all annotate_for_users : tensor<16x64xf32>
  %up_s = shard.shard %up to %columns annotate_for_users : tensor<64x256xf32>
  %down_s = shard.shard %down to %columns annotate_for_users : tensor<256x32xf32>
  %zero = arith.constant 0.0 : f32
  %eh = tensor.empty() : tensor<16x256xf32>
  %ih = linalg.fill ins(%zero : f32) outs(%eh : tensor<16x256xf32>) -> tensor<16x256xf32>
  %h = linalg.matmul ins(%x_s, %up_s : tensor<16x64xf32>, tensor<64x256xf32>) outs(%ih : tensor<16x256xf32>) -> tensor<16x256xf32>
  %h_s = shard.shard %h to %columns : tensor<16x256xf32>
  %h_all = shard.shard %h_s to %all annotate_for_users : tensor<16x256xf32>
  %ey = tensor.empty() : tensor<16x32xf32>
  %iy = linalg.fill ins(%zero : f32) outs(%ey : tensor<16x32xf32>) -> tensor<16x32xf32>
  %y = linalg.matmul ins(%h_all, %down_s : tensor<16x256xf32>, tensor<256x32xf32>) outs(%iy : tensor<16x32xf32>) -> tensor<16x32xf32>
  %y_s = shard.shard %y to %columns : tensor<16x32xf32>
  %y_all = shard.shard %y_s to %all annotate_for_users : tensor<16x32xf32>
  return %y_all : tensor<16x32xf32>
}
