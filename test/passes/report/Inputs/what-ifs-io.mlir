// The input and the output could share memory with the values between them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %a = tosa.exp %x : (tensor<1024xf32>) -> tensor<1024xf32>
  %b = tosa.reverse %a {axis = 0 : i32} : (tensor<1024xf32>) -> tensor<1024xf32>
  %c = tosa.exp %b : (tensor<1024xf32>) -> tensor<1024xf32>
  %d = tosa.reverse %c {axis = 0 : i32} : (tensor<1024xf32>) -> tensor<1024xf32>
  return %d : tensor<1024xf32>
}
