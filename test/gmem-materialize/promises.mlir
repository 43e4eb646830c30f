// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program says of its memory and cannot say of parts of one arena.
// RUN: gmem-opt -pass-pipeline='builtin.module(gmem-plan,gmem-materialize)' %s | FileCheck %s
// RUN: gmem-run %s --entry main --input=3=1 --repeats=1 --compare

// 1. Two allocations were distinct objects; two parts of an arena are not: LLVM
//    takes it of the whole arena, and for example reads the second element of
//    %x below once, before the loop that writes to it.
// CHECK-LABEL: func.func @main
// CHECK-NOT: distinct_objects
func.func @main(%in: memref<64xi32>, %out: memref<64xi32>,
                %out2: memref<64xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<64xi32>
  %b = memref.alloc() : memref<64xi32>
  %a1, %b1 = memref.distinct_objects %a, %b : memref<64xi32>, memref<64xi32>
  memref.copy %in, %a1 : memref<64xi32> to memref<64xi32>
  memref.copy %a1, %b1 : memref<64xi32> to memref<64xi32>
  linalg.add ins(%a1, %b1 : memref<64xi32>, memref<64xi32>) outs(%out : memref<64xi32>)
  %x = memref.alloc() : memref<64xi32>
  %y = memref.alloc() : memref<64xi32>
  memref.copy %in, %x : memref<64xi32> to memref<64xi32>
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.load %x[%i] : memref<64xi32>
    %w = arith.addi %v, %v : i32
    %k = arith.remui %n, %c64 : index
    memref.store %w, %x[%k] : memref<64xi32>
    %u = memref.load %x[%c1] : memref<64xi32>
    memref.store %u, %y[%i] : memref<64xi32>
  }
  linalg.add ins(%x, %y : memref<64xi32>, memref<64xi32>) outs(%out2 : memref<64xi32>)
  return
}
