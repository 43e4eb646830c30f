// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='op-models=%S/Inputs/alias-models.mlir' %s | FileCheck %s

// Operands that are made inside of the tensor that they become a part of.

// 1. Each operand lies where it is wanted: nothing is copied, and the whole
// needs no memory beside them.
// CHECK: peak = 12292
// CHECK-LABEL: func.func @all
func.func @all(%x: tensor<1xi32>) -> tensor<3072xi32> {
  %0 = "a.op"(%x) : (tensor<1xi32>) -> tensor<1024xi32>
  %1 = "a.op"(%x) : (tensor<1xi32>) -> tensor<2048xi32>
  // CHECK: "t.concat"{{.*}}gmem.alias = [{kind = "concat", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}, {kind = "concat", offset = 4096 : i64, operand = 1 : i64, result = 0 : i64}]
  %2 = "t.concat"(%0, %1) {axis = 0} : (tensor<1024xi32>, tensor<2048xi32>) -> tensor<3072xi32>
  return %2 : tensor<3072xi32>
}

// -----

// 2. Along the outermost axis that has more than one element, counted from the
// end; along another one the parts are not one behind the other.
// CHECK: peak = 32768
// CHECK-LABEL: func.func @axis
func.func @axis(%x: tensor<1xi32>) -> (tensor<1x2x1024xi32>, tensor<2x2048xi32>) {
  %0 = "a.op"(%x) : (tensor<1xi32>) -> tensor<1x1x1024xi32>
  %1 = "a.op"(%x) : (tensor<1xi32>) -> tensor<1x1x1024xi32>
  // CHECK: "t.concat"{{.*}}gmem.alias
  %2 = "t.concat"(%0, %1) {axis = -2} : (tensor<1x1x1024xi32>, tensor<1x1x1024xi32>) -> tensor<1x2x1024xi32>
  %3 = "a.op"(%x) : (tensor<1xi32>) -> tensor<2x1024xi32>
  // CHECK: "t.concat"
  // CHECK-NOT: gmem.alias
  %4 = "t.concat"(%3, %3) {axis = 1} : (tensor<2x1024xi32>, tensor<2x1024xi32>) -> tensor<2x2048xi32>
  return %2, %4 : tensor<1x2x1024xi32>, tensor<2x2048xi32>
}

// -----

// 3. An operand twice: only its first place is offered, the second is copied.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @twice
func.func @twice(%x: tensor<1xi32>) -> tensor<2048xi32> {
  %0 = "a.op"(%x) : (tensor<1xi32>) -> tensor<1024xi32>
  // CHECK: "t.concat"{{.*}}gmem.alias = [{kind = "concat", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}]
  %1 = "t.concat"(%0, %0) {axis = 0} : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<2048xi32>
  return %1 : tensor<2048xi32>
}

// -----

// 4. A constant stays where constants are; the other one need not be copied.
// CHECK-LABEL: func.func @weight
func.func @weight(%x: tensor<1xi32>) -> tensor<2048xi32> {
  %w = arith.constant dense<1> : tensor<1024xi32>
  %0 = "a.op"(%x) : (tensor<1xi32>) -> tensor<1024xi32>
  // CHECK: "t.concat"{{.*}}gmem.alias = [{kind = "concat", offset = 4096 : i64, operand = 1 : i64, result = 0 : i64}]
  %1 = "t.concat"(%w, %0) {axis = 0} : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<2048xi32>
  return %1 : tensor<2048xi32>
}

// -----

// 5. A place that is not aligned, or not at a byte: copied, the others not.
// CHECK-LABEL: func.func @misaligned
func.func @misaligned(%x: tensor<1xi32>) -> (tensor<1031xi32>, tensor<1027xi1>) {
  %0 = "a.op"(%x) : (tensor<1xi32>) -> tensor<7xi32>
  %1 = "a.op"(%x) : (tensor<1xi32>) -> tensor<1024xi32>
  // CHECK: "t.concat"{{.*}}gmem.alias = [{kind = "concat", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}]
  %2 = "t.concat"(%0, %1) {axis = 0} : (tensor<7xi32>, tensor<1024xi32>) -> tensor<1031xi32>
  %3 = "a.op"(%x) : (tensor<1xi32>) -> tensor<3xi1>
  %4 = "a.op"(%x) : (tensor<1xi32>) -> tensor<1024xi1>
  // CHECK: "t.concat"
  // CHECK-NOT: gmem.alias
  %5 = "t.concat"(%3, %4) {axis = 0} : (tensor<3xi1>, tensor<1024xi1>) -> tensor<1027xi1>
  return %2, %5 : tensor<1031xi32>, tensor<1027xi1>
}

// -----

// 6. An operand that lives on is read where it is; whoever writes over the
// whole has to leave it alone.
// CHECK: peak = 16384
// CHECK-LABEL: func.func @lives
func.func @lives(%x: tensor<1xi32>) -> (tensor<2048xi32>, tensor<1024xi32>) {
  %0 = "a.op"(%x) : (tensor<1xi32>) -> tensor<1024xi32>
  %1 = "a.op"(%x) : (tensor<1xi32>) -> tensor<1024xi32>
  %2 = "t.concat"(%0, %1) {axis = 0} : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<2048xi32>
  %3 = "a.op"(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
  %4 = "t.relu"(%2) : (tensor<2048xi32>) -> tensor<2048xi32>
  %5 = "t.add"(%3, %0) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %4, %5 : tensor<2048xi32>, tensor<1024xi32>
}

// -----

// 7. Operands before the first one, and those that are no tensors, are none.
// CHECK: peak = 8196
// CHECK-LABEL: func.func @first
func.func @first(%x: tensor<1xi32>, %n: index) -> tensor<2048xi32> {
  %0 = "a.op"(%x) : (tensor<1xi32>) -> tensor<1024xi32>
  %1 = "a.op"(%x) : (tensor<1xi32>) -> tensor<1024xi32>
  // CHECK: "t.concat1"{{.*}}gmem.alias = [{kind = "concat", offset = 0 : i64, operand = 2 : i64, result = 0 : i64}, {kind = "concat", offset = 4096 : i64, operand = 3 : i64, result = 0 : i64}]
  %2 = "t.concat1"(%x, %n, %0, %1) : (tensor<1xi32>, index, tensor<1024xi32>, tensor<1024xi32>) -> tensor<2048xi32>
  return %2 : tensor<2048xi32>
}

// -----

// 8. What does not add up is no concatenation.
// CHECK-LABEL: func.func @contradiction
func.func @contradiction(%x: tensor<1xi32>) -> (tensor<3072xi32>, tensor<2048xi16>, tensor<2x1024xi32>, tensor<1024xi32>) {
  %0 = "a.op"(%x) : (tensor<1xi32>) -> tensor<1024xi32>
  %1 = "a.op"(%x) : (tensor<1xi32>) -> tensor<1024xi32>
  // CHECK-NOT: gmem.alias
  %2 = "t.concat"(%0, %1) {axis = 0} : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<3072xi32>
  %3 = "t.concat"(%0, %1) {axis = 0} : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<2048xi16>
  %4 = "t.concat"(%0, %1) {axis = 0} : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<2x1024xi32>
  %5 = "t.concat"(%0) {axis = 1} : (tensor<1024xi32>) -> tensor<1024xi32>
  return %2, %3, %4, %5 : tensor<3072xi32>, tensor<2048xi16>, tensor<2x1024xi32>, tensor<1024xi32>
}

// -----

// 9. What is inserted is made in its place; the rest is a copy, or the
// destination itself.
// CHECK-LABEL: func.func @insert
func.func @insert(%x: tensor<1xi32>) -> tensor<4x1024xi32> {
  %d = "a.op"(%x) : (tensor<1xi32>) -> tensor<4x1024xi32>
  %0 = "a.op"(%x) : (tensor<1xi32>) -> tensor<2x1024xi32>
  // CHECK: "t.insert"{{.*}}gmem.alias = [{kind = "destination", offset = 0 : i64, operand = 1 : i64, result = 0 : i64}]
  %1 = "t.insert"(%0, %d) {begin = array<i64: 1, 0>} : (tensor<2x1024xi32>, tensor<4x1024xi32>) -> tensor<4x1024xi32>
  return %1 : tensor<4x1024xi32>
}

// -----

// CHECK: peak = 16384
// CHECK-LABEL: func.func @insert_into_weight
func.func @insert_into_weight(%x: tensor<1xi32>) -> tensor<4x1024xi32> {
  %d = arith.constant dense<0> : tensor<4x1024xi32>
  %0 = "a.op"(%x) : (tensor<1xi32>) -> tensor<2x1024xi32>
  // CHECK: "t.insert"{{.*}}gmem.alias = [{kind = "concat", offset = 4096 : i64, operand = 0 : i64, result = 0 : i64}]
  %1 = "t.insert"(%0, %d) {begin = array<i64: 1, 0>} : (tensor<2x1024xi32>, tensor<4x1024xi32>) -> tensor<4x1024xi32>
  return %1 : tensor<4x1024xi32>
}

// -----

// 10. A tuple lies in memory element by element.
// CHECK-LABEL: func.func @tuples
func.func @tuples(%x: tensor<1xi32>) -> tensor<1024xi32> {
  %0 = "a.op"(%x) : (tensor<1xi32>) -> tensor<7xi32>
  %1 = "a.op"(%x) : (tensor<1xi32>) -> tensor<1024xi32>
  // CHECK: "t.tuple"{{.*}}gmem.alias = [{kind = "concat", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}, {kind = "concat", offset = 64 : i64, operand = 1 : i64, result = 0 : i64}]
  %2 = "t.tuple"(%0, %1) : (tensor<7xi32>, tensor<1024xi32>) -> tuple<tensor<7xi32>, tensor<1024xi32>>
  // CHECK: "t.element"{{.*}}gmem.alias = [{kind = "slice", offset = 64 : i64, operand = 0 : i64, result = 0 : i64}]
  %3 = "t.element"(%2) {index = 1} : (tuple<tensor<7xi32>, tensor<1024xi32>>) -> tensor<1024xi32>
  // CHECK-NOT: kind = "slice"
  %4 = "t.element"(%2) {index = 2} : (tuple<tensor<7xi32>, tensor<1024xi32>>) -> tensor<1024xi32>
  %5 = "t.add"(%3, %4) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %5 : tensor<1024xi32>
}
