// example.mlir - the network of the example in docs/plan-json.md.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%image: tensor<16xf32> loc("image")) -> tensor<16xf32> {
  %bias = "tosa.const"() {values = dense<1.0> : tensor<16xf32>} : () -> tensor<16xf32> loc("bias")
  %sum = tosa.add %image, %bias : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32> loc("sum")
  return %sum : tensor<16xf32> loc("end")
} loc("main")
