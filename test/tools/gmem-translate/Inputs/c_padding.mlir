// c_padding.mlir - an image gets a border, and a filter of 3x3 elements reads it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%image: tensor<5x6xi32> loc("image")) -> tensor<5x6xi32> {
  %padded = "t.pad"(%image) {gmem.op_model = {}, gmem.padding = [{before = array<i64: 1, 1>, after = array<i64: 1, 2>, border = "replicate"}]} : (tensor<5x6xi32>) -> tensor<5x6xi32> loc("padded")
  %sum = "t.box"(%padded) {gmem.op_model = {}} : (tensor<5x6xi32>) -> tensor<5x6xi32> loc("sum")
  return %sum : tensor<5x6xi32>
}
