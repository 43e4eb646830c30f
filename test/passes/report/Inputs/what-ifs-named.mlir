// A value with a name that is live at the peak and used after it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %early = tosa.exp %x {gmem.name = "early"} : (tensor<1024xf32>) -> tensor<1024xf32>
  %a = "npu.scale"(%early) : (tensor<1024xf32>) -> tensor<4096xf32>
  %b = "npu.mix"(%a) : (tensor<4096xf32>) -> tensor<4096xf32>
  %c = "npu.shrink"(%b) : (tensor<4096xf32>) -> tensor<1024xf32>
  %y = tosa.add %c, %early : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  %z = tosa.add %x, %y : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  return %z : tensor<1024xf32>
}
