// mixed.mlir - a function that has memrefs already, frees and all, one that is
// on tensors with control flow, and one without a body.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func private @outside(tensor<8xf32>) -> tensor<8xf32>
func.func @memrefs(%x: memref<8xf32>, %y: memref<8xf32>) {
  %0 = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%0 : memref<8xf32>)
  linalg.add ins(%0, %x : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
  memref.dealloc %0 : memref<8xf32>
  return
}
func.func @tensors(%x: tensor<8xf32>, %c: i1, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<8xf32> {
    %s = math.exp %a : tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  }
  %1 = scf.if %c -> tensor<8xf32> {
    %t = math.tanh %0 : tensor<8xf32>
    scf.yield %t : tensor<8xf32>
  } else {
    scf.yield %x : tensor<8xf32>
  }
  %2 = call @outside(%1) : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
