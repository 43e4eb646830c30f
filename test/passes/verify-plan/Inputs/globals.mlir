// One constant that is got twice, one that equals it, one that is aligned.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module {
  memref.global "private" constant @a : memref<4xf32> = dense<1.0>
  memref.global "private" constant @equal : memref<4xf32> = dense<1.0>
  memref.global "private" constant @other : memref<4xf32> = dense<2.0> {alignment = 64 : i64}
  func.func @f() {
    %0 = memref.get_global @a : memref<4xf32>
    %1 = memref.get_global @a : memref<4xf32> {gmem.hold}
    %2 = memref.get_global @equal : memref<4xf32>
    %3 = memref.get_global @other : memref<4xf32>
    %4 = memref.alloc() : memref<4xf32>
    memref.copy %0, %4 : memref<4xf32> to memref<4xf32>
    memref.copy %1, %4 : memref<4xf32> to memref<4xf32>
    memref.copy %2, %4 : memref<4xf32> to memref<4xf32>
    memref.copy %3, %4 : memref<4xf32> to memref<4xf32>
    return
  }
}
