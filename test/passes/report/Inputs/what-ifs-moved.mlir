// The op at the peak moves elements.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %a = "npu.scale"(%x) : (tensor<64xf32>) -> tensor<64x64xf32>
  %b = "tosa.transpose"(%a) <{perms = array<i32: 1, 0>}> : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = "npu.shrink"(%b) : (tensor<64x64xf32>) -> tensor<64xf32>
  return %c : tensor<64xf32>
}
