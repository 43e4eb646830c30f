// Memrefs that go by one name later: an allocation site has a place of its own
// for as long as a memref may denote it, although at most one of two sites may
// hold anything at a time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: gmem-opt %s --split-input-file --allow-unregistered-dialect --gmem-plan | FileCheck %s
// RUN: gmem-opt %s --split-input-file --allow-unregistered-dialect --gmem-plan | gmem-opt --split-input-file --allow-unregistered-dialect --gmem-verify-plan | FileCheck %s

// 1. Each arm makes its own, one of them comes out: it may be either.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @arms(%c: i1, %in: memref<64xi32>, %out: memref<64xi32>) {
  %m = scf.if %c -> memref<64xi32> {
    %a = memref.alloc() : memref<64xi32>
    memref.copy %in, %a : memref<64xi32> to memref<64xi32>
    scf.yield %a : memref<64xi32>
  } else {
    %b = memref.alloc() : memref<64xi32>
    memref.copy %in, %b : memref<64xi32> to memref<64xi32>
    scf.yield %b : memref<64xi32>
  }
  memref.copy %m, %out : memref<64xi32> to memref<64xi32>
  return
}

// -----

// 2. The same, but one of them is wanted by its own name as well.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @kept(%c: i1, %in: memref<64xi32>, %out: memref<64xi32>) {
  %a = memref.alloc() : memref<64xi32>
  memref.copy %in, %a : memref<64xi32> to memref<64xi32>
  %m = scf.if %c -> memref<64xi32> {
    scf.yield %a : memref<64xi32>
  } else {
    %b = memref.alloc() : memref<64xi32>
    memref.copy %in, %b : memref<64xi32> to memref<64xi32>
    scf.yield %b : memref<64xi32>
  }
  memref.copy %m, %out : memref<64xi32> to memref<64xi32>
  memref.copy %a, %out : memref<64xi32> to memref<64xi32>
  return
}

// -----

// 3. Each iteration reads what the one before made, and then makes its own: one
//    place for what came in by the loop's operand, one for all later ones.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @one_after_the_other(%n: index, %in: memref<64xi32>, %out: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xi32>
  memref.copy %in, %a : memref<64xi32> to memref<64xi32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> memref<64xi32> {
    memref.copy %x, %out : memref<64xi32> to memref<64xi32>
    %b = memref.alloc() : memref<64xi32>
    memref.copy %in, %b : memref<64xi32> to memref<64xi32>
    scf.yield %b : memref<64xi32>
  }
  memref.copy %r, %out : memref<64xi32> to memref<64xi32>
  return
}

// -----

// 4. Two that change places: both are wanted all the time.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @ping_pong(%n: index, %in: memref<64xi32>, %out: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xi32>
  %b = memref.alloc() : memref<64xi32>
  memref.copy %in, %a : memref<64xi32> to memref<64xi32>
  %p, %q = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<64xi32>, memref<64xi32>) {
    "some.step"(%x, %y) : (memref<64xi32>, memref<64xi32>) -> ()
    scf.yield %y, %x : memref<64xi32>, memref<64xi32>
  }
  memref.copy %p, %out : memref<64xi32> to memref<64xi32>
  return
}

// -----

// 5. The one goes on as the second name when the other gets the first one: after
//    that step both are wanted.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 768 : i64
func.func @pushed_on(%n: index, %in: memref<64xi32>, %out: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xi32>
  %b = memref.alloc() : memref<64xi32>
  %d = memref.alloc() : memref<64xi32>
  memref.copy %in, %a : memref<64xi32> to memref<64xi32>
  memref.copy %in, %b : memref<64xi32> to memref<64xi32>
  %p, %q, %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %z = %d) -> (memref<64xi32>, memref<64xi32>, memref<64xi32>) {
    memref.copy %y, %out : memref<64xi32> to memref<64xi32>
    memref.copy %in, %z : memref<64xi32> to memref<64xi32>
    scf.yield %z, %x, %y : memref<64xi32>, memref<64xi32>, memref<64xi32>
  }
  memref.copy %p, %out : memref<64xi32> to memref<64xi32>
  return
}

// -----

// 6. Blocks: two ways that meet, and a third memref that is live over all of
//    it.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 768 : i64
func.func @ways(%c: i1, %in: memref<64xi32>, %out: memref<64xi32>) {
  %s = memref.alloc() : memref<64xi32>
  memref.copy %in, %s : memref<64xi32> to memref<64xi32>
  cf.cond_br %c, ^left, ^right
^left:
  %a = memref.alloc() : memref<64xi32>
  memref.copy %s, %a : memref<64xi32> to memref<64xi32>
  cf.br ^end(%a : memref<64xi32>)
^right:
  %b = memref.alloc() : memref<64xi32>
  memref.copy %s, %b : memref<64xi32> to memref<64xi32>
  cf.br ^end(%b : memref<64xi32>)
^end(%m: memref<64xi32>):
  memref.copy %m, %s : memref<64xi32> to memref<64xi32>
  memref.copy %s, %out : memref<64xi32> to memref<64xi32>
  return
}

// -----

// 7. A select takes both, and gives one: the other is not wanted after it, but
//    both were before.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @select(%c: i1, %in: memref<64xi32>, %out: memref<64xi32>) {
  %a = memref.alloc() : memref<64xi32>
  %b = memref.alloc() : memref<64xi32>
  memref.copy %in, %a : memref<64xi32> to memref<64xi32>
  memref.copy %in, %b : memref<64xi32> to memref<64xi32>
  %m = arith.select %c, %a, %b : memref<64xi32>
  memref.copy %m, %out : memref<64xi32> to memref<64xi32>
  return
}

// -----

// 8. Of different sizes they have places of their own.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 384 : i64
func.func @sizes(%c: i1, %in: memref<64xi32>, %half: memref<32xi32>, %out: memref<?xi32>) {
  %m = scf.if %c -> memref<?xi32> {
    %a = memref.alloc() : memref<64xi32>
    memref.copy %in, %a : memref<64xi32> to memref<64xi32>
    %v = memref.cast %a : memref<64xi32> to memref<?xi32>
    scf.yield %v : memref<?xi32>
  } else {
    %b = memref.alloc() : memref<32xi32>
    memref.copy %half, %b : memref<32xi32> to memref<32xi32>
    %v = memref.cast %b : memref<32xi32> to memref<?xi32>
    scf.yield %v : memref<?xi32>
  }
  memref.copy %m, %out : memref<?xi32> to memref<?xi32>
  return
}
