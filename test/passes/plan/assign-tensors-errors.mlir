// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// MLIR 19 has no --verify-diagnostics=only-expected.
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics=only-expected --gmem-assign-tensors=capacity=8192 %s

func.func @group_of_wrong_type(%arg0: tensor<16xi32>) -> tensor<16xi32> {
  // expected-error @+1 {{gmem.layer_group must be a unit attribute or an integer}}
  %0 = "a.op"(%arg0) {gmem.layer_group = "one"} : (tensor<16xi32>) -> tensor<16xi32>
  return %0 : tensor<16xi32>
}

// -----

// A size that passes 63 bits must not wrap round to a small one.
func.func @too_large() {
  // expected-error @+1 {{the size of this tensor does not fit in 63 bits}}
  %0 = "a.op"() : () -> tensor<2305843009213693952x4xi32>
  return
}

// -----

func.func @weight_without_address(%arg0: tensor<16xi32>) -> tensor<4x4xi32> {
  // expected-error @+1 {{this weight has no offset: run gmem-assign-weights before gmem-assign-tensors}}
  %0 = arith.constant dense<1> : tensor<16xi32>
  %1 = "tpu.Reshape"(%0) : (tensor<16xi32>) -> tensor<4x4xi32>
  return %1 : tensor<4x4xi32>
}

// -----

// expected-note @+1 {{these 3 buffers, 12288 bytes in total, do not fit in pool 'tensors' of 8192 bytes; if any one of them is removed, the others fit}}
module {
  // expected-note @+2 {{argument #0 of @over_capacity of 4096 bytes is live at the peak}}
  // expected-note @+1 {{argument #1 of @over_capacity of 4096 bytes is live at the peak}}
  func.func @over_capacity(%arg0: tensor<1024xi32>, %arg1: tensor<1024xi32>) -> tensor<1024xi32> {
    // expected-error @+2 {{every plan needs at least 12288 bytes there}}
    // expected-note @+1 {{result #0 of 'a.op' of 4096 bytes is live at the peak}}
    %0 = "a.op"(%arg0, %arg1) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
    return %0 : tensor<1024xi32>
  }
}

// -----

// Just as much as fits.
func.func @at_capacity(%arg0: tensor<1024xi32>) -> tensor<1024xi32> {
  %0 = "a.op"(%arg0) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}

// -----

// What is left alone is said once per function and reason.
func.func @unplanned(%arg0: tensor<?xi32>, %arg1: tensor<4x?xi32>, %arg2: tensor<*xi32>) {
  // expected-remark @-1 {{this value of @unplanned is not planned: its shape is dynamic (2 more in this function for the same reason)}}
  // expected-remark @+1 {{this value of @unplanned is not planned: its element type has no known size}}
  %1 = "a.odd"() : () -> tensor<4x!a.type>
  // expected-remark @+1 {{this value of @unplanned is not planned: its tuple type has no known size}}
  %2 = "a.tuple"() : () -> tuple<tensor<4xi32>, i32>
  return
}

// -----

// expected-remark @+1 {{@recursive is recursive: its tensors are not planned}}
func.func @recursive(%arg0: tensor<4xi32>) -> tensor<4xi32> {
  %0 = func.call @recursive(%arg0) : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @hold_that_is_no_unit(%arg0: tensor<16xi32>) -> tensor<16xi32> {
  // expected-error @+1 {{gmem.hold must be a unit attribute}}
  %0 = "a.op"(%arg0) {gmem.hold = false} : (tensor<16xi32>) -> tensor<16xi32>
  return %0 : tensor<16xi32>
}

// -----

func.func @group_of_many_bits(%arg0: tensor<16xi32>) -> tensor<16xi32> {
  // expected-error @+1 {{gmem.layer_group must be a unit attribute or an integer}}
  %0 = "a.op"(%arg0) {gmem.layer_group = 1 : i128} : (tensor<16xi32>) -> tensor<16xi32>
  return %0 : tensor<16xi32>
}
