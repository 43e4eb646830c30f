// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='op-models=%S/Inputs/alias-models.mlir' %s | FileCheck %s

// Aliases of all kinds in a row. 320 bytes are no multiple of the alignment of
// the pool: what begins inside of another tensor needs only that of views.

// 1. A slice of a reshape of a concatenation: one of its operands.
// CHECK: peak = 4100
// CHECK-LABEL: func.func @slice_of_reshape_of_concat
func.func @slice_of_reshape_of_concat(%x: tensor<1xi32>) -> tensor<1xi32> {
  // CHECK: "a.op"{{.*}}gmem.offset = array<i64: 0>
  %0 = "a.op"(%x) : (tensor<1xi32>) -> tensor<80xi32>
  // CHECK: "a.op"{{.*}}gmem.offset = array<i64: 320>
  %1 = "a.op"() : () -> tensor<80xi32>
  %2 = "t.concat"(%0, %1) {axis = 0} : (tensor<80xi32>, tensor<80xi32>) -> tensor<160xi32>
  %3 = "tpu.Reshape"(%2) : (tensor<160xi32>) -> tensor<2x80xi32>
  // CHECK: "t.slice"{{.*}}gmem.alias = [{kind = "slice", offset = 320 : i64{{.*}}gmem.offset = array<i64: 320>
  %4 = "t.slice"(%3) {begin = array<i64: 1, 0>, size = array<i64: 1, 80>} : (tensor<2x80xi32>) -> tensor<1x80xi32>
  %5 = "a.op"(%4, %1, %3) : (tensor<1x80xi32>, tensor<80xi32>, tensor<2x80xi32>) -> tensor<1xi32>
  return %5 : tensor<1xi32>
}

// -----

// 2. Results over dying operands that end in a concatenation: so do they all.
// CHECK: peak = 640
// CHECK-LABEL: func.func @over_into_concat
func.func @over_into_concat(%a: tensor<80xi32>, %b: tensor<80xi32>) -> tensor<160xi32> {
  %0 = "t.relu"(%a) : (tensor<80xi32>) -> tensor<80xi32>
  %1 = "t.relu"(%0) : (tensor<80xi32>) -> tensor<80xi32>
  %2 = "t.relu"(%b) : (tensor<80xi32>) -> tensor<80xi32>
  %3 = "t.relu"(%2) : (tensor<80xi32>) -> tensor<80xi32>
  %4 = "t.concat"(%1, %3) {axis = 0} : (tensor<80xi32>, tensor<80xi32>) -> tensor<160xi32>
  return %4 : tensor<160xi32>
}

// -----

// 3. Results over slices: in the tensor that they were cut from.
// CHECK: peak = 640
// CHECK-LABEL: func.func @over_slices
func.func @over_slices(%a: tensor<160xi32>) -> (tensor<80xi32>, tensor<80xi32>) {
  %0 = "t.slice"(%a) {begin = array<i64: 0>, size = array<i64: 80>} : (tensor<160xi32>) -> tensor<80xi32>
  %1 = "t.slice"(%a) {begin = array<i64: 80>, size = array<i64: 80>} : (tensor<160xi32>) -> tensor<80xi32>
  %2 = "t.relu"(%0) : (tensor<80xi32>) -> tensor<80xi32>
  %3 = "t.relu"(%2) : (tensor<80xi32>) -> tensor<80xi32>
  %4 = "t.relu"(%1) : (tensor<80xi32>) -> tensor<80xi32>
  %5 = "t.relu"(%4) : (tensor<80xi32>) -> tensor<80xi32>
  return %3, %5 : tensor<80xi32>, tensor<80xi32>
}

// -----

// 4. From slices into a concatenation, all in one place.
// CHECK: peak = 640
// CHECK-LABEL: func.func @slices_to_concat
func.func @slices_to_concat(%a: tensor<160xi32>) -> tensor<160xi32> {
  // CHECK-COUNT-5: gmem.alias
  %0 = "t.slice"(%a) {begin = array<i64: 0>, size = array<i64: 80>} : (tensor<160xi32>) -> tensor<80xi32>
  %1 = "t.slice"(%a) {begin = array<i64: 80>, size = array<i64: 80>} : (tensor<160xi32>) -> tensor<80xi32>
  %2 = "t.relu"(%0) : (tensor<80xi32>) -> tensor<80xi32>
  %3 = "t.relu"(%1) : (tensor<80xi32>) -> tensor<80xi32>
  %4 = "t.concat"(%2, %3) {axis = 0} : (tensor<80xi32>, tensor<80xi32>) -> tensor<160xi32>
  return %4 : tensor<160xi32>
}

// -----

// 5. Concatenations of concatenations (a dense network): what is read again
// later is still in its place.
// CHECK: peak = 1280
// CHECK-LABEL: func.func @dense
func.func @dense(%a: tensor<80xi32>) -> tensor<320xi32> {
  // CHECK: "a.op"{{.*}}array<i64: 320>
  %0 = "a.op"(%a) : (tensor<80xi32>) -> tensor<80xi32>
  %1 = "t.concat"(%a, %0) {axis = 0} : (tensor<80xi32>, tensor<80xi32>) -> tensor<160xi32>
  // CHECK: "a.op"{{.*}}array<i64: 640>
  %2 = "a.op"(%1) : (tensor<160xi32>) -> tensor<80xi32>
  %3 = "t.concat"(%1, %2) {axis = 0} : (tensor<160xi32>, tensor<80xi32>) -> tensor<240xi32>
  // CHECK: "a.op"{{.*}}array<i64: 960>
  %4 = "a.op"(%3, %a, %0, %1) : (tensor<240xi32>, tensor<80xi32>, tensor<80xi32>, tensor<160xi32>) -> tensor<80xi32>
  %5 = "t.concat"(%3, %4) {axis = 0} : (tensor<240xi32>, tensor<80xi32>) -> tensor<320xi32>
  return %5 : tensor<320xi32>
}
