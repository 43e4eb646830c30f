// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 memory spaces that are unsigned integers are converted.
// A memory space that is no address space of LLVM: upstream says so at no
// location, and leaves the ops as they are. The lowering is an error that names
// the memref.
// RUN: split-file %s %t.d
// RUN: not gmem-opt --gmem-lower-to-llvm %t.d/unsigned.mlir -o /dev/null 2>&1 | FileCheck %s
// RUN: not gmem-opt --gmem-lower-to-llvm %t.d/named.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=NAMED
// RUN: gmem-opt --gmem-lower-to-llvm %t.d/integer.mlir | FileCheck %s --check-prefix=INTEGER --implicit-check-not=memref.
// CHECK: unsigned.mlir:2:3: error: memref<4xf32, 1 : ui64> cannot be lowered: its memory space is not an address space of LLVM; convert it to an integer such as 1 : i64 before the lowering
// NAMED: named.mlir:2:3: error: memref<4xf32, "fast"> cannot be lowered: its memory space is not an address space
// INTEGER: llvm.store {{.*}} !llvm.ptr<1>

//--- unsigned.mlir
func.func @f(%m: memref<4xf32, 1 : ui64>, %x: f32, %i: index) {
  memref.store %x, %m[%i] : memref<4xf32, 1 : ui64>
  return
}
//--- named.mlir
func.func @f(%m: memref<4xf32, "fast">, %x: f32, %i: index) {
  memref.store %x, %m[%i] : memref<4xf32, "fast">
  return
}
//--- integer.mlir
func.func @f(%m: memref<4xf32, 1 : i64>, %x: f32, %i: index) {
  memref.store %x, %m[%i] : memref<4xf32, 1 : i64>
  return
}
