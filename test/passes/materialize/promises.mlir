// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// MLIR 19 has no memref.distinct_objects.
// What a program says of its memory and cannot say of parts of one arena.
// RUN: gmem-opt -pass-pipeline='builtin.module(gmem-plan{allocas=true},gmem-materialize)' %s | FileCheck %s
// RUN: gmem-run %s --entry main --input=3=1 --repeats=1 --compare
// RUN: gmem-run %s --entry calls_it --plan-options=allocas=true --input=2=0 --repeats=1 --compare

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

// 2. No other function sees what a function has on the stack; in an arena its callers
//    have bytes, too. LLVM would call it where its result is used, after the
//    loop that writes to %a.
// CHECK-LABEL: func.func private @no_effects(%arg0: i32,
// CHECK-NOT: readnone
// CHECK: memref.view
func.func private @no_effects(%x: i32) -> i32 attributes {llvm.readnone, passthrough = ["noinline", "nounwind", "willreturn"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %t = memref.alloca() : memref<16xi32>
  scf.for %i = %c0 to %c16 step %c1 {
    %y = arith.index_cast %i : index to i32
    %s = arith.addi %x, %y : i32
    memref.store %s, %t[%i] : memref<16xi32>
  }
  %xi = arith.index_cast %x : i32 to index
  %m = arith.remui %xi, %c16 : index
  %v = memref.load %t[%m] : memref<16xi32>
  return %v : i32
}

func.func @calls_it(%in: memref<16xi32>, %out: memref<16xi32>, %c: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %x = memref.load %in[%c0] : memref<16xi32>
  %v = func.call @no_effects(%x) : (i32) -> i32
  %a = memref.alloc() : memref<16xi32>
  scf.for %i = %c0 to %c16 step %c1 {
    %p = memref.load %in[%i] : memref<16xi32>
    %q = arith.muli %p, %p : i32
    memref.store %q, %a[%i] : memref<16xi32>
  }
  %k = arith.cmpi eq, %c, %c0 : index
  scf.if %k {
    memref.store %v, %out[%c0] : memref<16xi32>
  }
  scf.for %i = %c0 to %c16 step %c1 {
    %o = memref.load %out[%i] : memref<16xi32>
    %s = arith.addi %i, %c : index
    %j = arith.remui %s, %c16 : index
    %p = memref.load %a[%j] : memref<16xi32>
    %q = arith.addi %p, %o : i32
    memref.store %q, %out[%i] : memref<16xi32>
  }
  return
}
