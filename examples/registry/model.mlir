// model.mlir - the network of the models.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two inputs, a constant, and one that is computed from it.
func.func @main(%a: tensor<1024xi8> loc("a"), %b: tensor<1024xi8> loc("b")) -> tensor<1024xi8> {
  %k = "tosa.const"() {values = dense<3> : tensor<1024xi8>} : () -> tensor<1024xi8> loc("k")
  %n = tosa.bitwise_not %k : (tensor<1024xi8>) -> tensor<1024xi8> loc("not_k")
  %0 = tosa.add %a, %b : (tensor<1024xi8>, tensor<1024xi8>) -> tensor<1024xi8> loc("sum")
  %1 = tosa.bitwise_not %a : (tensor<1024xi8>) -> tensor<1024xi8> loc("not_a")
  %2 = tosa.add %0, %n : (tensor<1024xi8>, tensor<1024xi8>) -> tensor<1024xi8> loc("more")
  %3 = tosa.add %1, %2 : (tensor<1024xi8>, tensor<1024xi8>) -> tensor<1024xi8> loc("result")
  return %3 : tensor<1024xi8>
}
