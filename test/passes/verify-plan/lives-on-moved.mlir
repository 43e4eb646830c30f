// Ops that upstream passes move in a planned program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='alignment=64 weight-alignment=64' %s -o %t
// RUN: not gmem-opt --allow-unregistered-dialect --split-input-file --pass-pipeline='builtin.module(func.func(loop-invariant-code-motion,control-flow-sink,buffer-hoisting,buffer-loop-hoisting),canonicalize,gmem-verify-plan)' %t -o /dev/null 2>&1 | grep '%t' | FileCheck %s --implicit-check-not=error: --implicit-check-not=remark:

// 1. Hoisted out of a loop, to bytes that are free during the loop: nothing is
// reported.
func.func @hoisted(%n: index, %x: tensor<16xf32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> (tensor<16xf32>) {
    %y = tosa.abs %x {gmem.fixed = array<i64: 512>} : (tensor<16xf32>) -> tensor<16xf32>
    %r = "x.make"(%p, %y) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    scf.yield %r : tensor<16xf32>
  }
  return %a : tensor<16xf32>
}

// -----

// 2. To bytes that the loop uses again in each iteration.
// CHECK: error: result #0 of 'tosa.abs' and result #0 of 'x.make' share bytes [512, 576) of pool 'tensors' while both are live at this op
// CHECK-NEXT: note: result #0 of 'tosa.abs' has bytes [512, 576)
// CHECK-NEXT: note: result #0 of 'x.make' has bytes [512, 576)
// CHECK-NEXT: remark: this plan is not valid for the program as it is now: if the program has changed since it was planned, plan it again
func.func @hoisted_over(%n: index, %x: tensor<16xf32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> (tensor<16xf32>) {
    %y = tosa.abs %x {gmem.fixed = array<i64: 512>} : (tensor<16xf32>) -> tensor<16xf32>
    %r = "x.make"(%p, %y) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %s = "x.make"(%r) {gmem.fixed = array<i64: 512>} : (tensor<16xf32>) -> tensor<16xf32>
    %t = "x.make"(%s) : (tensor<16xf32>) -> tensor<16xf32>
    scf.yield %t : tensor<16xf32>
  }
  return %a : tensor<16xf32>
}

// -----

// 3. Two allocs that leave their loop, in which they had one place: each iteration
// writes all of one when it reads the other no more, so nothing is reported.
func.func @alloc_overwritten(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<16xf32>
    memref.copy %in, %a : memref<16xf32> to memref<16xf32>
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    %b = memref.alloc() : memref<16xf32>
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
    memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  }
  return
}

// -----

// 4. The same, but the op may read what was there.
// CHECK-NEXT: error: result #0 of 'memref.alloc' and result #0 of 'memref.alloc' share bytes [0, 64) of pool 'memory' while both are live at this op
// CHECK-NEXT: note: result #0 of 'memref.alloc' has bytes [0, 64)
// CHECK-NEXT: note: result #0 of 'memref.alloc' has bytes [0, 64)
// CHECK-NEXT: remark: this plan is not valid for the program as it is now: if the program has changed since it was planned, plan it again
func.func @alloc(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<16xf32>
    memref.copy %in, %a {gmem.op_model = {}} : memref<16xf32> to memref<16xf32>
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    %b = memref.alloc() : memref<16xf32>
    memref.copy %in, %b {gmem.op_model = {}} : memref<16xf32> to memref<16xf32>
    memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  }
  return
}

// -----

// 5. Sunk into a branch: it runs later, which nothing prevents.
func.func @sunk(%c: i1, %x: tensor<16xf32>) -> tensor<16xf32> {
  %y = tosa.abs %x {gmem.fixed = array<i64: 256>} : (tensor<16xf32>) -> tensor<16xf32>
  %z = "x.make"() {gmem.fixed = array<i64: 512>} : () -> tensor<16xf32>
  %a = scf.if %c -> tensor<16xf32> {
    %p = "x.make"(%y) : (tensor<16xf32>) -> tensor<16xf32>
    scf.yield %p : tensor<16xf32>
  } else {
    scf.yield %z : tensor<16xf32>
  }
  return %a : tensor<16xf32>
}

// -----

// 6. Here the bytes that it reads are used again by then.
// CHECK-NEXT: error: result #0 of 'x.make' and result #0 of 'x.make' share bytes [512, 576) of pool 'tensors' while both are live at this op
// CHECK-NEXT: note: result #0 of 'x.make' has bytes [512, 576)
// CHECK-NEXT: note: result #0 of 'x.make' has bytes [512, 576)
// CHECK-NEXT: remark: this plan is not valid for the program as it is now: if the program has changed since it was planned, plan it again
func.func @sunk_over(%c: i1, %w: tensor<16xf32>) -> tensor<16xf32> {
  %x = "x.make"() {gmem.fixed = array<i64: 512>} : () -> tensor<16xf32>
  %y = tosa.abs %x {gmem.fixed = array<i64: 256>} : (tensor<16xf32>) -> tensor<16xf32>
  %z = "x.make"() {gmem.fixed = array<i64: 512>} : () -> tensor<16xf32>
  %a = scf.if %c -> tensor<16xf32> {
    %p = "x.make"(%y) : (tensor<16xf32>) -> tensor<16xf32>
    scf.yield %p : tensor<16xf32>
  } else {
    scf.yield %z : tensor<16xf32>
  }
  return %a : tensor<16xf32>
}

// CHECK-NOT: note:
