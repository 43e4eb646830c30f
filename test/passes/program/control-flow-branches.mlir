// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan=sharing=none %s | FileCheck %s
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan=sharing=transfer %s | FileCheck %s --check-prefix=STAY

// Ops of which one region runs, once. Peaks in granules of 4096 bytes, with
// all that is handed on copied, and (STAY) with what can stay where it is.

// 1. The arms share memory, and what an arm alone uses is live in it alone: %a
// is not there while the other arm runs, nor is %r before an arm ends.
// CHECK: peak = 12288
// STAY: peak = 8192
// CHECK-LABEL: func.func @arms
func.func @arms(%c: i1, %a: tensor<1024xi32>, %b: tensor<1024xi32>) -> tensor<1024xi32> {
  %r = scf.if %c -> tensor<1024xi32> {
    %1 = "a.one"(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
    %2 = "a.two"(%1) : (tensor<1024xi32>) -> tensor<1024xi32>
    scf.yield %2 : tensor<1024xi32>
  } else {
    %1 = "a.three"(%b) : (tensor<1024xi32>) -> tensor<1024xi32>
    %2 = "a.four"(%1) : (tensor<1024xi32>) -> tensor<1024xi32>
    scf.yield %2 : tensor<1024xi32>
  }
  return %r : tensor<1024xi32>
}

// -----

// 2. What is used behind the branch lives through both arms.
// CHECK: peak = 12288
// STAY: peak = 12288
// CHECK-LABEL: func.func @across
func.func @across(%c: i1, %a: tensor<1024xi32>) -> tensor<1024xi32> {
  %r = scf.if %c -> tensor<1024xi32> {
    %1 = "a.one"() : () -> tensor<1024xi32>
    scf.yield %1 : tensor<1024xi32>
  } else {
    %1 = "a.two"() : () -> tensor<1024xi32>
    scf.yield %1 : tensor<1024xi32>
  }
  %s = "a.last"(%r, %a) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %s : tensor<1024xi32>
}

// -----

// 3. Without an else nothing is given; what the arm uses may die in it.
// CHECK: peak = 8192
// STAY: peak = 8192
// CHECK-LABEL: func.func @no_else
func.func @no_else(%c: i1, %a: tensor<1024xi32>) {
  scf.if %c {
    %1 = "a.one"(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
    %2 = "a.two"(%1) : (tensor<1024xi32>) -> tensor<1024xi32>
    %3 = "a.three"(%2) : (tensor<1024xi32>) -> tensor<1024xi32>
  }
  return
}

// -----

// 4. Branches in each other: %a is wanted in one arm of one arm.
// CHECK: peak = 8192
// STAY: peak = 8192
// CHECK-LABEL: func.func @nested
func.func @nested(%c: i1, %a: tensor<1024xi32>) -> tensor<1024xi32> {
  %r = scf.if %c -> tensor<1024xi32> {
    %s = scf.if %c -> tensor<1024xi32> {
      %1 = "a.one"(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
      scf.yield %1 : tensor<1024xi32>
    } else {
      %1 = "a.two"() : () -> tensor<1024xi32>
      %2 = "a.three"(%1) : (tensor<1024xi32>) -> tensor<1024xi32>
      scf.yield %2 : tensor<1024xi32>
    }
    %3 = "a.four"(%s) : (tensor<1024xi32>) -> tensor<1024xi32>
    scf.yield %3 : tensor<1024xi32>
  } else {
    %1 = "a.five"() : () -> tensor<1024xi32>
    %2 = "a.six"(%1) : (tensor<1024xi32>) -> tensor<1024xi32>
    scf.yield %2 : tensor<1024xi32>
  }
  return %r : tensor<1024xi32>
}

// -----

// 5. Of a switch, too, one region runs. Here all three want both operands of
// the op that makes the result.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @switch
func.func @switch(%i: index) -> tensor<1024xi32> {
  %r = scf.index_switch %i -> tensor<1024xi32>
  case 1 {
    %1 = "a.one"() : () -> tensor<1024xi32>
    %2 = "a.two"() : () -> tensor<1024xi32>
    %3 = "a.three"(%1, %2) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
    scf.yield %3 : tensor<1024xi32>
  }
  case 2 {
    %1 = "a.four"() : () -> tensor<1024xi32>
    %2 = "a.five"() : () -> tensor<1024xi32>
    %3 = "a.six"(%1, %2) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
    scf.yield %3 : tensor<1024xi32>
  }
  default {
    %1 = "a.seven"() : () -> tensor<1024xi32>
    %2 = "a.eight"() : () -> tensor<1024xi32>
    %3 = "a.nine"(%1, %2) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
    scf.yield %3 : tensor<1024xi32>
  }
  return %r : tensor<1024xi32>
}

// -----

// 6. The same of another dialect. Copied, %a, %1 and %r are each with each of
// the others at some step.
// CHECK: peak = 12288
// STAY: peak = 8192
// CHECK-LABEL: func.func @stablehlo
func.func @stablehlo(%c: tensor<i1>, %a: tensor<1024xi32>) -> tensor<1024xi32> {
  %r = "stablehlo.if"(%c) ({
    %1 = "a.one"(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
    "stablehlo.return"(%1) : (tensor<1024xi32>) -> ()
  }, {
    "stablehlo.return"(%a) : (tensor<1024xi32>) -> ()
  }) : (tensor<i1>) -> tensor<1024xi32>
  return %r : tensor<1024xi32>
}

// -----

// 7. An op that has no model may run its regions one after the other, and both
// more than once: the operand and %a live as long as it runs, %r too.
// CHECK: peak = 16384
// CHECK-LABEL: func.func @unknown
func.func @unknown(%c: i1, %a: tensor<1024xi32>) -> tensor<1024xi32> {
  %r = "a.if"(%c) ({
    %1 = "a.one"(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
    %2 = "a.two"(%1) : (tensor<1024xi32>) -> tensor<1024xi32>
    "a.yield"(%2) : (tensor<1024xi32>) -> ()
  }, {
    "a.yield"(%a) : (tensor<1024xi32>) -> ()
  }) : (i1) -> tensor<1024xi32>
  return %r : tensor<1024xi32>
}

// -----

// 8. What a branch gives must be what its model says. A region that ends with
// something else is nothing we know: as case 7.
// CHECK: peak = 16384
// CHECK-LABEL: func.func @no_branch
func.func @no_branch(%c: i1, %a: tensor<1024xi32>) -> tensor<1024xi32> {
  %r = "a.if"(%c) ({
    %1 = "a.one"(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
    %2 = "a.two"(%1) : (tensor<1024xi32>) -> tensor<1024xi32>
    "a.yield"() : () -> ()
  }) {gmem.op_model = {kind = "branch"}} : (i1) -> tensor<1024xi32>
  return %r : tensor<1024xi32>
}

// -----

// 9. Ops that do not run in the order of the text are no branch either: %1 is
// used above its definition, so %a may be wanted last.
// CHECK: peak = 16384
// CHECK-LABEL: func.func @graph
func.func @graph(%c: i1, %a: tensor<1024xi32>) {
  "a.graph_if"(%c) ({
    "a.use"(%a) : (tensor<1024xi32>) -> ()
    %2 = "a.two"(%1) : (tensor<1024xi32>) -> tensor<1024xi32>
    %3 = "a.three"(%2) : (tensor<1024xi32>) -> tensor<1024xi32>
    %1 = "a.one"() : () -> tensor<1024xi32>
    "a.yield"() : () -> ()
  }) {gmem.op_model = {kind = "branch"}} : (i1) -> ()
  return
}

// -----

// 10. A region that always runs, once, and of several blocks: its result is
// made where one of them ends, not before.
// CHECK: peak = 8192
// STAY: peak = 8192
// CHECK-LABEL: func.func @execute
func.func @execute(%c: i1, %a: tensor<1024xi32>) -> tensor<1024xi32> {
  %r = scf.execute_region -> tensor<1024xi32> {
    cf.cond_br %c, ^left, ^right
  ^left:
    %1 = "a.one"(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
    scf.yield %1 : tensor<1024xi32>
  ^right:
    %2 = "a.two"(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
    scf.yield %2 : tensor<1024xi32>
  }
  return %r : tensor<1024xi32>
}
