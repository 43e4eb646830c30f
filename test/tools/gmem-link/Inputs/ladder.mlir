// ladder.mlir - six ops on tensors of SIZE bytes, with what is needed later.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%x: tensor<SIZExi8>) -> tensor<SIZExi8> {
  %w = "tosa.const"() {values = dense<3> : tensor<SIZExi8>} : () -> tensor<SIZExi8>
  %0 = tosa.add %x, %w : (tensor<SIZExi8>, tensor<SIZExi8>) -> tensor<SIZExi8>
  %1 = tosa.sub %0, %x : (tensor<SIZExi8>, tensor<SIZExi8>) -> tensor<SIZExi8>
  %2 = tosa.add %1, %0 : (tensor<SIZExi8>, tensor<SIZExi8>) -> tensor<SIZExi8>
  %3 = tosa.sub %2, %w : (tensor<SIZExi8>, tensor<SIZExi8>) -> tensor<SIZExi8>
  %4 = tosa.add %3, %0 : (tensor<SIZExi8>, tensor<SIZExi8>) -> tensor<SIZExi8>
  %5 = tosa.sub %4, %1 : (tensor<SIZExi8>, tensor<SIZExi8>) -> tensor<SIZExi8>
  return %5 : tensor<SIZExi8>
}
