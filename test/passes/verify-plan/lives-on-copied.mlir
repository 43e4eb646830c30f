// Ops that upstream passes move or remove in a planned program, after which two
// values that share bytes, as control flow copies one to the other, are live
// together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='alignment=64 weight-alignment=64' %s -o %t
// RUN: not gmem-opt --allow-unregistered-dialect --split-input-file --pass-pipeline='builtin.module(func.func(loop-invariant-code-motion,cse),gmem-verify-plan)' %t -o /dev/null 2>&1 | grep '%t' | FileCheck %s --implicit-check-not=error:

// 1. The slice that a loop passes on leaves the loop: there is nothing else that
// it passes on.
func.func @hoisted_source(%x: tensor<32xf32>) -> tensor<16xf32> {
  %r = scf.while () : () -> tensor<16xf32> {
    %s = tensor.extract_slice %x[1] [16] [2] : tensor<32xf32> to tensor<16xf32>
    %c = "x.condition"() : () -> i1
    scf.condition(%c) %s : tensor<16xf32>
  } do {
  ^bb0(%v: tensor<16xf32>):
    "x.use"(%v) : (tensor<16xf32>) -> ()
    scf.yield
  }
  return %r : tensor<16xf32>
}

// -----

// 2. Nobody reads what a loop carries any more.
func.func @unread(%n: index, %x: tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> (tensor<16xf32>) {
    %d = tosa.abs %p : (tensor<16xf32>) -> tensor<16xf32>
    %y = "x.make"() : () -> tensor<16xf32>
    scf.yield %y : tensor<16xf32>
  }
  return
}

// -----

// 3. Both ways to a block bring one value, of which there were two.
func.func @both_ways(%x: tensor<32xf32>, %c: i1) -> tensor<16xf32> {
  %s = tensor.extract_slice %x[1] [16] [2] : tensor<32xf32> to tensor<16xf32>
  %t = tensor.extract_slice %x[1] [16] [2] : tensor<32xf32> to tensor<16xf32>
  cf.cond_br %c, ^bb1(%s : tensor<16xf32>), ^bb1(%t : tensor<16xf32>)
^bb1(%v: tensor<16xf32>):
  "x.use"(%v) : (tensor<16xf32>) -> ()
  return %v : tensor<16xf32>
}

// -----

// 4. The slice leaves a loop in which another value has its bytes.
// CHECK: error: result #0 of 'tensor.extract_slice' and {{.*}} share bytes {{.*}} while both are live at this op
func.func @overwritten(%x: tensor<32xf32>) -> tensor<16xf32> {
  %r = scf.while () : () -> tensor<16xf32> {
    %s = tensor.extract_slice %x[1] [16] [2] {gmem.fixed = array<i64: 512>} : tensor<32xf32> to tensor<16xf32>
    %c = "x.condition"() : () -> i1
    scf.condition(%c) %s : tensor<16xf32>
  } do {
  ^bb0(%v: tensor<16xf32>):
    "x.use"(%v) : (tensor<16xf32>) -> ()
    %y = "x.make"() {gmem.fixed = array<i64: 512>} : () -> tensor<16xf32>
    "x.use"(%y) : (tensor<16xf32>) -> ()
    scf.yield
  }
  return %r : tensor<16xf32>
}
