// names.mlir - a name with what JSON has to quote, and with a byte that is no
// UTF-8.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.exp %x : (tensor<4xf32>) -> tensor<4xf32> loc("a\22b\5C\0A\FF\C3\A9")
  return %0 : tensor<4xf32>
}
