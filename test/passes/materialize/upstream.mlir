// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 memref.assume_alignment has no result.
// The program does what it says, in every mode, with calls, loops, strides and
// sizes at run time; and upstream's passes take the views for memory like any.
// RUN: gmem-opt -pass-pipeline='builtin.module(gmem-plan,gmem-materialize,gmem-lower-to-llvm)' %s | mlir-runner -e main -entry-point-result=f32 | FileCheck %s
// RUN: gmem-opt -pass-pipeline='builtin.module(gmem-plan,gmem-materialize{arena-mode=global},gmem-lower-to-llvm)' %s | mlir-runner -O3 -e main -entry-point-result=f32 | FileCheck %s
// RUN: gmem-opt -pass-pipeline='builtin.module(gmem-plan{algorithm=none},gmem-materialize{arena-mode=global},gmem-lower-to-llvm)' %s | mlir-runner -e main -entry-point-result=f32 | FileCheck %s
// The same with the optimisations of this level, with deallocation.
// RUN: gmem-opt -pass-pipeline='builtin.module(gmem-plan,gmem-materialize{arena-mode=global},ownership-based-buffer-deallocation,canonicalize,buffer-deallocation-simplification,bufferization-lower-deallocations,cse,canonicalize,expand-strided-metadata,func.func(buffer-hoisting,buffer-loop-hoisting),fold-memref-alias-ops,normalize-memrefs,gmem-lower-to-llvm)' %s | mlir-runner -e main -entry-point-result=f32 | FileCheck %s
// RUN: gmem-opt -pass-pipeline='builtin.module(gmem-plan,gmem-materialize{arena-mode=arg})' %s | mlir-opt -pass-pipeline='builtin.module(ownership-based-buffer-deallocation,canonicalize,cse)' | FileCheck %s --check-prefix=VIEWS

// i + min(i, 3) + i, summed over i = 0 ... 5: 30 + 12.
// CHECK: 4.2{{0*}}e+01
// VIEWS-NOT: memref.alloc
// VIEWS-NOT: memref.dealloc

func.func @main() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %c6 step %c1 iter_args(%so_far = %zero) -> f32 {
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %a = memref.alloc() : memref<4x2xf32, strided<[4, 2], offset: 3>>
    linalg.fill ins(%f : f32) outs(%a : memref<4x2xf32, strided<[4, 2], offset: 3>>)
    %b = memref.alloc() : memref<4x2xf32>
    linalg.copy ins(%a : memref<4x2xf32, strided<[4, 2], offset: 3>>) outs(%b : memref<4x2xf32>)
    %x = func.call @add(%b, %i) : (memref<4x2xf32>, index) -> f32
    %y = func.call @add(%b, %c0) : (memref<4x2xf32>, index) -> f32
    %z = arith.addf %x, %y : f32
    %next = arith.addf %so_far, %z : f32
    memref.dealloc %a : memref<4x2xf32, strided<[4, 2], offset: 3>>
    memref.dealloc %b : memref<4x2xf32>
    scf.yield %next : f32
  }
  return %sum : f32
}

// The first element, and 1 for each of min(%n, 3) rows.
func.func private @add(%x: memref<4x2xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %rows = arith.minui %n, %c3 : index
  %t = memref.alloc(%rows) {gmem.upper_bound = [array<i64: 3, 2>]} : memref<?x2xf32>
  %u = memref.alloc() : memref<f32>
  %v = memref.load %x[%c0, %c0] : memref<4x2xf32>
  memref.store %v, %u[] : memref<f32>
  linalg.fill ins(%one : f32) outs(%t : memref<?x2xf32>)
  scf.for %i = %c0 to %rows step %c1 {
    %a = memref.load %t[%i, %c1] : memref<?x2xf32>
    %b = memref.load %u[] : memref<f32>
    %c = arith.addf %a, %b : f32
    memref.store %c, %u[] : memref<f32>
  }
  memref.dealloc %t : memref<?x2xf32>
  %r = memref.load %u[] : memref<f32>
  memref.dealloc %u : memref<f32>
  return %r : f32
}
