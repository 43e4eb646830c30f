// A copy between two buffers at the same bytes is erased, others stay.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: gmem-opt %s --split-input-file --gmem-plan=alignment=64 --gmem-materialize 2>/dev/null | FileCheck %s
// RUN: gmem-opt %s --split-input-file --gmem-plan='alignment=64 sharing=none' --gmem-materialize 2>/dev/null | FileCheck --check-prefix=APART %s

// CHECK-LABEL: func.func @dies
// CHECK-NOT:   memref.copy
// CHECK:       return
// APART-LABEL: func.func @dies
// APART:       memref.copy
func.func @dies(%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
  %a = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%x : memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  %flat = memref.collapse_shape %a [[0, 1]] : memref<8x8xf32> into memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %flat, %b : memref<64xf32> to memref<64xf32>
  %square = memref.expand_shape %b [[0, 1]] output_shape [8, 8] : memref<64xf32> into memref<8x8xf32>
  linalg.exp ins(%square : memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  return
}

// -----

// It is read later: the copy has bytes of its own.
// CHECK-LABEL: func.func @lives_on
// CHECK:       memref.copy
func.func @lives_on(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32>
  memref.copy %a, %b : memref<64xf32> to memref<64xf32>
  linalg.exp ins(%b : memref<64xf32>) outs(%y : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%z : memref<64xf32>)
  return
}

// -----

// A copy that converts writes other bits.
// CHECK-LABEL: func.func @converts
// CHECK:       linalg.copy
func.func @converts(%x: memref<64xf32>, %y: memref<64xi32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  %b = memref.alloc() : memref<64xi32>
  linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xi32>)
  memref.copy %b, %y : memref<64xi32> to memref<64xi32>
  return
}
