// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 memref.assume_alignment has no result.
// Allocations anywhere in the control flow, and what frees them.
// RUN: gmem-opt -pass-pipeline='builtin.module(gmem-plan,gmem-materialize{arena-mode=arg})' %s | FileCheck %s
// RUN: gmem-opt -pass-pipeline='builtin.module(gmem-plan,gmem-materialize)' %s | FileCheck %s --check-prefix=ALLOC

// 1. In a loop: every iteration has the same view.
// CHECK-LABEL: func.func @loop
// CHECK: %[[ARENA:.*]] = memref.assume_alignment
// CHECK: scf.for
// CHECK-NEXT: arith.constant
// CHECK-NEXT: memref.view %[[ARENA]]
// CHECK-NOT: memref.dealloc
func.func @loop(%x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<8xf32>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    memref.copy %a, %x : memref<8xf32> to memref<8xf32>
    memref.dealloc %a : memref<8xf32>
  }
  return
}

// 2. In blocks, with more than one end: each of them frees the arena.
// ALLOC-LABEL: func.func @blocks
// ALLOC: %[[WHOLE:.*]] = memref.alloc
// ALLOC: ^bb1:
// ALLOC: memref.dealloc %[[WHOLE]]
// ALLOC-NEXT: return
// ALLOC: ^bb2:
// ALLOC: memref.dealloc %[[WHOLE]]
// ALLOC-NEXT: return
func.func @blocks(%x: memref<8xf32>, %flag: i1) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  cf.cond_br %flag, ^one, ^two
^one:
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return
^two:
  %b = memref.alloc() : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  memref.copy %b, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return
}

// 3. A free that is guarded, as deallocation passes make them: the guard stays,
//    empty; it is for canonicalize to remove.
// CHECK-LABEL: func.func @guarded
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @guarded(%x: memref<8xf32>, %owned: i1) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  scf.if %owned {
    memref.dealloc %a : memref<8xf32>
  }
  return
}

// 4. One of two: both are views, and nothing is freed.
// CHECK-LABEL: func.func @one_of_two
// CHECK: scf.if
// CHECK: memref.view
// CHECK: else
// CHECK: memref.view
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @one_of_two(%x: memref<8xf32>, %flag: i1) {
  %m = scf.if %flag -> memref<8xf32> {
    %a = memref.alloc() : memref<8xf32>
    scf.yield %a : memref<8xf32>
  } else {
    %b = memref.alloc() : memref<8xf32>
    scf.yield %b : memref<8xf32>
  }
  memref.copy %x, %m : memref<8xf32> to memref<8xf32>
  memref.copy %m, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %m : memref<8xf32>
  return
}
