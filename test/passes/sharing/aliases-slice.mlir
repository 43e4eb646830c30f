// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='op-models=%S/Inputs/alias-models.mlir' %s | FileCheck %s
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='op-models=%S/Inputs/alias-models.mlir view-alignment=4096' %s | FileCheck %s --check-prefix=WIDE

// Parts of tensors that lie in them, so that the op does nothing.

// 1. Rows of a matrix, while it is still read. The offset must have the
// alignment that views have.
// CHECK: peak = 16416
// CHECK-LABEL: func.func @rows
// CHECK-SAME: gmem.offset = [[A:[0-9]+]] : i64
// WIDE-LABEL: func.func @rows
func.func @rows(%a: tensor<64x64xi32>) -> (tensor<8xi32>) {
  // CHECK: "t.slice"{{.*}}gmem.alias = [{kind = "slice", offset = 256 : i64, operand = 0 : i64, result = 0 : i64}]
  // WIDE: "t.slice"
  // WIDE-NOT: gmem.alias
  // WIDE-SAME: tensor<16x64xi32>
  %0 = "t.slice"(%a) {begin = array<i64: 1, 0>, size = array<i64: 16, 64>} : (tensor<64x64xi32>) -> tensor<16x64xi32>
  %1 = "a.op"(%0, %a) : (tensor<16x64xi32>, tensor<64x64xi32>) -> tensor<8xi32>
  return %1 : tensor<8xi32>
}

// -----

// 2. Columns are not one behind the other.
// CHECK: peak = 20512
// CHECK-LABEL: func.func @columns
func.func @columns(%a: tensor<64x64xi32>) -> tensor<8xi32> {
  // CHECK-NOT: kind = "slice"
  %0 = "t.slice"(%a) {begin = array<i64: 0, 16>, size = array<i64: 64, 16>} : (tensor<64x64xi32>) -> tensor<64x16xi32>
  %1 = "a.op"(%0, %a) : (tensor<64x16xi32>, tensor<64x64xi32>) -> tensor<8xi32>
  return %1 : tensor<8xi32>
}

// -----

// 3. A part of one row is.
// CHECK-LABEL: func.func @row_part
func.func @row_part(%a: tensor<64x64xi32>) -> tensor<8xi32> {
  // CHECK: "t.slice"{{.*}}gmem.alias = [{kind = "slice", offset = 832 : i64
  %0 = "t.slice"(%a) {begin = array<i64: 3, 16>, size = array<i64: 1, 32>} : (tensor<64x64xi32>) -> tensor<32xi32>
  %1 = "a.op"(%0, %a) : (tensor<32xi32>, tensor<64x64xi32>) -> tensor<8xi32>
  return %1 : tensor<8xi32>
}

// -----

// 4. Not at a multiple of 64 bytes.
// CHECK-LABEL: func.func @misaligned
func.func @misaligned(%a: tensor<64x63xi32>) -> tensor<8xi32> {
  // CHECK-NOT: kind = "slice"
  %0 = "t.slice"(%a) {begin = array<i64: 1, 0>, size = array<i64: 16, 63>} : (tensor<64x63xi32>) -> tensor<16x63xi32>
  %1 = "a.op"(%0, %a) : (tensor<16x63xi32>, tensor<64x63xi32>) -> tensor<8xi32>
  return %1 : tensor<8xi32>
}

// -----

// 5. Narrow elements: the part begins at a byte.
// CHECK-LABEL: func.func @narrow
func.func @narrow(%a: tensor<64x64xi4>) -> tensor<8xi32> {
  // CHECK: "t.slice"{{.*}}gmem.alias = [{kind = "slice", offset = 64 : i64
  %0 = "t.slice"(%a) {begin = array<i64: 2, 0>, size = array<i64: 1, 64>} : (tensor<64x64xi4>) -> tensor<64xi4>
  // CHECK: "t.slice"
  // CHECK-NOT: kind = "slice"
  %1 = "t.slice"(%a) {begin = array<i64: 2, 1>, size = array<i64: 1, 63>} : (tensor<64x64xi4>) -> tensor<63xi4>
  %2 = "a.op"(%0, %1, %a) : (tensor<64xi4>, tensor<63xi4>, tensor<64x64xi4>) -> tensor<8xi32>
  return %2 : tensor<8xi32>
}

// -----

// 6. Begin and end, with axes that count from the end and ends beyond it.
// CHECK-LABEL: func.func @range
func.func @range(%a: tensor<64x64xi32>) -> tensor<8xi32> {
  // CHECK: "t.range"{{.*}}gmem.alias = [{kind = "slice", offset = 15872 : i64
  %0 = "t.range"(%a) {begin = [-2], end = [9223372036854775807], axes = [-2]} : (tensor<64x64xi32>) -> tensor<2x64xi32>
  // CHECK: "t.range"{{.*}}gmem.alias = [{kind = "slice", offset = 0 : i64
  %1 = "t.range"(%a) {begin = dense<0> : tensor<2xi64>, end = dense<[-62, 64]> : tensor<2xi64>, step = array<i64: 1, 1>} : (tensor<64x64xi32>) -> tensor<2x64xi32>
  %2 = "a.op"(%0, %1, %a) : (tensor<2x64xi32>, tensor<2x64xi32>, tensor<64x64xi32>) -> tensor<8xi32>
  return %2 : tensor<8xi32>
}

// -----

// 7. Steps leave elements out, but not where there is one element alone.
// CHECK-LABEL: func.func @steps
func.func @steps(%a: tensor<64x64xi32>) -> tensor<8xi32> {
  // CHECK: "t.range"{{.*}}gmem.alias = [{kind = "slice", offset = 512 : i64
  %0 = "t.range"(%a) {begin = [2], end = [4], axes = [0], step = [2]} : (tensor<64x64xi32>) -> tensor<1x64xi32>
  // CHECK: "t.range"
  // CHECK-NOT: kind = "slice"
  %1 = "t.range"(%a) {begin = [2], end = [6], axes = [0], step = [2]} : (tensor<64x64xi32>) -> tensor<2x64xi32>
  %2 = "t.range"(%a) {begin = [2], end = [0], axes = [0], step = [-1]} : (tensor<64x64xi32>) -> tensor<2x64xi32>
  %3 = "a.op"(%0, %1, %2, %a) : (tensor<1x64xi32>, tensor<2x64xi32>, tensor<2x64xi32>, tensor<64x64xi32>) -> tensor<8xi32>
  return %3 : tensor<8xi32>
}

// -----

// 8. Lists that are operands: constants, or not known before the program runs.
// CHECK-LABEL: func.func @operands
func.func @operands(%a: tensor<64x64xi32>, %n: tensor<1xi64>) -> tensor<8xi32> {
  %two = arith.constant dense<2> : tensor<1xi64>
  %four = arith.constant dense<4> : tensor<1xi32>
  %zero = arith.constant dense<0> : tensor<1xi64>
  %none = "onnx.NoValue"() {value} : () -> none
  // CHECK: "t.rangeof"{{.*}}gmem.alias = [{kind = "slice", offset = 512 : i64, operand = 1 : i64, result = 0 : i64}]
  %0 = "t.rangeof"(%two, %a, %four, %zero, %none) : (tensor<1xi64>, tensor<64x64xi32>, tensor<1xi32>, tensor<1xi64>, none) -> tensor<2x64xi32>
  // CHECK: "t.rangeof"
  // CHECK-NOT: kind = "slice"
  %1 = "t.rangeof"(%n, %a, %four, %zero, %none) : (tensor<1xi64>, tensor<64x64xi32>, tensor<1xi32>, tensor<1xi64>, none) -> tensor<2x64xi32>
  %2 = "a.op"(%0, %1, %a) : (tensor<2x64xi32>, tensor<2x64xi32>, tensor<64x64xi32>) -> tensor<8xi32>
  return %2 : tensor<8xi32>
}

// -----

// 9. What the lists say is not the result, or not in the operand: no slice.
// CHECK-LABEL: func.func @contradiction
func.func @contradiction(%a: tensor<64x64xi32>) -> tensor<8xi32> {
  // CHECK-NOT: kind = "slice"
  %0 = "t.slice"(%a) {begin = array<i64: 1, 0>, size = array<i64: 16, 64>} : (tensor<64x64xi32>) -> tensor<8x64xi32>
  %1 = "t.slice"(%a) {begin = array<i64: 60, 0>, size = array<i64: 16, 64>} : (tensor<64x64xi32>) -> tensor<16x64xi32>
  %2 = "t.slice"(%a) {begin = array<i64: 0, 0, 0>, size = array<i64: 16, 64, 1>} : (tensor<64x64xi32>) -> tensor<16x64xi32>
  %3 = "t.slice"(%a) {begin = array<i64: 0, 0>, size = array<i64: 16>} : (tensor<64x64xi32>) -> tensor<16x64xi32>
  %4 = "t.range"(%a) {begin = [0, 0], end = [16, 64], axes = [0, 0]} : (tensor<64x64xi32>) -> tensor<16x64xi32>
  %5 = "t.slice"(%a) {begin = array<i64: -9223372036854775808, 0>, size = array<i64: 16, 64>} : (tensor<64x64xi32>) -> tensor<16x64xi32>
  %6 = "t.slice"(%a) {begin = "no list", size = array<i64: 16, 64>} : (tensor<64x64xi32>) -> tensor<16x64xi32>
  %7 = "t.slice"(%a) {size = array<i64: 16, 64>} : (tensor<64x64xi32>) -> tensor<16x64xi32>
  %8 = "t.slice"(%a) {begin = array<i64: 0, 0>, size = array<i64: 16, 64>} : (tensor<64x64xi32>) -> tensor<16x64xf16>
  %9 = "a.op"(%0, %1, %2, %3, %4, %5, %6, %7, %8, %a) : (tensor<8x64xi32>, tensor<16x64xi32>, tensor<16x64xi32>, tensor<16x64xi32>, tensor<16x64xi32>, tensor<16x64xi32>, tensor<16x64xi32>, tensor<16x64xi32>, tensor<16x64xf16>, tensor<64x64xi32>) -> tensor<8xi32>
  return %9 : tensor<8xi32>
}

// -----

// 10. One index along one axis, which the result has no more.
// CHECK-LABEL: func.func @select
func.func @select(%a: tensor<64x64xi32>) -> tensor<8xi32> {
  // CHECK: "t.select"{{.*}}gmem.alias = [{kind = "slice", offset = 16128 : i64
  %0 = "t.select"(%a) {dim = 0 : i64, index = -1 : i64} : (tensor<64x64xi32>) -> tensor<64xi32>
  %1 = "a.op"(%0, %a) : (tensor<64xi32>, tensor<64x64xi32>) -> tensor<8xi32>
  return %1 : tensor<8xi32>
}

// -----

// 11. Parts that lie in each other, parts of parts, and the whole, all live at
// once: all in one place.
// CHECK: peak = 16416
// CHECK-LABEL: func.func @nested
func.func @nested(%a: tensor<64x64xi32>) -> tensor<8xi32> {
  // CHECK: gmem.alias = [{kind = "slice", offset = 2048 : i64
  %0 = "t.slice"(%a) {begin = array<i64: 8, 0>, size = array<i64: 32, 64>} : (tensor<64x64xi32>) -> tensor<32x64xi32>
  // CHECK: gmem.alias = [{kind = "slice", offset = 2048 : i64
  %1 = "t.slice"(%0) {begin = array<i64: 8, 0>, size = array<i64: 16, 64>} : (tensor<32x64xi32>) -> tensor<16x64xi32>
  // CHECK: gmem.alias = [{kind = "slice", offset = 5120 : i64
  %2 = "t.slice"(%a) {begin = array<i64: 20, 0>, size = array<i64: 8, 64>} : (tensor<64x64xi32>) -> tensor<8x64xi32>
  %3 = "a.op"(%0, %1, %2, %a) : (tensor<32x64xi32>, tensor<16x64xi32>, tensor<8x64xi32>, tensor<64x64xi32>) -> tensor<8xi32>
  return %3 : tensor<8xi32>
}

// -----

// 12. Whoever writes over the whole conflicts with a part that is still read:
// one of the two, and here it is the larger one.
// CHECK: peak = 24608
// CHECK-LABEL: func.func @overwritten
func.func @overwritten(%a: tensor<64x64xi32>) -> tensor<8xi32> {
  // CHECK-NOT: kind = "slice"
  // CHECK: "t.relu"{{.*}}kind = "inplace"
  %0 = "t.slice"(%a) {begin = array<i64: 8, 0>, size = array<i64: 32, 64>} : (tensor<64x64xi32>) -> tensor<32x64xi32>
  %1 = "t.relu"(%a) : (tensor<64x64xi32>) -> tensor<64x64xi32>
  %2 = "a.op"(%0, %1) : (tensor<32x64xi32>, tensor<64x64xi32>) -> tensor<8xi32>
  return %2 : tensor<8xi32>
}

// -----

// A part whose last byte holds something else, too, was taken for a view: who
// reads or copies it by bytes would see that.
// CHECK-LABEL: func.func @odd
func.func @odd(%a: tensor<64xi4>) -> (tensor<3xi4>, tensor<64xi4>) {
  // CHECK: "t.slice"
  // CHECK-NOT: gmem.alias
  %0 = "t.slice"(%a) {begin = array<i64: 0>, size = array<i64: 3>} : (tensor<64xi4>) -> tensor<3xi4>
  return %0, %a : tensor<3xi4>, tensor<64xi4>
}
