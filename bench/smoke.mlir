// The smallest network that every benchmark can plan and run: bench/run.sh --smoke.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module {
  func.func @main(%input: tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
    %weights = "tosa.const"() <{values = dense<0.5> : tensor<1x8x8xf32>}> : () -> tensor<1x8x8xf32>
    %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
    %a = tosa.matmul %input, %weights, %zero, %zero : (tensor<1x2x8xf32>, tensor<1x8x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x8xf32> loc("a")
    %b = tosa.matmul %a, %weights, %zero, %zero : (tensor<1x2x8xf32>, tensor<1x8x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x8xf32> loc("b")
    %c = tosa.matmul %b, %weights, %zero, %zero : (tensor<1x2x8xf32>, tensor<1x8x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x8xf32> loc("c")
    %d = tosa.add %a, %c : (tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<1x2x8xf32> loc("d")
    return %d : tensor<1x2x8xf32>
  }
}
