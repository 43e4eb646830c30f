// An MLP whose weights are split over two ranks: the program of each rank, its
// plan, and its calls of an MPI library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// MLIR 19 has no dialect shard.

// RUN: gmem-opt %s --gmem-shard-and-plan='alignment=64 out-params=true' -o %t.mlir
// RUN: FileCheck %s <%t.mlir
// RUN: gmem-opt %t.mlir --gmem-verify-plan -o /dev/null
// RUN: gmem-opt %t.mlir --gmem-materialize=arena-mode=arg --gmem-lower-to-llvm 2>/dev/null | FileCheck --check-prefix=LLVM %s
// RUN: gmem-opt %s --gmem-remove-sharding | FileCheck --check-prefix=ONE %s

// The hidden layer and the partial sums: half of the first, all of the second.
// No branch on the rank, no communicator per call.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 384 : i64
// CHECK:       func.func @main(%{{.*}}: memref<4x8xf32>, %{{.*}}: memref<8x16xf32>, %{{.*}}: memref<16x8xf32>, %[[OUT:.*]]: memref<4x8xf32>
// CHECK-NOT:   scf.if
// CHECK-NOT:   mpi.comm_split
// CHECK:       mpi.allreduce

// LLVM-NOT:    shard.
// LLVM-NOT:    dlti.map
// LLVM:        llvm.call @MPI_Allreduce
// LLVM-NOT:    shard.

// ONE-NOT:     shard.
// ONE:         func.func @main(%{{.*}}: tensor<4x8xf32>, %{{.*}}: tensor<8x32xf32>
// ONE-NOT:     shard.

shard.grid @grid(shape = 2)
func.func @main(%x: tensor<4x8xf32>, %w1: tensor<8x32xf32>, %w2: tensor<32x8xf32>) -> tensor<4x8xf32> {
  %whole = shard.sharding @grid split_axes = [[], []] : !shard.sharding
  %columns = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @grid split_axes = [[0], []] : !shard.sharding
  %xs = shard.shard %x to %whole annotate_for_users : tensor<4x8xf32>
  %w1s = shard.shard %w1 to %columns annotate_for_users : tensor<8x32xf32>
  %w2s = shard.shard %w2 to %rows annotate_for_users : tensor<32x8xf32>
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<4x32xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4x32xf32>) -> tensor<4x32xf32>
  %h = linalg.matmul ins(%xs, %w1s : tensor<4x8xf32>, tensor<8x32xf32>) outs(%i1 : tensor<4x32xf32>) -> tensor<4x32xf32>
  %e2 = tensor.empty() : tensor<4x32xf32>
  %a = linalg.exp ins(%h : tensor<4x32xf32>) outs(%e2 : tensor<4x32xf32>) -> tensor<4x32xf32>
  %e3 = tensor.empty() : tensor<4x8xf32>
  %i3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.matmul ins(%a, %w2s : tensor<4x32xf32>, tensor<32x8xf32>) outs(%i3 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %o = shard.shard %r to %whole : tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}
