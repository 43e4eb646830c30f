// The sum of 0 to 63, in 4 x 4 iterations with memory of their own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i64
  %out = memref.alloc() : memref<64xi64>
  scf.parallel (%i) = (%c0) to (%c8) step (%c2) {
    scf.forall (%j) = (1) to (5) step (1) {
      %a = memref.alloc() : memref<4xi64>
      %row = arith.muli %i, %c2 : index
      %column = arith.subi %j, %c1 : index
      %part = arith.addi %row, %column : index
      %first = arith.muli %part, %c4 : index
      scf.for %k = %c0 to %c4 step %c1 {
        %at = arith.addi %first, %k : index
        %number = arith.index_cast %at : index to i64
        memref.store %number, %a[%k] : memref<4xi64>
      }
      %to = memref.subview %out[%first] [4] [1] : memref<64xi64> to memref<4xi64, strided<[1], offset: ?>>
      memref.copy %a, %to : memref<4xi64> to memref<4xi64, strided<[1], offset: ?>>
      memref.dealloc %a : memref<4xi64>
    }
  }
  %sum = scf.for %k = %c0 to %c64 step %c1 iter_args(%s = %zero) -> i64 {
    %x = memref.load %out[%k] : memref<64xi64>
    %t = arith.addi %s, %x : i64
    scf.yield %t : i64
  }
  memref.dealloc %out : memref<64xi64>
  return %sum : i64
}
