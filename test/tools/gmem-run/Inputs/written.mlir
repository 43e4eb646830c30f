// A program that writes less than it may: %n of at most 100 elements of two buffers, one
// element of the third.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) {gmem.upper_bound = [array<i64: 100>]} : memref<?xf32>
  %b = memref.alloc() : memref<64xf32>
  %c = memref.alloc(%n) {gmem.upper_bound = [array<i64: 100>]} : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %a[%i] : memref<?xf32>
  }
  %z = arith.constant 0.0 : f32
  memref.store %z, %b[%c1] : memref<64xf32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[%i] : memref<?xf32>
    %s = memref.load %b[%c1] : memref<64xf32>
    %w = arith.mulf %v, %v : f32
    %u = arith.addf %w, %s : f32
    memref.store %u, %c[%i] : memref<?xf32>
  }
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<64xf32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %c[%i] : memref<?xf32>
    memref.store %v, %x[%i] : memref<?xf32>
  }
  memref.dealloc %c : memref<?xf32>
  return
}
