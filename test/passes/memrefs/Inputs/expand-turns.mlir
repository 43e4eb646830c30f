// Fibonacci numbers: an iteration makes (b, a + b) of (a, b). Number 15 is 610.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c33 = arith.constant 33 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %start = memref.alloc() : memref<2xi64>
  memref.store %zero, %start[%c0] : memref<2xi64>
  memref.store %one, %start[%c1] : memref<2xi64>
  // 15 iterations
  %r = scf.for %i = %c3 to %c33 step %c2 iter_args(%m = %start) -> memref<2xi64> {
    %a = memref.alloc() : memref<2xi64>
    %y = memref.load %m[%c1] : memref<2xi64>
    memref.store %y, %a[%c0] : memref<2xi64>
    %x = memref.load %m[%c0] : memref<2xi64>
    %s = arith.addi %x, %y : i64
    memref.store %s, %a[%c1] : memref<2xi64>
    scf.yield %a : memref<2xi64>
  }
  %n = memref.load %r[%c0] : memref<2xi64>
  return %n : i64
}
