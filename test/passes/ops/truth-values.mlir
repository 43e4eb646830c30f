// How a tensor of i1 is stored is a matter of the compiler: one remark says what
// was assumed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: gmem-opt --gmem-plan=alignment=1 --split-input-file %s -o %t 2>&1 | FileCheck %s --implicit-check-not=remark:
// RUN: FileCheck %s --check-prefix=PLAN < %t

// CHECK: truth-values.mlir{{.*}}: remark: 2 tensors of i1 are sized with one bit per element, 10 bytes: for a target that stores a truth value in a byte, let the elements be i8 (docs/memory-model.md)
// CHECK: note: the first
func.func @masks(%x: tensor<40xf32>) -> (tensor<40xi1>, tensor<40xi1>, tensor<i1>) {
  %0 = arith.cmpf olt, %x, %x : tensor<40xf32>
  %1 = arith.cmpf ogt, %x, %x : tensor<40xf32>
  %2 = tensor.empty() : tensor<i1>
  return %0, %1, %2 : tensor<40xi1>, tensor<40xi1>, tensor<i1>
}

// PLAN: arith.cmpf olt{{.*}}gmem.size = array<i64: 5>

// -----

// One element takes a byte in any case; so do those of memrefs.
func.func @none(%x: tensor<1x1xi1>, %y: memref<40xi1>) -> tensor<1x1xi1> {
  %0 = arith.xori %x, %x : tensor<1x1xi1>
  %1 = memref.alloc() : memref<40xi1>
  memref.copy %y, %1 : memref<40xi1> to memref<40xi1>
  memref.copy %1, %y : memref<40xi1> to memref<40xi1>
  return %0 : tensor<1x1xi1>
}
