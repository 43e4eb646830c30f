// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 memref.assume_alignment has no result.
// What becomes of a plan in each mode: one arena per pool, and views of it.
// RUN: gmem-opt -pass-pipeline='builtin.module(gmem-plan,gmem-materialize)' %s | FileCheck %s --check-prefixes=CHECK,ALLOC
// RUN: gmem-opt -pass-pipeline='builtin.module(gmem-plan,gmem-materialize{arena-mode=allocate})' %s | FileCheck %s --check-prefixes=CHECK,ALLOC
// RUN: gmem-opt -pass-pipeline='builtin.module(gmem-plan,gmem-materialize{arena-mode=arg})' %s | FileCheck %s --check-prefixes=CHECK,ARG
// RUN: gmem-opt -pass-pipeline='builtin.module(gmem-plan,gmem-materialize{arena-mode=global})' %s | FileCheck %s --check-prefixes=CHECK,GLOBAL

// The module says what arenas there are, and nothing of the plan any more.
// CHECK-NOT: gmem.plan
// CHECK-NOT: gmem.pool
// ALLOC: gmem.arenas = [{alignment = 64 : i64, kind = "workspace", mode = "alloc", pool = "memory", size = [[SIZE:[0-9]+]] : i64}]
// ARG: gmem.arenas = [{alignment = 64 : i64, kind = "workspace", mode = "arg", pool = "memory", size = [[SIZE:[0-9]+]] : i64}]
// A name that the program has already is not taken.
// GLOBAL: gmem.arenas = [{alignment = 64 : i64, kind = "workspace", mode = "global", pool = "memory", size = [[SIZE:[0-9]+]] : i64, symbol = @gmem_arena_memory_0}]
// GLOBAL: memref.global "private" @gmem_arena_memory_0 : memref<[[SIZE]]xi8> = uninitialized {alignment = 64 : i64, gmem.arena = "memory"}

memref.global "private" constant @gmem_arena_memory : memref<1xi8> = dense<0>

// ALLOC: func.func @two(%arg0: memref<16xf32>, %arg1: i1 {a.note}) {
// ALLOC-NEXT: %[[WHOLE:.*]] = memref.alloc() {alignment = 64 : i64, gmem.arena = "memory"} : memref<[[SIZE]]xi8>
// ALLOC-NEXT: %[[ARENA:.*]] = memref.assume_alignment %[[WHOLE]], 64
// The arena of an argument is alone there: nothing inside calls the function.
// ARG: func.func @two(%arg0: memref<16xf32>, %arg1: i1 {a.note}, %arg2: memref<[[SIZE]]xi8> {gmem.arena = "memory", llvm.noalias}) attributes {gmem.arena_arguments = ["memory"]} {
// ARG-NEXT: %[[ARENA:.*]] = memref.assume_alignment %arg2, 64
// GLOBAL: func.func @two(%arg0: memref<16xf32>, %arg1: i1 {a.note}) {
// GLOBAL-NEXT: %[[WHOLE:.*]] = memref.get_global @gmem_arena_memory_0
// GLOBAL-NEXT: %[[ARENA:.*]] = memref.assume_alignment %[[WHOLE]], 64
func.func @two(%x: memref<16xf32>, %flag: i1 {a.note}) {
  // CHECK-NEXT: %[[AT:.*]] = arith.constant {{0|64}} : index
  // CHECK-NEXT: %[[A:.*]] = memref.view %[[ARENA]][%[[AT]]][] : memref<[[SIZE]]xi8> to memref<16xf32>
  %a = memref.alloc() {alignment = 32 : i64} : memref<16xf32>
  // CHECK-NEXT: memref.copy %arg0, %[[A]]
  memref.copy %x, %a {gmem.op_model = {}} : memref<16xf32> to memref<16xf32>
  // CHECK: %[[B:.*]] = memref.view %[[ARENA]]
  %b = memref.alloc() : memref<16xf32>
  // CHECK-NEXT: memref.copy %[[A]], %[[B]]
  memref.copy %a, %b {gmem.op_model = {}} : memref<16xf32> to memref<16xf32>
  // What freed the planned memory is gone.
  // CHECK-NOT: memref.dealloc %[[A]]
  memref.dealloc %a : memref<16xf32>
  // CHECK: memref.copy %[[B]], %arg0
  memref.copy %b, %x {gmem.op_model = {}} : memref<16xf32> to memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  // ALLOC-NEXT: memref.dealloc %[[WHOLE]]
  // CHECK-NEXT: return
  return
}

// What is not planned stays, with what frees it; a function without planned
// memory is left alone.
// CHECK: func.func @returned() -> memref<4xf32> {
// CHECK-NEXT: memref.alloc() : memref<4xf32>
func.func @returned() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}

// CHECK: func.func private @declared(memref<4xf32>)
func.func private @declared(memref<4xf32>)
