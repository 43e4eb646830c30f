// An alignment that the entry block asserts of an argument becomes an attribute of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In MLIR 19 memref.assume_alignment has no result.
// REQUIRES: mlir-22
//
// RUN: gmem-opt --pass-pipeline='builtin.module(gmem-lower-to-llvm)' %s | FileCheck %s
// RUN: gmem-opt --pass-pipeline='builtin.module(gmem-lower-to-llvm)' %s | mlir-translate --mlir-to-llvmir | FileCheck --check-prefix=LLVM %s

// The aligned pointer, and what it says of its accesses.
// CHECK-LABEL: llvm.func @argument(
// CHECK-SAME:    %arg0: !llvm.ptr, %arg1: !llvm.ptr {llvm.align = 64 : i64}, %arg2
// CHECK-NOT:     llvm.intr.assume
// LLVM-LABEL: @argument(ptr %0, ptr align 64 %1,
// LLVM-NOT:     assume
// LLVM:         ret float
func.func @argument(%arg0: memref<16xf32>, %i: index) -> f32 {
  %0 = memref.assume_alignment %arg0, 64 : memref<16xf32>
  %1 = memref.load %0[%i] : memref<16xf32>
  return %1 : f32
}

// The largest; other attributes stay.
// CHECK-LABEL: llvm.func @two(
// CHECK-SAME:    %arg1: !llvm.ptr {llvm.align = 128 : i64}, %arg2
// CHECK-NOT:     llvm.intr.assume
func.func @two(%arg0: memref<16xf32>) -> f32 {
  %i = arith.constant 0 : index
  %0 = memref.assume_alignment %arg0, 128 : memref<16xf32>
  %1 = memref.assume_alignment %0, 32 : memref<16xf32>
  %2 = memref.load %1[%i] : memref<16xf32>
  return %2 : f32
}

// CHECK-LABEL: llvm.func @pointers(
// CHECK-SAME:    %arg0: !llvm.ptr {llvm.align = 64 : i64, llvm.noalias}, %arg1: !llvm.ptr {llvm.align = 256 : i64}
// CHECK-NOT:     llvm.intr.assume
llvm.func @pointers(%arg0: !llvm.ptr {llvm.noalias}, %arg1: !llvm.ptr {llvm.align = 256 : i64}) {
  %true = llvm.mlir.constant(true) : i1
  %c64 = llvm.mlir.constant(64 : i64) : i64
  llvm.intr.assume %true ["align"(%arg0, %c64 : !llvm.ptr, i64)] : i1
  llvm.intr.assume %true ["align"(%arg1, %c64 : !llvm.ptr, i64)] : i1
  llvm.return
}

// What is no argument, is asserted in a branch, or behind a call, which may not return.
// CHECK-LABEL: llvm.func @others(
// CHECK-NOT:     llvm.align
// CHECK-COUNT-3: llvm.intr.assume
memref.global @global : memref<16xf32>
func.func private @call()
func.func @others(%arg0: memref<16xf32>, %arg1: memref<16xf32>, %c: i1) -> f32 {
  %i = arith.constant 0 : index
  %m = memref.get_global @global : memref<16xf32>
  %0 = memref.assume_alignment %m, 64 : memref<16xf32>
  func.call @call() : () -> ()
  %1 = memref.assume_alignment %arg0, 64 : memref<16xf32>
  %2 = memref.load %1[%i] : memref<16xf32>
  memref.store %2, %0[%i] : memref<16xf32>
  scf.if %c {
    %3 = memref.assume_alignment %arg1, 64 : memref<16xf32>
    memref.store %2, %3[%i] : memref<16xf32>
  }
  return %2 : f32
}
