// RUN: gmem-opt --gmem-plan=memref-alignment=1 %s | FileCheck %s
// A memref is live at the branches that pass it to a block, not at all branches to
// that block: %a shares memory with %t, and the time to plan many blocks is not
// quadratic in their number.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// CHECK: peak = 512
func.func @branches(%c: i1, %d: i1, %out: memref<64xf32>) {
  cf.cond_br %c, ^one, ^other
^one:
  %a = memref.alloc() : memref<64xf32>
  memref.copy %out, %a : memref<64xf32> to memref<64xf32>
  cf.br ^join(%a : memref<64xf32>)
^other:
  %b = memref.alloc() : memref<64xf32>
  %t = memref.alloc() : memref<64xf32>
  memref.copy %out, %b : memref<64xf32> to memref<64xf32>
  memref.copy %out, %t : memref<64xf32> to memref<64xf32>
  cf.cond_br %d, ^join(%b : memref<64xf32>), ^last(%t : memref<64xf32>)
^join(%x: memref<64xf32>):
  memref.copy %x, %out : memref<64xf32> to memref<64xf32>
  return
^last(%y: memref<64xf32>):
  memref.copy %y, %out : memref<64xf32> to memref<64xf32>
  return
}
