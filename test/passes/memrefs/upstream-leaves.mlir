// More of what the planner pass of MLIR's main branch refuses or skips, where
// something stays in the program for a reason, or an option says more
// (upstream-refuses.mlir has what becomes views altogether).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: gmem-opt %s --split-input-file --pass-pipeline='builtin.module(gmem-plan{dynamic-bound=1024},gmem-materialize{arena-mode=arg})' 2>/dev/null | FileCheck %s

// 1. A function that returns a memref. Upstream: an error for all of it. Here
//    what is returned stays as it is, and the rest is planned.
// CHECK-LABEL: func.func @returned(
// CHECK-SAME:  memref<4096xi8>
// CHECK:       memref.view
// CHECK:       %[[R:.*]] = memref.alloc() : memref<1024xf32>
// CHECK-NOT:   memref.alloc
// CHECK:       return %[[R]]
func.func @returned(%in: memref<1024xf32>) -> memref<1024xf32> {
  %a = memref.alloc() : memref<1024xf32>
  memref.copy %in, %a : memref<1024xf32> to memref<1024xf32>
  %r = memref.alloc() : memref<1024xf32>
  memref.copy %a, %r : memref<1024xf32> to memref<1024xf32>
  return %r : memref<1024xf32>
}

// -----

// 2. A size that is known at run time only. Upstream: skipped, always. Here it
//    is planned where something bounds it: an option, or the alloc.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME:  memref<4096xi8>
// CHECK-NOT:   memref.alloc
// CHECK:       memref.view %{{.*}}[%{{.*}}][%{{.*}}]
// CHECK-SAME:  to memref<?xf32>
func.func @dynamic(%n: index, %x: f32, %out: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %y = memref.load %a[%c0] : memref<?xf32>
  memref.store %y, %out[%c0] : memref<1xf32>
  memref.dealloc %a : memref<?xf32>
  return
}

// -----

// 3. Several memory spaces. Upstream: one arena in the default space, of which a
//    buffer in another space cannot be a view. Here each space has its own.
// CHECK-LABEL: func.func @spaces(
// CHECK-SAME:  memref<4096xi8>
// CHECK-SAME:  memref<2048xi8, 1>
// CHECK:       memref.view {{.*}} : memref<4096xi8> to memref<1024xf32>
// CHECK:       memref.view {{.*}} : memref<2048xi8, 1> to memref<512xf32, 1>
// CHECK-NOT:   memref.alloc
func.func @spaces(%x: f32, %out: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<512xf32, 1>
  memref.store %x, %a[%c0] : memref<1024xf32>
  memref.store %x, %b[%c0] : memref<512xf32, 1>
  %p = memref.load %a[%c0] : memref<1024xf32>
  %q = memref.load %b[%c0] : memref<512xf32, 1>
  %r = arith.addf %p, %q : f32
  memref.store %r, %out[%c0] : memref<1xf32>
  return
}

// -----

// 4. Each round makes a new buffer out of the one before, and both are wanted at
//    once: one place is not enough. Upstream leaves this as it is, and so do we.
// CHECK-LABEL: func.func @chain(
// CHECK-NOT:   memref.view
// CHECK:       memref.alloc
// CHECK:       scf.for
// CHECK:       memref.alloc
// CHECK:       memref.dealloc
func.func @chain(%n: index, %in: memref<64xf32>, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a) -> memref<64xf32> {
    %b = memref.alloc() : memref<64xf32>
    memref.copy %m, %b : memref<64xf32> to memref<64xf32>
    memref.dealloc %m : memref<64xf32>
    scf.yield %b : memref<64xf32>
  }
  memref.copy %r, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %r : memref<64xf32>
  return
}
