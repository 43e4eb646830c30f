// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan=sharing=none %s | FileCheck %s
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan=sharing=transfer %s | FileCheck %s --check-prefix=STAY

// Ops whose regions run again and again. Peaks in granules of 4096 bytes, with
// all that is handed on copied, and (STAY) with what can stay where it is.

// 1. A carried value is written before the first iteration and at the end of
// each; in between its memory is free from its last use on: %2 is made where
// %carried was. Staying where it is, it takes no copies either.
// CHECK: peak = 12288
// STAY: peak = 8192
// CHECK-LABEL: func.func @carried
// STAY-LABEL: func.func @carried
// STAY-SAME: gmem.offset = [[PLACE:[0-9]+]]
func.func @carried(%init: tensor<1024xi32>, %n: index) -> tensor<1024xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%carried = %init) -> tensor<1024xi32> {
    %1 = "a.first"(%carried) : (tensor<1024xi32>) -> tensor<1024xi32>
    // STAY: "a.second"{{.*}}gmem.offset = array<i64: [[PLACE]]>
    %2 = "a.second"(%1) : (tensor<1024xi32>) -> tensor<1024xi32>
    scf.yield %2 : tensor<1024xi32>
  // STAY: } {gmem.block_args = [{block = 0 : i64, offset = array<i64: -1, [[PLACE]]>{{.*}}gmem.offset = array<i64: [[PLACE]]>
  }
  return %r : tensor<1024xi32>
}

// -----

// 2. What is used in a loop and comes from outside is there in every iteration,
// after its last use in the text, too; at the end of the loop it is not.
// CHECK: peak = 12288
// STAY: peak = 12288
// CHECK-LABEL: func.func @from_outside
func.func @from_outside(%n: index) -> tensor<1024xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = "a.start"() : () -> tensor<1024xi32>
  scf.for %i = %c0 to %n step %c1 {
    %1 = "a.first"(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
    %2 = "a.second"(%1) : (tensor<1024xi32>) -> tensor<1024xi32>
    "a.use"(%2) : (tensor<1024xi32>) -> ()
  }
  %3 = "a.last"() : () -> tensor<1024xi32>
  return %3 : tensor<1024xi32>
}

// -----

// 3. Values that change places on the way round are copied, both at one time:
// that takes no third place.
// CHECK: peak = 16384
// STAY: peak = 8192
// CHECK-LABEL: func.func @swap
func.func @swap(%a: tensor<1024xi32>, %b: tensor<1024xi32>, %n: index) -> (tensor<1024xi32>, tensor<1024xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<1024xi32>, tensor<1024xi32>) {
    scf.yield %y, %x : tensor<1024xi32>, tensor<1024xi32>
  }
  return %r#0, %r#1 : tensor<1024xi32>, tensor<1024xi32>
}

// -----

// 4. A branch in a loop: what an arm uses from outside of the loop is there all
// the time, what is made in the loop in the arm alone.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @branch_in_loop
func.func @branch_in_loop(%n: index, %c: i1, %a: tensor<1024xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = "a.start"() : () -> tensor<1024xi32>
    scf.if %c {
      %1 = "a.one"(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
      "a.use"(%1) : (tensor<1024xi32>) -> ()
    } else {
      %1 = "a.two"() : () -> tensor<1024xi32>
      "a.use"(%1, %a) : (tensor<1024xi32>, tensor<1024xi32>) -> ()
    }
  }
  return
}

// -----

// 5. A while: the first region hands %y to the second or to the results, the
// second hands %1 back. %init, %x, %y, %z, %1 and %r are a chain in which each
// ends where the next begins, and "a.one" and "a.two" need two places anyway.
// CHECK: peak = 8192
// STAY: peak = 8192
// CHECK-LABEL: func.func @while
func.func @while(%init: tensor<1024xi32>) -> tensor<1024xi32> {
  %r = scf.while (%x = %init) : (tensor<1024xi32>) -> tensor<1024xi32> {
    %c = "a.test"(%x) : (tensor<1024xi32>) -> i1
    %y = "a.one"(%x) : (tensor<1024xi32>) -> tensor<1024xi32>
    scf.condition(%c) %y : tensor<1024xi32>
  } do {
  ^bb0(%z: tensor<1024xi32>):
    %1 = "a.two"(%z) : (tensor<1024xi32>) -> tensor<1024xi32>
    scf.yield %1 : tensor<1024xi32>
  }
  return %r : tensor<1024xi32>
}

// -----

// 6. The condition of this loop hands nothing on: what it is given, %x, is what
// the body gets, and the result at the end. So it is there until it ends.
// CHECK: peak = 12288
// STAY: peak = 12288
// CHECK-LABEL: func.func @stablehlo
func.func @stablehlo(%init: tensor<1024xi32>) -> tensor<1024xi32> {
  %r = "stablehlo.while"(%init) ({
  ^bb0(%x: tensor<1024xi32>):
    %0 = "a.one"() : () -> tensor<1024xi32>
    %1 = "a.two"(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
    %c = "a.test"(%1) : (tensor<1024xi32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%y: tensor<1024xi32>):
    %1 = "a.three"(%y) : (tensor<1024xi32>) -> tensor<1024xi32>
    "stablehlo.return"(%1) : (tensor<1024xi32>) -> ()
  }) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %r : tensor<1024xi32>
}

// -----

// 7. The body may run no time at all: %init is what @zero returns then. A held
// value in a loop is kept to the end of the function, from its begin on.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @zero
func.func @zero(%init: tensor<1024xi32>, %n: index) -> tensor<1024xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %init) -> tensor<1024xi32> {
    %1 = "a.one"() {gmem.hold} : () -> tensor<1024xi32>
    scf.yield %1 : tensor<1024xi32>
  }
  return %r : tensor<1024xi32>
}
