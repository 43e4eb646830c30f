// boundaries.mlir - a fixed argument, a result in the memory of another, equal
// weights, and one in a pool of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%c: tensor<1024xi32>, %k: tensor<1024xi32> {gmem.fixed = 8192 : i64}) -> (tensor<1024xi32> {gmem.same_as = 0 : i64}) {
  %0 = "tosa.const"() {values = dense<1> : tensor<4xi32>} : () -> tensor<4xi32>
  %1 = "tosa.const"() {values = dense<1> : tensor<4xi32>} : () -> tensor<4xi32>
  %2 = "tosa.const"() {gmem.pools = ["flash"], values = dense<1> : tensor<4xi32>} : () -> tensor<4xi32>
  %3 = tosa.add %c, %k : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  %4 = tosa.abs %3 : (tensor<1024xi32>) -> tensor<1024xi32>
  return %4 : tensor<1024xi32>
}
