// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gmem-lower-to-llvm leaves nothing behind of what vectorised programs, complex
// numbers and memrefs that grow are made of.
// RUN: gmem-opt --gmem-lower-to-llvm %s | FileCheck %s --implicit-check-not=vector.transfer --implicit-check-not=ub. --implicit-check-not=arith. --implicit-check-not=complex. --implicit-check-not=memref. --implicit-check-not=unrealized

// CHECK: llvm.func @vectors
func.func @vectors(%in: memref<16xi32>, %out: memref<4x4xi32>, %i: index, %v: i32) {
  %c0 = arith.constant 0 : index
  %x = vector.transfer_read %in[%i], %v : memref<16xi32>, vector<16xi32>
  %y = vector.shape_cast %x : vector<16xi32> to vector<4x4xi32>
  vector.transfer_write %y, %out[%c0, %c0] : vector<4x4xi32>, memref<4x4xi32>
  return
}

// CHECK: llvm.func @numbers
func.func @numbers(%m: memref<16xcomplex<f64>>, %i: index) -> f64 {
  %x = memref.load %m[%i] : memref<16xcomplex<f64>>
  %y = complex.mul %x, %x : complex<f64>
  %r = complex.abs %y : complex<f64>
  return %r : f64
}

// CHECK: llvm.func @grows
func.func @grows(%m: memref<8xi32>) -> memref<16xi32> {
  %r = memref.realloc %m : memref<8xi32> to memref<16xi32>
  return %r : memref<16xi32>
}
