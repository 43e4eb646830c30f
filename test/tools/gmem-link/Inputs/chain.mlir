// chain.mlir - a network of three tensors of SIZE bytes, of which two are live
// at one time, and a constant.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%x: tensor<SIZExi8>) -> tensor<SIZExi8> {
  %w = "tosa.const"() {values = dense<1> : tensor<SIZExi8>} : () -> tensor<SIZExi8>
  %0 = tosa.add %x, %w : (tensor<SIZExi8>, tensor<SIZExi8>) -> tensor<SIZExi8>
  %1 = tosa.sub %0, %x : (tensor<SIZExi8>, tensor<SIZExi8>) -> tensor<SIZExi8>
  return %1 : tensor<SIZExi8>
}
