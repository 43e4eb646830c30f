// A message that MLIR 22 plans, but does not lower.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%x: memref<4xf32>) {
  %tag = arith.constant 0 : i32
  %peer = arith.constant 1 : i32
  %world = mpi.comm_world : !mpi.comm
  %q = mpi.isend(%x, %tag, %peer, %world) : memref<4xf32>, i32, i32 -> !mpi.request
  mpi.wait(%q) : !mpi.request
  return
}
