// What the planner pass of MLIR's main branch (static-memory-planner-analysis,
// summer 2026) refuses, skips or places worse, and what becomes of it here: one
// case each, all the way to views of an arena. It plans allocs of static size in
// a function's entry block that have deallocs in it, from the alloc to the last
// dealloc. The size of the arena is the peak; a case has one, or its own RUN line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: gmem-opt %s --split-input-file --pass-pipeline='builtin.module(gmem-plan,gmem-materialize{arena-mode=arg})' | FileCheck %s --implicit-check-not=memref.alloc --implicit-check-not=memref.dealloc

// 1. No deallocs at all, as bufferization leaves them. Upstream: an error, "no
//    dealloc found; run the deallocation pipeline before this pass". Here lives
//    come from uses: %a and %c have one place.
// CHECK-LABEL: func.func @no_deallocs(
// CHECK-SAME:  memref<8192xi8>
// CHECK-COUNT-3: memref.view
func.func @no_deallocs(%in: memref<1024xf32>, %out: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  %c = memref.alloc() : memref<1024xf32>
  memref.copy %in, %a {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  memref.copy %a, %b {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  memref.copy %b, %c {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  memref.copy %c, %out {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  return
}

// -----

// 2. A dealloc in another block. Upstream: an error, "unstructured control flow
//    is not supported".
// CHECK-LABEL: func.func @dealloc_in_another_block(
// CHECK-SAME:  memref<4096xi8>
// CHECK:       memref.view
func.func @dealloc_in_another_block(%in: memref<1024xf32>, %out: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  memref.copy %in, %a {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  cf.br ^bb1
^bb1:
  memref.copy %a, %out {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  memref.dealloc %a : memref<1024xf32>
  return
}

// -----

// 3. Blocks that allocate for themselves: a diamond. Upstream: skips what is not
//    in the entry block. Here each has a place, which %m may denote.
// CHECK-LABEL: func.func @ways(
// CHECK-SAME:  memref<8192xi8>
// CHECK-COUNT-2: memref.view
func.func @ways(%c: i1, %in: memref<1024xf32>, %out: memref<1024xf32>) {
  cf.cond_br %c, ^left, ^right
^left:
  %a = memref.alloc() : memref<1024xf32>
  memref.copy %in, %a {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  cf.br ^end(%a : memref<1024xf32>)
^right:
  %b = memref.alloc() : memref<1024xf32>
  memref.copy %out, %b {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  cf.br ^end(%b : memref<1024xf32>)
^end(%m: memref<1024xf32>):
  memref.copy %m, %out {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  return
}

// -----

// 4. A loop of blocks: what is made before it is live as long as it runs, what
//    is made and used up in each round has one place in all of them.
// CHECK-LABEL: func.func @loop_of_blocks(
// CHECK-SAME:  memref<8192xi8>
// CHECK-COUNT-2: memref.view
func.func @loop_of_blocks(%n: index, %in: memref<1024xf32>, %out: memref<1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<1024xf32>
  memref.copy %in, %a {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %b = memref.alloc() : memref<1024xf32>
  memref.copy %a, %b {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  memref.copy %b, %out {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  memref.dealloc %b : memref<1024xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^end:
  memref.dealloc %a : memref<1024xf32>
  return
}

// -----

// 5. In the arms of a branch. Upstream: skipped. Here both arms share memory.
// CHECK-LABEL: func.func @in_branches(
// CHECK-SAME:  memref<4096xi8>
// CHECK-COUNT-2: memref.view
func.func @in_branches(%c: i1, %in: memref<1024xf32>, %out: memref<1024xf32>) {
  scf.if %c {
    %a = memref.alloc() : memref<1024xf32>
    memref.copy %in, %a {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
    memref.copy %a, %out {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
    memref.dealloc %a : memref<1024xf32>
  } else {
    %b = memref.alloc() : memref<1024xf32>
    memref.copy %out, %b {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
    memref.copy %b, %out {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
    memref.dealloc %b : memref<1024xf32>
  }
  return
}

// -----

// 6. In a loop. Upstream: skipped. No round's %b is wanted in the next.
// CHECK-LABEL: func.func @in_a_loop(
// CHECK-SAME:  memref<4096xi8>
// CHECK:       scf.for
// CHECK:       memref.view
func.func @in_a_loop(%n: index, %in: memref<1024xf32>, %out: memref<1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloc() : memref<1024xf32>
    memref.copy %in, %b {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
    memref.copy %b, %out {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
    memref.dealloc %b : memref<1024xf32>
  }
  return
}

// -----

// 7. Two buffers that change places from round to round, in a loop in a loop.
//    Upstream: skipped, they are not in the entry block.
// CHECK-LABEL: func.func @ping_pong_inside(
// CHECK-SAME:  memref<8192xi8>
// CHECK-COUNT-2: memref.view
func.func @ping_pong_inside(%n: index, %in: memref<1024xf32>, %out: memref<1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<1024xf32>
    %b = memref.alloc() : memref<1024xf32>
    memref.copy %in, %a {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
    memref.copy %in, %b {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
    %x, %y = scf.for %j = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<1024xf32>, memref<1024xf32>) {
      memref.copy %p, %q {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
      scf.yield %q, %p : memref<1024xf32>, memref<1024xf32>
    }
    memref.copy %x, %out {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
    memref.dealloc %x : memref<1024xf32>
    memref.dealloc %y : memref<1024xf32>
  }
  return
}

// -----

// 8. A dealloc of what may be a buffer of the entry block or one of an arm.
//    Upstream: left alone, both of them, as the latter is.
// CHECK-LABEL: func.func @one_or_the_other(
// CHECK-SAME:  memref<8192xi8>
// CHECK-COUNT-2: memref.view
func.func @one_or_the_other(%c: i1, %in: memref<1024xf32>, %out: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  memref.copy %in, %a {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  %m = scf.if %c -> memref<1024xf32> {
    memref.dealloc %a : memref<1024xf32>
    %b = memref.alloc() : memref<1024xf32>
    memref.copy %in, %b {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
    scf.yield %b : memref<1024xf32>
  } else {
    scf.yield %a : memref<1024xf32>
  }
  memref.copy %m, %out {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  memref.dealloc %m : memref<1024xf32>
  return
}

// -----

// 9. Freed by the block that owns it. The guard stays, with nothing in it.
// CHECK-LABEL: func.func @guarded(
// CHECK-SAME:  memref<8192xi8>
// CHECK-COUNT-2: memref.view
func.func @guarded(%c: i1, %in: memref<1024xf32>, %out: memref<1024xf32>) {
  %yes = arith.constant true
  %no = arith.constant false
  %a = memref.alloc() : memref<1024xf32>
  memref.copy %in, %a {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  %m, %owned = scf.if %c -> (memref<1024xf32>, i1) {
    %b = memref.alloc() : memref<1024xf32>
    memref.copy %a, %b {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
    scf.yield %b, %yes : memref<1024xf32>, i1
  } else {
    scf.yield %a, %no : memref<1024xf32>, i1
  }
  memref.copy %m, %out {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  scf.if %owned {
    memref.dealloc %m : memref<1024xf32>
  }
  memref.copy %a, %out {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  memref.dealloc %a : memref<1024xf32>
  return
}

// -----

// 10. Hoisted to the top and freed at the end, but used one after the other.
//     Upstream: live from alloc to dealloc, 12288 bytes. Here they are live where
//     they are used.
// CHECK-LABEL: func.func @hoisted(
// CHECK-SAME:  memref<4096xi8>
// CHECK-COUNT-3: memref.view
func.func @hoisted(%in: memref<1024xf32>, %out: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  %d = memref.alloc() : memref<1024xf32>
  memref.copy %in, %a {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  memref.copy %a, %out {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  memref.copy %in, %b {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  memref.copy %b, %out {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  memref.copy %in, %d {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  memref.copy %d, %out {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  memref.dealloc %a : memref<1024xf32>
  memref.dealloc %b : memref<1024xf32>
  memref.dealloc %d : memref<1024xf32>
  return
}

// -----

// 11. The same, but used in different arms.
// CHECK-LABEL: func.func @hoisted_out_of_arms(
// CHECK-SAME:  memref<8192xi8>
// CHECK-COUNT-3: memref.view
func.func @hoisted_out_of_arms(%c: i1, %in: memref<1024xf32>, %out: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  %d = memref.alloc() : memref<1024xf32>
  memref.copy %in, %d {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  scf.if %c {
    memref.copy %d, %a {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
    memref.copy %a, %out {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  } else {
    memref.copy %d, %b {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
    memref.copy %b, %out {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  }
  memref.dealloc %a : memref<1024xf32>
  memref.dealloc %b : memref<1024xf32>
  memref.dealloc %d : memref<1024xf32>
  return
}

// -----

// 12. Buffers in order of their starts, each in the smallest gap that fits, end
//     at 16384: %b is put beside %a, and %d fits nowhere below it. The bound is
//     12288, and that is what comes out.
// CHECK-LABEL: func.func @larger_after_smaller(
// CHECK-SAME:  memref<12288xi8>
// CHECK-COUNT-3: memref.view
func.func @larger_after_smaller(%in: memref<1024xf32>, %wide: memref<2048xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  memref.copy %in, %a {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  memref.copy %a, %b {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  memref.dealloc %a : memref<1024xf32>
  %d = memref.alloc() : memref<2048xf32>
  memref.copy %wide, %d {gmem.op_model = {}} : memref<2048xf32> to memref<2048xf32>
  memref.copy %d, %wide {gmem.op_model = {}} : memref<2048xf32> to memref<2048xf32>
  memref.dealloc %d : memref<2048xf32>
  memref.copy %b, %in {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  memref.dealloc %b : memref<1024xf32>
  return
}

// -----

// 13. Several functions. Upstream: each has an arena of its own, which its
//     callers know nothing of. Here the memory of a callee lies between that of
//     its caller: not beside %a, which is live, but where %b will be.
// CHECK-LABEL: func.func @caller(
// CHECK-SAME:  memref<8192xi8>
// CHECK-COUNT-2: memref.view
// CHECK-LABEL: func.func private @callee(
// CHECK-SAME:  memref<8192xi8>
// CHECK:       memref.view
func.func @caller(%in: memref<1024xf32>, %out: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  memref.copy %in, %a {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  func.call @callee(%in, %out) : (memref<1024xf32>, memref<1024xf32>) -> ()
  %b = memref.alloc() : memref<1024xf32>
  memref.copy %out, %b {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  memref.copy %a, %out {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  memref.copy %b, %in {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  return
}
func.func private @callee(%in: memref<1024xf32>, %out: memref<1024xf32>) {
  %t = memref.alloc() : memref<1024xf32>
  memref.copy %in, %t {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  memref.copy %t, %out {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32>
  memref.dealloc %t : memref<1024xf32>
  return
}

// -----

// 14. Each buffer has the alignment that it asks for, and 64 if it asks for less.
//     Upstream: 1 where an alloc says nothing, which vector code pays for. So %b is
//     at 0 and %a at 64.
// CHECK-LABEL: func.func @alignments(
// CHECK-SAME:  memref<76xi8>
// CHECK-COUNT-2: memref.view
func.func @alignments(%in: memref<3xi32>, %out: memref<3xi32>) {
  %a = memref.alloc() {alignment = 4 : i64} : memref<3xi32>
  %b = memref.alloc() {alignment = 256 : i64} : memref<3xi32>
  memref.copy %in, %a {gmem.op_model = {}} : memref<3xi32> to memref<3xi32>
  memref.copy %a, %b {gmem.op_model = {}} : memref<3xi32> to memref<3xi32>
  memref.copy %b, %out {gmem.op_model = {}} : memref<3xi32> to memref<3xi32>
  return
}
