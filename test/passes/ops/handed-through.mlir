// Ops that hand tensors through: barriers and dependencies, and ops of IREE that make
// their result in an operand. They had no model and took memory of their own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='alignment=64 strict=true' %s -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: gmem-machine %t.mlir

// CHECK-LABEL: func.func @barrier
func.func @barrier(%x: tensor<64xf32>) -> tensor<64xf32> {
  %a = "chlo.erf"(%x) : (tensor<64xf32>) -> tensor<64xf32>
  %r = "stablehlo.reverse"(%a) {dimensions = array<i64: 0>} : (tensor<64xf32>) -> tensor<64xf32>
  // CHECK: stablehlo.optimization_barrier
  // CHECK-SAME: kind = "destination", offset = 0 : i64, operand = 0 : i64, result = 0
  // CHECK-SAME: kind = "destination", offset = 0 : i64, operand = 1 : i64, result = 1
  %b:2 = "stablehlo.optimization_barrier"(%a, %r) : (tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
  %c = "stablehlo.dot"(%b#0, %b#1) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %c : tensor<64xf32>
}

// One tensor cannot become two values in one place, of which each may be changed.
// CHECK-LABEL: func.func @twice
func.func @twice(%x: tensor<64xf32>) -> tensor<64xf32> {
  %a = "chlo.erf"(%x) : (tensor<64xf32>) -> tensor<64xf32>
  // CHECK: stablehlo.optimization_barrier
  // CHECK-NOT: gmem.alias
  // CHECK: stablehlo.reverse
  %b:2 = "stablehlo.optimization_barrier"(%a, %a) : (tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
  %d = "stablehlo.reverse"(%b#0) {dimensions = array<i64: 0>} : (tensor<64xf32>) -> tensor<64xf32>
  %c = "stablehlo.dot"(%b#1, %d) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %c : tensor<64xf32>
}

// CHECK-LABEL: func.func @flow
func.func @flow(%x: tensor<8x8xf32>, %u: tensor<8xf32>, %i: index, %v: f32) -> tensor<64xf32> {
  // CHECK: flow.tensor.clone{{.*}}gmem.offset = array<i64: [[X:[0-9]+]]>
  %0 = "flow.tensor.clone"(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: flow.tensor.reshape{{.*}}gmem.offset = array<i64: [[X]]>
  %1 = "flow.tensor.reshape"(%0) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<8x8xf32>) -> tensor<64xf32>
  // CHECK: flow.tensor.update{{.*}}kind = "destination"{{.*}}gmem.offset = array<i64: [[X]]>
  %2 = "flow.tensor.update"(%1, %i, %u) {operandSegmentSizes = array<i32: 1, 0, 1, 1, 0>} : (tensor<64xf32>, index, tensor<8xf32>) -> tensor<64xf32>
  // CHECK: flow.tensor.store{{.*}}kind = "destination"{{.*}}gmem.offset = array<i64: [[X]]>
  %3 = "flow.tensor.store"(%v, %2, %i) {operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (f32, tensor<64xf32>, index) -> tensor<64xf32>
  return %3 : tensor<64xf32>
}

// The updates are read in another order than the destination is written.
// CHECK-LABEL: func.func @scatter
func.func @scatter(%x: tensor<64xf32>, %u: tensor<64xf32>, %i: tensor<64x1xi32>) -> tensor<64xf32> {
  // CHECK: iree_linalg_ext.scatter
  // CHECK: gmem.alias = [{kind = "destination", offset = 0 : i64, operand = 2 : i64, result = 0 : i64}]
  %0 = "iree_linalg_ext.scatter"(%u, %i, %x) ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    "iree_linalg_ext.yield"(%s) : (f32) -> ()
  }) {dimension_map = array<i64: 0>, operandSegmentSizes = array<i32: 2, 1>, unique_indices = true} : (tensor<64xf32>, tensor<64x1xi32>, tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: func.func @dependency
func.func @dependency(%x: tensor<8x8xf32>, %t: !mhlo.token) -> tensor<64xf32> {
  // CHECK: mhlo.erf{{.*}}gmem.offset = array<i64: [[X:[0-9]+]]>
  %0 = "mhlo.erf"(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: mhlo.add_dependency{{.*}}gmem.offset = array<i64: [[X]]>
  %1 = "mhlo.add_dependency"(%0, %t) : (tensor<8x8xf32>, !mhlo.token) -> tensor<8x8xf32>
  // CHECK: mhlo.bitcast{{.*}}gmem.offset = array<i64: [[X]]>
  %2 = "mhlo.bitcast"(%1) : (tensor<8x8xf32>) -> tensor<64xf32>
  return %2 : tensor<64xf32>
}
