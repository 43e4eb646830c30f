// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan %s | FileCheck %s

// Regions, loops and blocks, conservatively: longer lives than need be, never
// too short ones. Seen through the peak, in granules of 4096 bytes.

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

// Values carried round a loop have memory of their own while the loop runs:
// %init, %carried, %r, and %1 or %2.
// CHECK: peak = 20480
// CHECK-LABEL: func.func @carried
func.func @carried(%init: tensor<1024xi32>, %n: index) -> tensor<1024xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%carried = %init) -> tensor<1024xi32> {
    %1 = "a.first"(%carried) : (tensor<1024xi32>) -> tensor<1024xi32>
    %2 = "a.second"(%1) : (tensor<1024xi32>) -> tensor<1024xi32>
    scf.yield %2 : tensor<1024xi32>
  // CHECK: } {gmem.block_args = [{block = 0 : i64, offset = array<i64: -1, [[CARRIED:[0-9]+]]>, pool = ["", "tensors"], region = 0 : i64, size = array<i64: -1, 4096>}], gmem.offset = array<i64: [[R:[0-9]+]]>
  }
  return %r : tensor<1024xi32>
}

// -----

// Two blocks after one another in the text may run in any order: %0 is used in
// another block than its own and lives as long as the function; block
// arguments do too.
// CHECK: peak = 16384
// CHECK-LABEL: func.func @blocks
// CHECK-SAME: gmem.block_args = [{block = 1 : i64, offset = array<i64: {{[0-9]+}}>, pool = ["tensors"], region = 0 : i64
func.func @blocks(%condition: i1) {
  %0 = "a.start"() : () -> tensor<1024xi32>
  %1 = "a.start"() : () -> tensor<1024xi32>
  cf.br ^loop(%1 : tensor<1024xi32>)
^loop(%2: tensor<1024xi32>):
  %3 = "a.first"(%2) : (tensor<1024xi32>) -> tensor<1024xi32>
  %4 = "a.second"(%0, %3) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  cf.cond_br %condition, ^loop(%4 : tensor<1024xi32>), ^end
^end:
  return
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
