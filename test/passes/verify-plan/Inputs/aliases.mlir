// aliases.mlir - one op of each way to share memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%a: tensor<64xf32>, %b: tensor<64xf32>, %d: tensor<128xf32>) -> (tensor<128xf32>, tensor<64xf32>) {
  %x = tosa.exp %a : (tensor<64xf32>) -> tensor<64xf32>
  %y = tosa.exp %b : (tensor<64xf32>) -> tensor<64xf32>
  %c = tosa.concat %x, %y {axis = 0 : i32} : (tensor<64xf32>, tensor<64xf32>) -> tensor<128xf32>
  %i = tensor.insert_slice %y into %d[0] [64] [1] : tensor<64xf32> into tensor<128xf32>
  %s = tensor.extract_slice %i[64] [64] [1] : tensor<128xf32> to tensor<64xf32>
  return %c, %s : tensor<128xf32>, tensor<64xf32>
}
