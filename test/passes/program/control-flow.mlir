// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan %s | FileCheck %s

// Regions of ops that nobody knows, conservatively: longer lives than need be,
// never too short ones. Seen through the peak, in granules of 4096 bytes.

// A value from outside a loop that is used inside lives to the loop's end: %0
// and the two values inside are never at one place, although %0 is not used
// after a.first in the text. %0 and the operand %a, the result %r, %1, %2.
// CHECK: peak = 20480
// CHECK-LABEL: func.func @loop
func.func @loop(%a: tensor<1024xi32>) -> tensor<1024xi32> {
  %0 = "a.start"() : () -> tensor<1024xi32>
  %r = "a.loop"(%a) ({
    %1 = "a.first"(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
    %2 = "a.second"(%1) : (tensor<1024xi32>) -> tensor<1024xi32>
    "a.yield"(%2) : (tensor<1024xi32>) -> ()
  }) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %r : tensor<1024xi32>
}

// -----

// An unknown op with several regions may run them in any order and again.
// CHECK: peak = 16384
// CHECK-LABEL: func.func @regions
func.func @regions() -> tensor<1024xi32> {
  %0 = "a.start"() : () -> tensor<1024xi32>
  %r = "a.while"() ({
    "a.condition"(%0) : (tensor<1024xi32>) -> ()
  }, {
    %1 = "a.body"() : () -> tensor<1024xi32>
    %2 = "a.body"(%1) : (tensor<1024xi32>) -> tensor<1024xi32>
    "a.yield"(%2) : (tensor<1024xi32>) -> ()
  }) : () -> tensor<1024xi32>
  return %r : tensor<1024xi32>
}

// -----

// Reducer bodies are element-wise code: nothing in them needs memory.
// CHECK-LABEL: func.func @reducer
func.func @reducer(%a: tensor<1024xf32>, %zero: tensor<f32>) -> tensor<f32> {
  // CHECK: "stablehlo.reduce"
  %0 = "stablehlo.reduce"(%a, %zero) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    // CHECK: "stablehlo.add"
    // CHECK-NOT: gmem.offset
    // CHECK-SAME: -> tensor<f32>
    %1 = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  // CHECK: }) {gmem.offset
  }) : (tensor<1024xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
