// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 tosa has other ops and attributes.
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='weight-alignment=16' %s | FileCheck %s --check-prefixes=ALL,WALK
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='weight-alignment=16 share-weights' %s | FileCheck %s --check-prefixes=ALL,SHARE
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='weight-alignment=16 weight-order=name' %s | FileCheck %s --check-prefixes=ALL,NAME
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='weight-alignment=16 weight-order=first-use' %s | FileCheck %s --check-prefixes=ALL,USE
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='weight-alignment=16 weight-order=name share-weights' %s | FileCheck %s --check-prefixes=ALL,BOTH

// Where weights lie: in the order of the text, of their names, or of their
// first use; equal ones at one place if that is asked for; in pools that they
// name. What is shared is stated, so that the proof knows.

// WALK-NOT: share_weights
// SHARE: share_weights = true
// Pools lie one behind the other, the tensors behind all of them.
// WALK: gmem.pool_table = [{alignment = 16 : i64, base = 0 : i64, kind = "constant", lower_bound = 144 : i64, name = "weights", size = 144 : i64}, {alignment = 16 : i64, base = 144 : i64, kind = "constant", lower_bound = 32 : i64, name = "flash", size = 32 : i64}, {alignment = 4096 : i64, base = 4096 : i64, kind = "workspace"
// SHARE: gmem.pool_table = [{alignment = 16 : i64, base = 0 : i64, kind = "constant", lower_bound = 112 : i64, name = "weights", size = 112 : i64}, {alignment = 16 : i64, base = 112 : i64, kind = "constant", lower_bound = 32 : i64, name = "flash", size = 32 : i64}

// 1. A function that is run by need only: its weights lie behind the others,
// although it comes first.
// ALL-LABEL: func.func private @by_need
func.func private @by_need(%x: tensor<4xi32>) -> tensor<4xi32> attributes {gmem.dynamic} {
  // WALK: "top.Weight"{{.*}}gmem.offset = array<i64: 112>
  %w = "top.Weight"() : () -> tensor<4xi32> loc("a")
  %0 = "a.op"(%x, %w) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// The run mode of tpu says the same.
// ALL-LABEL: func.func private @run_mode
func.func private @run_mode(%x: tensor<4xi32>) -> tensor<4xi32> attributes {mode = #tpu<run_mode TPU_DYNAMIC>} {
  // WALK: "top.Weight"{{.*}}gmem.offset = array<i64: 128>
  %w = "top.Weight"() : () -> tensor<4xi32> loc("b")
  %0 = "a.op"(%x, %w) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// ALL-LABEL: func.func @main
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  // WALK: arith.constant {{{.*}}gmem.offset = array<i64: 0>
  // SHARE: arith.constant {{{.*}}gmem.offset = array<i64: 0>
  // NAME: arith.constant {{{.*}}gmem.offset = array<i64: 32>
  // USE: arith.constant {{{.*}}gmem.offset = array<i64: 48>
  // Of equal ones the first by name is where both are.
  // BOTH: arith.constant {{{.*}}gmem.offset = array<i64: 0>
  %0 = arith.constant dense<1> : tensor<4xi32> loc("z")
  // WALK: arith.constant {{{.*}}gmem.offset = array<i64: 16>
  // SHARE: arith.constant {{{.*}}gmem.offset = array<i64: 16>
  // NAME: arith.constant {{{.*}}gmem.offset = array<i64: 16>
  // USE: arith.constant {{{.*}}gmem.offset = array<i64: 32>
  // BOTH: arith.constant {{{.*}}gmem.offset = array<i64: 16>
  %1 = arith.constant dense<2> : tensor<4xi32> loc("y")
  // Equal to the first.
  // WALK: arith.constant {{{.*}}gmem.offset = array<i64: 32>
  // SHARE: arith.constant {{{.*}}gmem.offset = array<i64: 0>
  // NAME: arith.constant {{{.*}}gmem.offset = array<i64: 0>
  // USE: arith.constant {{{.*}}gmem.offset = array<i64: 16>
  // BOTH: arith.constant {{{.*}}gmem.offset = array<i64: 0>
  %2 = arith.constant dense<1> : tensor<4xi32> loc("x")
  // Blobs are the same when they are one blob; none is ever unpacked. What has
  // no name comes behind what has one.
  // WALK: arith.constant {{{.*}}gmem.offset = array<i64: 48>
  // SHARE: arith.constant {{{.*}}gmem.offset = array<i64: 32>
  // NAME: arith.constant {{{.*}}gmem.offset = array<i64: 48>
  // USE: arith.constant {{{.*}}gmem.offset = array<i64: 0>
  %3 = arith.constant dense_resource<blob> : tensor<4xi32>
  // WALK: arith.constant {{{.*}}gmem.offset = array<i64: 64>
  // SHARE: arith.constant {{{.*}}gmem.offset = array<i64: 32>
  %4 = arith.constant dense_resource<blob> : tensor<4xi32>
  // Contents that are not in the IR are never known to be equal.
  // WALK: "top.Weight"{{.*}}gmem.offset = array<i64: 80>
  // SHARE: "top.Weight"{{.*}}gmem.offset = array<i64: 48>
  %5 = "top.Weight"() : () -> tensor<4xi32>
  // WALK: "top.Weight"{{.*}}gmem.offset = array<i64: 96>
  // SHARE: "top.Weight"{{.*}}gmem.offset = array<i64: 64>
  %6 = "top.Weight"() : () -> tensor<4xi32>
  // Equal contents in another pool are apart; sub-byte elements are rounded up.
  // ALL: arith.constant {{{.*}}gmem.offset = array<i64: 0>, gmem.pool = ["flash"]
  %7 = arith.constant {gmem.pools = ["flash"]} dense<1> : tensor<4xi32>
  // ALL: "tosa.const"{{.*}}gmem.offset = array<i64: 16>, gmem.pool = ["flash"]{{.*}}gmem.size = array<i64: 16>
  %8 = "tosa.const"() {gmem.pools = ["flash"], values = dense<1> : tensor<31xi4>} : () -> tensor<31xi4>
  %9 = "a.op"(%x, %3) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %10 = "a.op"(%9, %2) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %11 = "a.op"(%10, %1) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %12 = "a.op"(%11, %0, %7) : (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %13 = func.call @by_need(%12) : (tensor<4xi32>) -> tensor<4xi32>
  %14 = func.call @run_mode(%13) : (tensor<4xi32>) -> tensor<4xi32>
  return %14 : tensor<4xi32>
}
{-# dialect_resources: { builtin: { blob: "0x0400000001000000020000000300000004000000" } } #-}
