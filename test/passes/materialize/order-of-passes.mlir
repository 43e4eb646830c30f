// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 memref.assume_alignment has no result.
// What may run after gmem-materialize. Two buffers share bytes here; upstream's
// affine-loop-fusion takes memrefs of one arena for distinct memory, and moves
// reads of %a behind writes of %b: gmem-materialize warns of that with a remark
// where there are loops that such passes transform, and the fusion before the
// plan is right.
// RUN: split-file %s %t.d
// RUN: gmem-opt --gmem-plan --gmem-materialize %t.d/loops.mlir -o /dev/null 2>&1 | FileCheck %s
// CHECK: remark: different memrefs may share bytes of an arena now: passes that take them for different memory, such as affine-loop-fusion, must run before gmem-plan (docs/memrefs.md, order of passes)
// RUN: gmem-opt --gmem-plan --gmem-materialize %t.d/copies.mlir -o /dev/null 2>&1 | count 0
// RUN: gmem-run %t.d/loops.mlir --entry main --compare 2>&1 | FileCheck %s --check-prefix=EQUAL --implicit-check-not=remark
// RUN: gmem-opt --pass-pipeline='builtin.module(func.func(affine-loop-fusion),gmem-plan)' %t.d/loops.mlir -o %t.fused.mlir
// RUN: gmem-run %t.fused.mlir --entry main --compare | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: the planned and unplanned outputs are bitwise equal

// The other order is wrong, with no word of upstream's: all three loops become
// one. (Without the attributes of gmem, gmem-run takes the program for one that
// is not planned yet.)
// RUN: gmem-run %t.d/loops.mlir --entry main | grep "argument 2" > %t.right
// RUN: gmem-opt --gmem-plan --gmem-materialize %t.d/loops.mlir 2>/dev/null > %t.arena.mlir
// RUN: gmem-opt --pass-pipeline='builtin.module(func.func(affine-loop-fusion))' %t.arena.mlir -o %t.late.mlir
// RUN: gmem-opt --pass-pipeline='builtin.module(func.func(affine-loop-fusion),gmem-plan,gmem-materialize)' %t.d/loops.mlir -o %t.early.mlir 2>/dev/null
// RUN: sed -i 's/ attributes {gmem.arenas = .*/ {/; s/, gmem.arena = "memory"//' %t.arena.mlir %t.late.mlir %t.early.mlir
// RUN: gmem-run %t.arena.mlir --entry main | grep "argument 2" | diff %t.right -
// RUN: gmem-run %t.early.mlir --entry main | grep "argument 2" | diff %t.right -
// RUN: gmem-run %t.late.mlir --entry main | grep "argument 2" | not diff %t.right -

// Deallocations: MLIR's pipeline inserts them before gmem-plan, or between it and
// gmem-materialize, which removes those of planned memrefs. It refuses a program
// with arenas of mode "alloc", which has deallocations already.
// RUN: gmem-opt --buffer-deallocation-pipeline --gmem-plan --gmem-materialize %t.d/returned.mlir 2>/dev/null | FileCheck %s --check-prefix=FREED
// RUN: gmem-opt --gmem-plan --buffer-deallocation-pipeline --gmem-materialize %t.d/returned.mlir 2>/dev/null | FileCheck %s --check-prefix=FREED
// RUN: gmem-opt --gmem-plan --gmem-materialize=arena-mode=arg --buffer-deallocation-pipeline %t.d/returned.mlir 2>/dev/null | FileCheck %s --check-prefix=ARGUMENT
// RUN: gmem-opt --gmem-plan --gmem-materialize=arena-mode=global --buffer-deallocation-pipeline %t.d/returned.mlir 2>/dev/null | FileCheck %s --check-prefix=ARGUMENT
// RUN: not gmem-opt --gmem-plan --gmem-materialize --buffer-deallocation-pipeline %t.d/returned.mlir 2>&1 | FileCheck %s --check-prefix=REFUSED
// FREED: func.func @g(
// FREED: %[[ARENA:.*]] = memref.alloc() {alignment = 64 : i64, gmem.arena = "memory"} : memref<64xi8>
// FREED: call @f_in_arena
// FREED: memref.dealloc %{{.*}} : memref<f32>
// FREED: memref.dealloc %[[ARENA]] : memref<64xi8>
// ARGUMENT: func.func @g(
// ARGUMENT: call @f
// ARGUMENT: memref.dealloc %{{.*}} : memref<f32>
// ARGUMENT-NEXT: return
// REFUSED: error: memory free side-effect on MemRef value not supported!
// RUN: gmem-opt --buffer-deallocation-pipeline --gmem-plan %t.d/returned.mlir -o %t.freed.mlir 2>/dev/null
// RUN: gmem-run %t.freed.mlir --entry g --compare 2>/dev/null | FileCheck %s --check-prefix=EQUAL

//--- loops.mlir
func.func @main(%in: memref<64xf32>, %other: memref<64xf32>, %out: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  affine.for %i = 0 to 64 {
    %x = affine.load %a[63 - %i] : memref<64xf32>
    affine.store %x, %out[%i] : memref<64xf32>
  }
  affine.for %i = 0 to 64 {
    %x = affine.load %other[%i] : memref<64xf32>
    affine.store %x, %b[%i] : memref<64xf32>
  }
  affine.for %i = 0 to 64 {
    %x = affine.load %b[%i] : memref<64xf32>
    %z = affine.load %out[%i] : memref<64xf32>
    %w = arith.addf %x, %z : f32
    affine.store %w, %out[%i] : memref<64xf32>
  }
  return
}

//--- copies.mlir
func.func @main(%in: memref<64xf32>, %out: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %out : memref<64xf32> to memref<64xf32>
  return
}

//--- returned.mlir
func.func @f(%a: memref<16xf32>) -> memref<16xf32> {
  %0 = memref.alloc() : memref<16xf32>
  memref.copy %a, %0 : memref<16xf32> to memref<16xf32>
  memref.copy %0, %a : memref<16xf32> to memref<16xf32>
  %1 = memref.alloc() : memref<16xf32>
  memref.copy %a, %1 : memref<16xf32> to memref<16xf32>
  return %1 : memref<16xf32>
}
func.func @g(%a: memref<16xf32>) {
  %r = call @f(%a) : (memref<16xf32>) -> memref<16xf32>
  memref.copy %r, %a : memref<16xf32> to memref<16xf32>
  return
}
