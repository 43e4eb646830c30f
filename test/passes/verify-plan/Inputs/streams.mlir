// streams.mlir - two streams, of which one waits for the other once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%x: tensor<24xf32>) -> tensor<24xf32> {
  %a = tosa.exp %x {gmem.stream = 1 : i64} : (tensor<24xf32>) -> tensor<24xf32>
  %b = tosa.tanh %a {gmem.stream = 2 : i64} : (tensor<24xf32>) -> tensor<24xf32>
  %c = tosa.sigmoid %x {gmem.stream = 1 : i64, gmem.wait = array<i64: 2>} : (tensor<24xf32>) -> tensor<24xf32>
  %d = tosa.add %b, %c {gmem.stream = 2 : i64} : (tensor<24xf32>, tensor<24xf32>) -> tensor<24xf32>
  return %d : tensor<24xf32>
}
