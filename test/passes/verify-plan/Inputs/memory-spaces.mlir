// Two buffers of different alignment in one space, and one in another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module {
  func.func @f(%x: f32) {
    %c0 = arith.constant 0 : index
    %0 = memref.alloc() {alignment = 256 : i64} : memref<8xf32>
    %1 = memref.alloc() : memref<16xf32>
    %2 = memref.alloc() : memref<16xf32, 1>
    memref.store %x, %0[%c0] : memref<8xf32>
    memref.store %x, %1[%c0] : memref<16xf32>
    memref.store %x, %2[%c0] : memref<16xf32, 1>
    memref.store %x, %1[%c0] : memref<16xf32>
    memref.store %x, %0[%c0] : memref<8xf32>
    return
  }
}
