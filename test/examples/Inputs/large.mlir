// large.mlir - a program that wants 62,000 bytes to work in.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%x: memref<8xi8>) -> memref<8xi8> {
  %c62 = arith.constant 62 : i8
  %out = memref.alloc() : memref<8xi8>
  %work = memref.alloc() : memref<62000xi8>
  linalg.fill ins(%c62 : i8) outs(%work : memref<62000xi8>)
  %begin = memref.subview %work[0] [8] [1] : memref<62000xi8> to memref<8xi8, strided<[1]>>
  memref.copy %x, %begin : memref<8xi8> to memref<8xi8, strided<[1]>>
  %end = memref.subview %work[4] [8] [1] : memref<62000xi8> to memref<8xi8, strided<[1], offset: 4>>
  memref.copy %end, %out : memref<8xi8, strided<[1], offset: 4>> to memref<8xi8>
  return %out : memref<8xi8>
}
