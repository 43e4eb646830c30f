// gmem-expand-allocs: allocations of which several instances are live at once are
// parts of one before the loop, which can be planned.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 linalg.map has another form.

// RUN: gmem-opt --split-input-file --gmem-expand-allocs %s | FileCheck %s
// RUN: gmem-opt --split-input-file --gmem-expand-allocs --gmem-plan %s 2>/dev/null | FileCheck %s --check-prefix=PLAN
// RUN: gmem-opt --split-input-file --gmem-expand-allocs --gmem-plan %s 2>/dev/null | gmem-opt --split-input-file --gmem-materialize -o /dev/null 2>/dev/null

// Without it they stay as they are, and a remark says what helps.
// RUN: gmem-opt --split-input-file --gmem-plan %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=WITHOUT
// WITHOUT: remark: this memref of @one is not planned: it is in code that may run concurrently with itself
// WITHOUT: note: this may run concurrently with itself; if its bounds are constant, gmem-expand-allocs gives each iteration a part of its own

// The program computes the same.
// RUN: gmem-opt --split-input-file --pass-pipeline='builtin.module(scf-forall-to-for,gmem-lower-to-llvm)' %S/Inputs/expand-sum.mlir | mlir-runner -e main -entry-point-result=i64 | FileCheck %s --check-prefix=VALUE
// RUN: gmem-opt --pass-pipeline='builtin.module(gmem-expand-allocs,gmem-plan,gmem-materialize,scf-forall-to-for,gmem-lower-to-llvm)' %S/Inputs/expand-sum.mlir 2>/dev/null | mlir-runner -e main -entry-point-result=i64 | FileCheck %s --check-prefix=VALUE
// VALUE: 2016
// RUN: gmem-opt --pass-pipeline='builtin.module(gmem-lower-to-llvm)' %S/Inputs/expand-turns.mlir | mlir-runner -e main -entry-point-result=i64 | FileCheck %s --check-prefix=TURNS
// RUN: gmem-opt --pass-pipeline='builtin.module(gmem-expand-allocs,gmem-plan,gmem-materialize,gmem-lower-to-llvm)' %S/Inputs/expand-turns.mlir 2>/dev/null | mlir-runner -e main -entry-point-result=i64 | FileCheck %s --check-prefix=TURNS
// TURNS: 610

// 1. 8 parts of 256 bytes. What each iteration frees is freed once, in the end.
// CHECK-LABEL: func.func @one
// CHECK: %[[ALL:.*]] = memref.alloc() {alignment = 64 : i64} : memref<2048xi8>
// CHECK-NEXT: scf.forall (%[[I:.*]]) in (8)
// CHECK-NEXT: %[[PART:.*]] = arith.constant 256 : index
// CHECK-NEXT: %[[AT:.*]] = arith.muli %[[I]], %[[PART]] : index
// CHECK-NEXT: memref.view %[[ALL]][%[[AT]]][] : memref<2048xi8> to memref<64xf32>
// CHECK-NOT: memref.dealloc
// CHECK: memref.copy
// CHECK-NEXT: }
// CHECK-NEXT: memref.dealloc %[[ALL]]
// PLAN: peak = 2048
// PLAN-LABEL: func.func @one
func.func @one(%in: memref<8x64xf32>, %out: memref<8x64xf32>) {
  scf.forall (%i) in (8) {
    %a = memref.alloc() : memref<64xf32>
    %s = memref.subview %in[%i, 0] [1, 64] [1, 1] : memref<8x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    linalg.map ins(%s : memref<64xf32, strided<[1], offset: ?>>) outs(%a : memref<64xf32>)
    (%x: f32, %o: f32) {
      %y = math.absf %x : f32
      linalg.yield %y : f32
    }
    %d = memref.subview %out[%i, 0] [1, 64] [1, 1] : memref<8x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    memref.copy %a, %d : memref<64xf32> to memref<64xf32, strided<[1], offset: ?>>
    memref.dealloc %a : memref<64xf32>
  }
  return
}

// -----

// 2. Loops in loops: 4 * 3 * 3 parts of 20 bytes, at multiples of 128. The
// iterations of scf.for run one after the other and share a part.
// CHECK-LABEL: func.func @nested
// CHECK: %[[ALL:.*]] = memref.alloc() {alignment = 128 : i64} : memref<4608xi8>
// CHECK: scf.parallel (%[[I:.*]], %[[J:.*]]) =
// CHECK: scf.for
// CHECK: scf.forall (%[[K:.*]]) in (3)
// CHECK-NEXT: %[[C4:.*]] = arith.constant 4
// CHECK-NEXT: %[[I0:.*]] = arith.subi %[[I]], %[[C4]]
// CHECK-NEXT: %[[C2:.*]] = arith.constant 2
// CHECK-NEXT: %[[I1:.*]] = arith.divui %[[I0]], %[[C2]]
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1
// CHECK-NEXT: %[[J0:.*]] = arith.subi %[[J]], %[[C1]]
// CHECK-NEXT: %[[C3:.*]] = arith.constant 3
// CHECK-NEXT: %[[A:.*]] = arith.muli %[[I1]], %[[C3]]
// CHECK-NEXT: %[[B:.*]] = arith.addi %[[A]], %[[J0]]
// CHECK-NEXT: %[[D3:.*]] = arith.constant 3
// CHECK-NEXT: %[[C:.*]] = arith.muli %[[B]], %[[D3]]
// CHECK-NEXT: %[[D:.*]] = arith.addi %[[C]], %[[K]]
// CHECK-NEXT: %[[C128:.*]] = arith.constant 128
// CHECK-NEXT: %[[AT:.*]] = arith.muli %[[D]], %[[C128]]
// CHECK-NEXT: memref.view %[[ALL]][%[[AT]]][] : memref<4608xi8> to memref<5xf32>
// PLAN: peak = 4608
// PLAN-LABEL: func.func @nested
func.func @nested(%in: memref<12x64xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c12 = arith.constant 12 : index
  scf.parallel (%i, %j) = (%c4, %c1) to (%c12, %c4) step (%c2, %c1) {
    scf.for %n = %c1 to %c4 step %c1 {
      scf.forall (%k) in (3) {
        %a = memref.alloc() {alignment = 128 : i64} : memref<5xf32>
        %v = memref.expand_shape %a [[0, 1]] output_shape [1, 5] : memref<5xf32> into memref<1x5xf32>
        %s = memref.subview %in[%i, %j] [1, 5] [1, 1] : memref<12x64xf32> to memref<1x5xf32, strided<[64, 1], offset: ?>>
        memref.copy %s, %v : memref<1x5xf32, strided<[64, 1], offset: ?>> to memref<1x5xf32>
        %x = memref.load %a[%k] : memref<5xf32>
        memref.store %x, %a[%k] : memref<5xf32>
      }
    }
  }
  return
}

// -----

// 3. Unchanged: how many iterations there are is not known.
// CHECK-LABEL: func.func @bounds
// CHECK: scf.forall
// CHECK-NEXT: memref.alloc() : memref<64xf32>
// CHECK: scf.parallel
// CHECK-NEXT: memref.alloc() : memref<64xf32>
func.func @bounds(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    %a = memref.alloc() : memref<64xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = memref.alloc() : memref<64xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  }
  return
}

// -----

// 4. Unchanged: a function may free or keep it, a loop hands it to its next
// iteration, memory holds it; its size is dynamic, it has a layout.
// CHECK-LABEL: func.func @uses
// CHECK: scf.forall
// CHECK-NEXT: memref.alloc() : memref<64xf32>
// CHECK-NEXT: memref.alloc() : memref<64xf32>
// CHECK-NEXT: memref.alloc() : memref<64xf32>
// CHECK-NEXT: memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK-NEXT: memref.alloc() : memref<4x4xf32, strided<[8, 1]>>
func.func private @extern(memref<64xf32>)
func.func @uses(%n: index, %all: memref<4xmemref<64xf32>>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (4) {
    %a = memref.alloc() : memref<64xf32>
    %b = memref.alloc() : memref<64xf32>
    %c = memref.alloc() : memref<64xf32>
    %d = memref.alloc(%n) : memref<?xf32>
    %e = memref.alloc() : memref<4x4xf32, strided<[8, 1]>>
    func.call @extern(%a) : (memref<64xf32>) -> ()
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%m = %b) -> memref<64xf32> {
      scf.yield %m : memref<64xf32>
    }
    memref.store %c, %all[%i] : memref<4xmemref<64xf32>>
    linalg.fill ins(%x : f32) outs(%d : memref<?xf32>)
    linalg.fill ins(%x : f32) outs(%e : memref<4x4xf32, strided<[8, 1]>>)
  }
  return
}

// -----

// 5. Unchanged: it is not known how often the op around it runs its region at
// once.
// CHECK-LABEL: func.func @unknown
// CHECK: scf.forall
// CHECK-NEXT: affine.parallel
// CHECK-NEXT: memref.alloc() : memref<64xf32>
func.func @unknown(%x: f32) {
  scf.forall (%i) in (4) {
    affine.parallel (%j) = (0) to (4) {
      %a = memref.alloc() : memref<64xf32>
      linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
    }
  }
  return
}

// -----

// 6. What an iteration makes of what the one before has made: two parts that take
// turns. The first iteration is number 0, wherever the loop begins.
// CHECK-LABEL: func.func @carried
// CHECK: %[[ALL:.*]] = memref.alloc() {alignment = 64 : i64} : memref<512xi8>
// CHECK-NEXT: scf.for %[[I:.*]] = %[[FROM:.*]] to %{{.*}} step %[[STEP:.*]] iter_args
// CHECK-NEXT: %[[A:.*]] = arith.subi %[[I]], %[[FROM]]
// CHECK-NEXT: %[[B:.*]] = arith.divui %[[A]], %[[STEP]]
// CHECK-NEXT: %[[TWO:.*]] = arith.constant 2
// CHECK-NEXT: %[[C:.*]] = arith.remui %[[B]], %[[TWO]]
// CHECK-NEXT: %[[PART:.*]] = arith.constant 256
// CHECK-NEXT: %[[AT:.*]] = arith.muli %[[C]], %[[PART]]
// CHECK-NEXT: %[[V:.*]] = memref.view %[[ALL]][%[[AT]]][] : memref<512xi8> to memref<64xf32>
// CHECK: scf.yield %[[V]]
// PLAN: peak = 512
// PLAN-LABEL: func.func @carried
// WITHOUT: remark: this memref of @carried is not planned: several instances of it may be live at once
// WITHOUT: note: an earlier instance is still live here; gmem-expand-allocs may give it two places that take turns
func.func @carried(%from: index, %to: index, %step: index, %in: memref<64xf32>, %out: memref<64xf32>) {
  %r = scf.for %i = %from to %to step %step iter_args(%m = %in) -> memref<64xf32> {
    %a = memref.alloc() : memref<64xf32>
    linalg.transpose ins(%m : memref<64xf32>) outs(%a : memref<64xf32>) permutation = [0]
    scf.yield %a : memref<64xf32>
  }
  memref.copy %r, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 7. Unchanged: it is passed on once more, is carried twice, outlives the loop, or
// is freed.
// CHECK-LABEL: func.func @no_turns
// CHECK: scf.for
// CHECK-NEXT: memref.alloc() : memref<64xf32>
// CHECK: scf.for
// CHECK-NEXT: memref.alloc() : memref<64xf32>
// CHECK: scf.for
// CHECK-NEXT: memref.alloc() : memref<64xf32>
// CHECK: scf.for
// CHECK-NEXT: memref.alloc() : memref<64xf32>
func.func @no_turns(%n: index, %x: f32, %in: memref<64xf32>, %out: memref<64xf32>) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %in, %older = %in) -> (memref<64xf32>, memref<64xf32>) {
    %a = memref.alloc() : memref<64xf32>
    linalg.map { arith.addf } ins(%m, %older : memref<64xf32>, memref<64xf32>) outs(%a : memref<64xf32>)
    scf.yield %a, %m : memref<64xf32>, memref<64xf32>
  }
  %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %in, %l = %in) -> (memref<64xf32>, memref<64xf32>) {
    %a = memref.alloc() : memref<64xf32>
    linalg.map { arith.addf } ins(%m, %l : memref<64xf32>, memref<64xf32>) outs(%a : memref<64xf32>)
    scf.yield %a, %a : memref<64xf32>, memref<64xf32>
  }
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%m = %in) -> memref<64xf32> {
    %a = memref.alloc() : memref<64xf32>
    linalg.map { math.absf } ins(%m : memref<64xf32>) outs(%a : memref<64xf32>)
    scf.yield %a : memref<64xf32>
  }
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  %u = scf.for %i = %c0 to %n step %c1 iter_args(%m = %b) -> memref<64xf32> {
    %a = memref.alloc() : memref<64xf32>
    linalg.map { math.absf } ins(%m : memref<64xf32>) outs(%a : memref<64xf32>)
    memref.dealloc %m : memref<64xf32>
    scf.yield %a : memref<64xf32>
  }
  memref.copy %u, %out : memref<64xf32> to memref<64xf32>
  return %t : memref<64xf32>
}

// -----

// 8. What the loop begins with is read in the first iteration alone: it is the
// part that this iteration does not make.
// CHECK-LABEL: func.func @start
// CHECK: %[[ALL:.*]] = memref.alloc() {alignment = 128 : i64} : memref<512xi8>
// CHECK-NEXT: %[[SECOND:.*]] = arith.constant 256 : index
// CHECK-NEXT: %[[V:.*]] = memref.view %[[ALL]][%[[SECOND]]][] : memref<512xi8> to memref<64xf32>
// CHECK-NEXT: linalg.fill ins(%{{.*}} : f32) outs(%[[V]]
// CHECK-NEXT: scf.for %{{.*}} iter_args(%{{.*}} = %[[V]])
// PLAN: peak = 512
// PLAN-LABEL: func.func @start
func.func @start(%n: index, %x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.alloc() {alignment = 128 : i64} : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%s : memref<64xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %s) -> memref<64xf32> {
    %a = memref.alloc() : memref<64xf32>
    linalg.transpose ins(%m : memref<64xf32>) outs(%a : memref<64xf32>) permutation = [0]
    scf.yield %a : memref<64xf32>
  }
  memref.copy %r, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 9. It has a place of its own if it is read in later iterations, or behind the
// loop.
// CHECK-LABEL: func.func @lasting
// CHECK: memref.alloc() : memref<64xf32>
// CHECK: memref.alloc() {{.*}} : memref<512xi8>
// CHECK-NEXT: scf.for
// CHECK: memref.alloc() : memref<64xf32>
// CHECK: memref.alloc() {{.*}} : memref<512xi8>
// CHECK-NEXT: scf.for
func.func @lasting(%n: index, %x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%s : memref<64xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %s) -> memref<64xf32> {
    %a = memref.alloc() : memref<64xf32>
    linalg.map { arith.addf } ins(%m, %s : memref<64xf32>, memref<64xf32>) outs(%a : memref<64xf32>)
    scf.yield %a : memref<64xf32>
  }
  memref.copy %r, %out : memref<64xf32> to memref<64xf32>
  %t = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%t : memref<64xf32>)
  %u = scf.for %i = %c0 to %n step %c1 iter_args(%m = %t) -> memref<64xf32> {
    %a = memref.alloc() : memref<64xf32>
    linalg.map { math.absf } ins(%m : memref<64xf32>) outs(%a : memref<64xf32>)
    scf.yield %a : memref<64xf32>
  }
  linalg.map { arith.addf } ins(%u, %t : memref<64xf32>, memref<64xf32>) outs(%out : memref<64xf32>)
  return
}
