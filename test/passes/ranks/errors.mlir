// What MLIR cannot do is refused by name before it tries.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// MLIR 19 has no dialect shard.

// RUN: gmem-opt %s --split-input-file --verify-diagnostics --gmem-check-sharding
// RUN: not gmem-opt %S/Inputs/wait.mlir --gmem-lower-to-llvm 2>&1 | FileCheck --check-prefix=WAIT %s
// RUN: not gmem-opt %S/shard-and-plan.mlir --pass-pipeline='builtin.module(func.func(sharding-propagation,shard-partition),gmem-remove-sharding)' 2>&1 | FileCheck --check-prefix=LATE %s
// WAIT: wait.mlir:7:8: error: this op has no conversion to calls of an MPI library in this version of MLIR
// LATE: error: this op uses a sharding or a grid: the program is partitioned already

// Before the partition, a constant of several values; equal ones are split.
shard.grid @grid(shape = 2)
func.func @constants(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %rows = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %x_s = shard.shard %x to %rows annotate_for_users : tensor<2x2xf32>
  %one = arith.constant dense<1.0> : tensor<2x2xf32>
  %y = arith.addf %x_s, %one : tensor<2x2xf32>
  // expected-error@+1 {{shard-partition cannot split a constant of several values: make it an argument, of which each rank gets its part (gmem-constants-to-arguments)}}
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %z = arith.addf %y, %w : tensor<2x2xf32>
  return %z : tensor<2x2xf32>
}

// -----

shard.grid @grid(shape = 2)
func.func @main(%x: tensor<4x8xf32>) -> tensor<8x8xf32> {
  // expected-error@+1 {{convert-shard-to-mpi has no conversion for this op: choose shardings of which only all_reduce results}}
  %all = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 0 : tensor<4x8xf32> -> tensor<8x8xf32>
  return %all : tensor<8x8xf32>
}
