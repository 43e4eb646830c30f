// A result that overwrites an operand: both buffers are live while the op runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

func.func @main(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.map ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
    (%v: f32, %o: f32) { %w = arith.addf %v, %v : f32  linalg.yield %w : f32 }
  linalg.map ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
    (%v: f32, %o: f32) { %w = arith.mulf %v, %v : f32  linalg.yield %w : f32 }
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  return
}
