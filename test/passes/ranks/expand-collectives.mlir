// Gathers and scatters of ranks are made of sums and slices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// MLIR 19 has no dialect shard.

// RUN: gmem-opt %s --gmem-expand-collectives --split-input-file | FileCheck %s
// RUN: gmem-opt %s --gmem-expand-collectives --split-input-file | FileCheck %s --check-prefix=STAY

// CHECK-LABEL: @gather
// The second axis of ranks is within the first.
// CHECK:       %[[ZEROS:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<4x48xf32>)
// CHECK:       %[[PLACE:.*]]:2 = shard.process_multi_index on @grid axes = [0, 1] : index, index
// CHECK:       %[[THREE:.*]] = arith.constant 3 : index
// CHECK:       %[[ROW:.*]] = arith.muli %[[PLACE]]#0, %[[THREE]] : index
// CHECK:       %[[RANK:.*]] = arith.addi %[[ROW]], %[[PLACE]]#1 : index
// CHECK:       %[[SIZE:.*]] = arith.constant 8 : index
// CHECK:       %[[OFFSET:.*]] = arith.muli %[[RANK]], %[[SIZE]] : index
// CHECK:       %[[PART:.*]] = tensor.insert_slice %arg0 into %[[ZEROS]][0, %[[OFFSET]]] [4, 8] [1, 1]
// CHECK:       %[[SUM:.*]] = shard.all_reduce %[[PART]] on @grid grid_axes = [0, 1] : tensor<4x48xf32> -> tensor<4x48xf32>
// CHECK:       return %[[SUM]]
shard.grid @grid(shape = 2x3)
func.func @gather(%x: tensor<4x8xf32>) -> tensor<4x48xf32> {
  %g = shard.all_gather %x on @grid grid_axes = [0, 1] gather_axis = 1 : tensor<4x8xf32> -> tensor<4x48xf32>
  return %g : tensor<4x48xf32>
}

// CHECK-LABEL: @slice
// CHECK:       %[[PLACE:.*]] = shard.process_multi_index on @grid axes = [1] : index
// CHECK:       %[[SIZE:.*]] = arith.constant 3 : index
// CHECK:       %[[OFFSET:.*]] = arith.muli %[[PLACE]], %[[SIZE]] : index
// CHECK:       tensor.extract_slice %arg0[%[[OFFSET]], 0] [3, 8] [1, 1]
func.func @slice(%x: tensor<9x8xi32>) -> tensor<3x8xi32> {
  %s = shard.all_slice %x on @grid grid_axes = [1] slice_axis = 0 : tensor<9x8xi32> -> tensor<3x8xi32>
  return %s : tensor<3x8xi32>
}

// CHECK-LABEL: @scatter
// CHECK:       %[[ALL:.*]] = shard.all_reduce %arg0 on @grid grid_axes = [0] reduction = max : tensor<4x8xi32> -> tensor<4x8xi32>
// CHECK:       tensor.extract_slice %[[ALL]][%{{.*}}, 0] [2, 8] [1, 1]
func.func @scatter(%x: tensor<4x8xi32>) -> tensor<2x8xi32> {
  %r = shard.reduce_scatter %x on @grid grid_axes = [0] reduction = max scatter_axis = 0 : tensor<4x8xi32> -> tensor<2x8xi32>
  return %r : tensor<2x8xi32>
}

// CHECK-LABEL: @exchange
// CHECK:       %[[ALL:.*]] = shard.all_reduce %{{.*}} on @grid grid_axes = [1] : tensor<9x6xf32> -> tensor<9x6xf32>
// CHECK:       tensor.extract_slice %[[ALL]][%{{.*}}, 0] [3, 6] [1, 1]
func.func @exchange(%x: tensor<9x2xf32>) -> tensor<3x6xf32> {
  %e = shard.all_to_all %x on @grid grid_axes = [1] split_axis = 0 concat_axis = 1 : tensor<9x2xf32> -> tensor<3x6xf32>
  return %e : tensor<3x6xf32>
}

// What has no static shape stays, and is refused by gmem-check-sharding.
// STAY-LABEL: @dynamic
// STAY:       shard.all_gather
func.func @dynamic(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %g = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 0 : tensor<?x8xf32> -> tensor<?x8xf32>
  return %g : tensor<?x8xf32>
}

// -----

// STAY-LABEL: @unknown_grid
// STAY:       shard.all_slice
shard.grid @any(shape = ?)
func.func @unknown_grid(%x: tensor<4xf32>) -> tensor<?xf32> {
  %s = shard.all_slice %x on @any grid_axes = [0] slice_axis = 0 : tensor<4xf32> -> tensor<?xf32>
  return %s : tensor<?xf32>
}
