// same-as-kept.mlir - a cache, for tests that keep inputs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @kept(%c: tensor<1024xi32>, %k: tensor<1xi32>) -> (tensor<1024xi32> {gmem.same_as = 0 : i64}) {
  %0 = tensor.insert_slice %k into %c[16][1][1] : tensor<1xi32> into tensor<1024xi32>
  return %0 : tensor<1024xi32>
}
