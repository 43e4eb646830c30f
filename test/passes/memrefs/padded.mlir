// Memory with padding that is allocated before others are done with its bytes: the alloc
// itself uses neither the memory nor what is beside it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt %s --allow-unregistered-dialect --split-input-file --gmem-plan 2>/dev/null | FileCheck %s

// CHECK: peak = 192
// CHECK-LABEL: func.func @before_last_use
func.func @before_last_use(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() {gmem.padding = [array<i64: 16, 64>]} : memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %b = memref.alloc() {gmem.padding = [array<i64: 0, 64>]} : memref<16xf32>
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// Nor does it use that beside its own workbuffer.
// CHECK: peak = 144
// CHECK-LABEL: func.func @workbuffer
func.func @workbuffer(%in: memref<16xf32>) {
  %a = memref.alloc() {gmem.padding = [array<i64: 16, 16>], gmem.workbuffers = [{size = 100 : i64}]} : memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  return
}
