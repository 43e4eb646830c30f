// streams-inplace.mlir - a result in place, once the operand's other reader is
// done.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%x: tensor<24xf32>) -> (tensor<24xf32>, tensor<24xf32>) {
  %a = tosa.exp %x {gmem.stream = 1 : i64} : (tensor<24xf32>) -> tensor<24xf32>
  %b = tosa.tanh %x {gmem.stream = 2 : i64, gmem.wait = array<i64: 1>} : (tensor<24xf32>) -> tensor<24xf32>
  return %a, %b : tensor<24xf32>, tensor<24xf32>
}
