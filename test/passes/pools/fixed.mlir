// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='weight-alignment=64 sharing=none' %s | FileCheck %s

// gmem.fixed: what has to be at a known place of its pool is there, and all
// else around it.

// 1. Arguments, results and weights; -1 leaves a result free.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %arg0: tensor<1024xi32> {gmem.fixed = 8192 : i64, gmem.offset = 8192 : i64
func.func @main(%a: tensor<1024xi32> {gmem.fixed = 8192 : i64}) -> tensor<1024xi32> {
  // CHECK: arith.constant {gmem.fixed = array<i64: 640>, gmem.offset = array<i64: 640>
  %w = arith.constant {gmem.fixed = array<i64: 640>} dense<1> : tensor<4xi32>
  // CHECK: arith.constant {gmem.offset = array<i64: {{[0-9]+}}>, gmem.pool = ["weights"]
  %v = arith.constant dense<1> : tensor<4xi32>
  // CHECK: "a.op"{{.*}}gmem.offset = array<i64: 0, {{[0-9]+}}>
  %0:2 = "a.op"(%a, %w, %v) {gmem.fixed = array<i64: 0, -1>} : (tensor<1024xi32>, tensor<4xi32>, tensor<4xi32>) -> (tensor<1024xi32>, tensor<4xi32>)
  // The argument has died: its place is free again.
  // CHECK: "a.op"{{.*}}gmem.offset = array<i64: 8192>
  %1 = "a.op"(%0#0) {gmem.fixed = array<i64: 8192>}: (tensor<1024xi32>) -> tensor<1024xi32>
  return %1 : tensor<1024xi32>
}

// -----

// 2. A reshape is the memory of its operand: to fix the one fixes the other.
// CHECK-LABEL: func.func @view
func.func @view(%a: tensor<4xi32>) -> tensor<2x2xi32> {
  // CHECK: "a.op"{{.*}}gmem.offset = array<i64: 4096>
  %0 = "a.op"(%a) : (tensor<4xi32>) -> tensor<4xi32>
  // CHECK: tensor.expand_shape{{.*}}gmem.offset = array<i64: 4096>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 2] {gmem.fixed = array<i64: 4096>} : tensor<4xi32> into tensor<2x2xi32>
  return %1 : tensor<2x2xi32>
}
