// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan %s | FileCheck %s

// A layer group computes in local memory: only its inputs and outputs are
// global, in all three forms.

// 1. An op whose model says so.

// CHECK-LABEL: func.func @by_model
func.func @by_model(%arg0: tensor<1024xi32>) -> tensor<1024xi32> {
  // CHECK: "tpu.Group"
  %0 = "tpu.Group"(%arg0) ({
    // CHECK-NEXT: "tpu.Load"
    // CHECK-NOT: gmem.offset
    // CHECK-SAME: -> tensor<1024xi32>
    %1 = "tpu.Load"(%arg0) : (tensor<1024xi32>) -> tensor<1024xi32>
    // CHECK-NEXT: "tpu.Add"
    // CHECK-NOT: gmem.offset
    // CHECK-SAME: -> tensor<1024xi32>
    %2 = "tpu.Add"(%1, %1) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
    "tpu.Yield"(%2) : (tensor<1024xi32>) -> ()
  // CHECK: gmem.offset = array<i64: 4096>
  }) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}

// -----

// 2. Any op with a region that carries gmem.layer_group. %captured is an input
//    of the group too, though no operand of it: the group's result must not be
//    written over it.

// CHECK: peak = 12288
// CHECK-LABEL: func.func @by_attribute
func.func @by_attribute() -> tensor<1024xi32> {
  %operand = "a.start"() : () -> tensor<1024xi32>
  %captured = "a.start"() : () -> tensor<1024xi32>
  // CHECK: "a.region"
  %0 = "a.region"(%operand) ({
    // CHECK-NEXT: "a.inside"
    // CHECK-NOT: gmem.offset
    // CHECK-SAME: -> tensor<1024xi32>
    %1 = "a.inside"(%captured) : (tensor<1024xi32>) -> tensor<1024xi32>
    "a.yield"(%1) : (tensor<1024xi32>) -> ()
  // CHECK: gmem.layer_group, gmem.offset = array<i64: {{[0-9]+}}>
  }) {gmem.layer_group} : (tensor<1024xi32>) -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}

// -----

// 3. Flat ops that share a number. %1 is used only inside: local. The group
//    reads its input and writes its outputs slice by slice as long as it runs:
//    %2 must not be over %0, although a.mid comes between them, and %0 must
//    outlive the group.

// CHECK: peak = 8192
// CHECK-LABEL: func.func @flat
func.func @flat() -> tensor<1024xi32> {
  // CHECK: "a.start"{{.*}}gmem.offset = array<i64: [[IN:[0-9]+]]>
  %0 = "a.start"() : () -> tensor<1024xi32>
  // CHECK: "a.first"
  // CHECK-NOT: gmem.offset
  // CHECK-SAME: -> tensor<1024xi32>
  %1 = "a.first"(%0) {gmem.layer_group = 7 : i64} : (tensor<1024xi32>) -> tensor<1024xi32>
  // CHECK: "a.mid"
  // CHECK-NOT: gmem.offset
  // CHECK-SAME: -> tensor<1024xi32>
  %mid = "a.mid"(%1) {gmem.layer_group = 7 : i64} : (tensor<1024xi32>) -> tensor<1024xi32>
  // CHECK: "a.last"
  // CHECK-NOT: gmem.offset = array<i64: [[IN]]>
  // CHECK-SAME: gmem.offset = array<i64: {{[0-9]+}}>
  %2 = "a.last"(%mid) {gmem.layer_group = 7 : i64} : (tensor<1024xi32>) -> tensor<1024xi32>
  return %2 : tensor<1024xi32>
}

// -----

// An output of a flat group that is also used inside it is global from the
// group's first op on.

// CHECK: peak = 12288
// CHECK-LABEL: func.func @flat_output_used_inside
func.func @flat_output_used_inside() -> (tensor<1024xi32>, tensor<1024xi32>) {
  %0 = "a.start"() : () -> tensor<1024xi32>
  %1 = "a.first"(%0) {gmem.layer_group = 1 : i64} : (tensor<1024xi32>) -> tensor<1024xi32>
  %2 = "a.last"(%1) {gmem.layer_group = 1 : i64} : (tensor<1024xi32>) -> tensor<1024xi32>
  return %1, %2 : tensor<1024xi32>, tensor<1024xi32>
}

// -----

// The same number in two functions is two groups: each runs in its own
// function, and the values that pass between them are global.

// CHECK-LABEL: func.func @number_per_function
func.func @number_per_function(%arg0: tensor<1024xi32>) -> tensor<1024xi32> {
  // CHECK: "a.first"{{.*}}gmem.offset
  %0 = "a.first"(%arg0) {gmem.layer_group = 1 : i64} : (tensor<1024xi32>) -> tensor<1024xi32>
  %1 = func.call @other(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %1 : tensor<1024xi32>
}
func.func private @other(%arg0: tensor<1024xi32>) -> tensor<1024xi32> {
  // CHECK: "a.second"{{.*}}gmem.offset
  %0 = "a.second"(%arg0) {gmem.layer_group = 1 : i64} : (tensor<1024xi32>) -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}

// -----

// Weights inside a layer group are global: they are read from there.

// CHECK: name = "weights", size = 4096
// CHECK-LABEL: func.func @weight_inside
func.func @weight_inside(%arg0: tensor<1024xi32>) -> tensor<1024xi32> {
  %0 = "tpu.Group"(%arg0) ({
    // CHECK: "top.Weight"{{.*}} gmem.pool = ["weights"]
    %w = "top.Weight"() : () -> tensor<1024xi32>
    %1 = "tpu.Add"(%arg0, %w) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
    "tpu.Yield"(%1) : (tensor<1024xi32>) -> ()
  }) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}

// -----

// gmem.hold wins over the group: the value is kept, so it is global.

// CHECK-LABEL: func.func @held_inside
func.func @held_inside(%arg0: tensor<1024xi32>) -> tensor<1024xi32> {
  // CHECK: "a.first"{{.*}}gmem.offset
  %0 = "a.first"(%arg0) {gmem.layer_group = 1 : i64, gmem.hold} : (tensor<1024xi32>) -> tensor<1024xi32>
  %1 = "a.last"(%0) {gmem.layer_group = 1 : i64} : (tensor<1024xi32>) -> tensor<1024xi32>
  return %1 : tensor<1024xi32>
}

// -----

// A function that an op of the group calls runs whenever the group does: it was
// planned as if it ran at the call, over the operand of the op in between.

// CHECK: name = "tensors", size = 28672
// CHECK-LABEL: func.func @call_inside
func.func @call_inside(%arg0: tensor<1024xi32>, %arg1: tensor<1024xi32>) -> (tensor<1024xi32>, tensor<1024xi32>) {
  %0 = "a.first"(%arg0) {gmem.layer_group = 1 : i64} : (tensor<1024xi32>) -> tensor<1024xi32>
  %1 = "a.between"(%arg1) : (tensor<1024xi32>) -> tensor<1024xi32>
  %2 = "a.between"(%1, %arg1) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  func.call @called() {gmem.layer_group = 1 : i64} : () -> ()
  return %0, %2 : tensor<1024xi32>, tensor<1024xi32>
}
func.func private @called() {
  %0 = "a.make"() : () -> tensor<1024xi32>
  %1 = "a.next"(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
  "a.use"(%1) : (tensor<1024xi32>) -> ()
  return
}
