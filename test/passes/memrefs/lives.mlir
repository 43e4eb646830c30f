// When the memory that a program allocates is wanted: who shares with whom.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: gmem-opt %s --split-input-file --allow-unregistered-dialect --gmem-plan | FileCheck %s
// RUN: gmem-opt %s --split-input-file --allow-unregistered-dialect --gmem-plan | gmem-opt --split-input-file --allow-unregistered-dialect --gmem-verify-plan | FileCheck %s

// 1. Lives go from the first touch to the last, not from alloc to dealloc: three
//    in a row need two places.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @chain(%in: memref<64xi32>, %out: memref<64xi32>) {
  %a = memref.alloc() : memref<64xi32>
  %b = memref.alloc() : memref<64xi32>
  %c = memref.alloc() : memref<64xi32>
  memref.copy %in, %a {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  memref.copy %a, %b {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  memref.copy %b, %c {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  memref.copy %c, %out {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  memref.dealloc %a : memref<64xi32>
  memref.dealloc %b : memref<64xi32>
  memref.dealloc %c : memref<64xi32>
  return
}

// -----

// 2. A view keeps its memory live, and so does a view of it, by whatever model.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @views(%in: memref<64xi32>, %out: memref<32xi32>) {
  %a = memref.alloc() : memref<64xi32>
  memref.copy %in, %a {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  %v = memref.expand_shape %a [[0, 1]] output_shape [2, 32] : memref<64xi32> into memref<2x32xi32>
  %s = memref.subview %v[1, 0] [1, 32] [1, 1] : memref<2x32xi32> to memref<32xi32, strided<[1], offset: 32>>
  %b = memref.alloc() : memref<64xi32>
  memref.copy %in, %b {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  memref.copy %s, %out {gmem.op_model = {}} : memref<32xi32, strided<[1], offset: 32>> to memref<32xi32>
  "some.use"(%b) : (memref<64xi32>) -> ()
  return
}

// -----

// 3. A view that is made early and used late: nothing is in the memory before.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 256 : i64
func.func @early_view(%in: memref<64xi32>, %out: memref<64xi32>) {
  %a = memref.alloc() : memref<64xi32>
  %v = memref.cast %a : memref<64xi32> to memref<?xi32>
  %b = memref.alloc() : memref<64xi32>
  memref.copy %in, %b {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  memref.copy %b, %out {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  memref.copy %in, %v {gmem.op_model = {}} : memref<64xi32> to memref<?xi32>
  memref.copy %v, %out {gmem.op_model = {}} : memref<?xi32> to memref<64xi32>
  return
}

// -----

// 4. Neither a free, nor a dimension, nor a view that leads to nothing else is a
//    use.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 256 : i64
func.func @idle_views(%in: memref<64xi32>, %out: memref<64xi32>) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<64xi32>
  memref.copy %in, %a {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  memref.copy %a, %out {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  %b = memref.alloc() : memref<64xi32>
  memref.copy %in, %b {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  memref.copy %b, %out {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  %v = memref.cast %a : memref<64xi32> to memref<?xi32>
  %d = memref.dim %v, %c0 : memref<?xi32>
  %base, %o, %s, %t = memref.extract_strided_metadata %v : memref<?xi32> -> memref<i32>, index, index, index
  memref.dealloc %base : memref<i32>
  memref.dealloc %b : memref<64xi32>
  return %d : index
}

// -----

// 5. The arms of a branch share memory, with what is hoisted out of them too.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 256 : i64
func.func @arms(%c: i1, %in: memref<64xi32>, %out: memref<64xi32>) {
  %a = memref.alloc() : memref<64xi32>
  %b = memref.alloc() : memref<64xi32>
  scf.if %c {
    memref.copy %in, %a {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
    memref.copy %a, %out {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  } else {
    scf.if %c {
      memref.copy %in, %b {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
      memref.copy %b, %out {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
    }
  }
  return
}

// -----

// 6. What one arm writes and is read after the branch is live after it, and in
//    the other arm is not yet: there %b can be where it is.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 256 : i64
func.func @one_arm(%c: i1, %in: memref<64xi32>, %out: memref<64xi32>) {
  %a = memref.alloc() : memref<64xi32>
  scf.if %c {
    memref.copy %in, %a {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  } else {
    %b = memref.alloc() : memref<64xi32>
    memref.copy %in, %b {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
    memref.copy %b, %out {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  }
  memref.copy %a, %out {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  return
}

// -----

// 7. But what was written before the branch is wanted in both arms.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @before_arms(%c: i1, %in: memref<64xi32>, %out: memref<64xi32>) {
  %a = memref.alloc() : memref<64xi32>
  memref.copy %in, %a {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  scf.if %c {
    memref.copy %in, %a {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  } else {
    %b = memref.alloc() : memref<64xi32>
    memref.copy %in, %b {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
    memref.copy %b, %out {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  }
  memref.copy %a, %out {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  return
}

// -----

// 8. A loop may read in one iteration what it wrote in the one before: what is
//    allocated outside of it is live as long as it runs.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @state(%n: index, %in: memref<64xi32>, %out: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %state = memref.alloc() : memref<64xi32>
  scf.for %i = %c0 to %n step %c1 {
    %first = arith.cmpi eq, %i, %c0 : index
    %t = memref.alloc() : memref<64xi32>
    memref.copy %in, %t {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
    memref.copy %t, %out {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
    scf.if %first {
      memref.copy %in, %state {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
    } else {
      memref.copy %state, %out {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
    }
  }
  return
}

// -----

// 9. Blocks: in a loop of them, what is allocated before it is live in all.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @blocks(%c: i1, %in: memref<64xi32>, %out: memref<64xi32>) {
  %a = memref.alloc() : memref<64xi32>
  cf.br ^first
^first:
  memref.copy %in, %a {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  cf.br ^loop
^loop:
  memref.copy %a, %out {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  cf.br ^more
^more:
  %b = memref.alloc() : memref<64xi32>
  memref.copy %in, %b {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  memref.copy %b, %out {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  cf.cond_br %c, ^loop, ^end
^end:
  return
}

// -----

// 10. No op reads it: it has a place all the same, beside nothing.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 256 : i64
// CHECK:       memref.alloc() {gmem.offset = array<i64: 0>
// CHECK:       memref.alloc() {gmem.offset = array<i64: 0>
func.func @never() {
  %a = memref.alloc() : memref<64xi32>
  %b = memref.alloc() : memref<64xi32>
  memref.dealloc %a : memref<64xi32>
  return
}

// -----

// 11. The shape operand of a reshape is read: it is no view of that.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 264 : i64
func.func @shape(%in: memref<64xi32>, %out: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %shape = memref.alloc() : memref<1xindex>
  %a = memref.alloc() : memref<64xi32>
  memref.copy %in, %a {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  memref.store %c64, %shape[%c0] : memref<1xindex>
  %r = memref.reshape %a(%shape) : (memref<64xi32>, memref<1xindex>) -> memref<?xi32>
  memref.copy %r, %out {gmem.op_model = {}} : memref<?xi32> to memref<?xi32>
  return
}

// -----

// 12. An op of no model that takes and gives memrefs may give any it takes.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 768 : i64
func.func @unknown(%in: memref<64xi32>, %out: memref<64xi32>) {
  %a = memref.alloc() : memref<64xi32>
  %b = memref.alloc() : memref<64xi32>
  memref.copy %in, %a {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  memref.copy %in, %b {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  %v = "some.op"(%a, %b) : (memref<64xi32>, memref<64xi32>) -> memref<64xi32>
  %c = memref.alloc() : memref<64xi32>
  memref.copy %in, %c {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  memref.copy %c, %out {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  memref.copy %v, %out {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  return
}

// -----

// 13. The same with regions: what it takes may come in by any of its blocks.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @unknown_region(%in: memref<64xi32>, %out: memref<64xi32>) {
  %a = memref.alloc() : memref<64xi32>
  memref.copy %in, %a {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  %v = "some.op"(%a) ({
  ^bb0(%x: memref<64xi32>):
    "some.jump"(%x)[^bb1] : (memref<64xi32>) -> ()
  ^bb1(%y: memref<64xi32>):
    "some.end"(%y) : (memref<64xi32>) -> ()
  }) : (memref<64xi32>) -> memref<64xi32>
  %b = memref.alloc() : memref<64xi32>
  memref.copy %in, %b {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  memref.copy %b, %out {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  memref.copy %v, %out {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  return
}

// -----

// 14. On the stack, only if it is asked for; gmem.hold lasts to the end.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
// CHECK:       memref.alloca() : memref<64xi32>
func.func @hold(%in: memref<64xi32>, %out: memref<64xi32>) {
  %s = memref.alloca() : memref<64xi32>
  memref.copy %in, %s {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  %a = memref.alloc() {gmem.hold} : memref<64xi32>
  memref.copy %s, %a {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  %b = memref.alloc() : memref<64xi32>
  memref.copy %a, %b {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  memref.copy %b, %out {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  return
}

// -----

// 15. What ends a region comes out of the op around it that has no model, and of
//     the one around that.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @comes_out(%in: memref<64xi32>, %out: memref<64xi32>) {
  %a = memref.alloc() : memref<64xi32>
  memref.copy %in, %a {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  %v = "some.op"() ({
    "some.op"() ({
      "some.break"(%a) : (memref<64xi32>) -> ()
    }) : () -> ()
    "some.end"() : () -> ()
  }) : () -> memref<64xi32>
  %b = memref.alloc() : memref<64xi32>
  memref.copy %in, %b {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  memref.copy %b, %out {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  memref.copy %v, %out {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  return
}

// -----

// 16. An argument that its block does not use keeps nothing live: the memory is
//     neither live when it is allocated nor after its last use.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 256 : i64
// CHECK-COUNT-2: memref.alloc() {gmem.offset
func.func @unused_argument(%c: i1, %in: memref<64xi32>, %out: memref<64xi32>) {
  %a = memref.alloc() : memref<64xi32>
  memref.copy %in, %a {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  cf.br ^head(%a : memref<64xi32>)
^head(%x: memref<64xi32>):
  cf.cond_br %c, ^body(%x : memref<64xi32>), ^exit
^body(%unused: memref<64xi32>):
  cf.br ^head(%a : memref<64xi32>)
^exit:
  memref.copy %a, %out {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  %b = memref.alloc() : memref<64xi32>
  memref.copy %in, %b {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  memref.copy %b, %out {gmem.op_model = {}} : memref<64xi32> to memref<64xi32>
  return
}
