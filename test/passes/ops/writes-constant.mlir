// An op that changes a constant where it is would change it for all runs and all who
// share it: the plan was made, and verified.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-plan --split-input-file %s -o /dev/null 2>&1 | FileCheck %s
//
// CHECK: :[[#@LINE+4]]:3: error: writes operand #0, a constant: what is changed from run to run is an argument with gmem.state
// CHECK-NOT: error
func.func @changed(%new: tensor<1x64xf32>, %i: tensor<1xi64>) -> tensor<64x64xf32> {
  %c = "ttir.constant"() {value = dense<0.0> : tensor<64x64xf32>} : () -> tensor<64x64xf32>
  "ttir.update_cache"(%c, %new, %i) {batch_offset = 0 : i32} : (tensor<64x64xf32>, tensor<1x64xf32>, tensor<1xi64>) -> ()
  return %c : tensor<64x64xf32>
}

// -----

// Through a view.
// CHECK: :[[#@LINE+6]]:8: error: writes operand #4, a constant
// CHECK-NOT: error
func.func @view(%x: tensor<1x8xf32>, %w: tensor<8x8xf32>) -> tensor<1x8xf32> {
  %c = "tfl.pseudo_const"() {value = dense<0.0> : tensor<8xf32>} : () -> tensor<8xf32>
  %none = "tfl.no_value"() {value} : () -> none
  %s = "stablehlo.reshape"(%c) : (tensor<8xf32>) -> tensor<1x8xf32>
  %0 = "tfl.svdf"(%x, %w, %w, %none, %s) {rank = 1 : i32, fused_activation_function = "NONE"} : (tensor<1x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, none, tensor<1x8xf32>) -> tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}

// -----

// A state, and a result in the place of an operand that is none.
func.func @state(%x: tensor<1x8xf32>, %w: tensor<8x8xf32>, %s: tensor<1x8xf32> {gmem.state}) -> tensor<1x8xf32> {
  %none = "tfl.no_value"() {value} : () -> none
  %0 = "tfl.svdf"(%x, %w, %w, %none, %s) {rank = 1 : i32, fused_activation_function = "NONE"} : (tensor<1x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, none, tensor<1x8xf32>) -> tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}

// -----

func.func @copied(%new: tensor<1x64xf32>, %i: tensor<1xi64>) -> tensor<64x64xf32> {
  %c = "ttir.constant"() {value = dense<0.0> : tensor<64x64xf32>} : () -> tensor<64x64xf32>
  %0 = "ttir.update_cache"(%c, %new, %i) {batch_offset = 0 : i32} : (tensor<64x64xf32>, tensor<1x64xf32>, tensor<1xi64>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
